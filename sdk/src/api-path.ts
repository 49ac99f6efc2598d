import { invalidArgument } from './kafue-error.ts';

/** Everywhere dropped from URLs as "this folder" and "the one above", even when percent-encoded. */
const DOT_SEGMENTS: readonly string[] = ['.', '..'];

export function isDotSegment(text: string): boolean {
  return DOT_SEGMENTS.includes(text);
}

/** A path with its values encoded: apiPath`transfers/${id}/history`. */
export function apiPath(texts: TemplateStringsArray, ...values: readonly string[]): string {
  return texts.reduce((path, text, index) => `${path}${segment(values[index - 1])}${text}`);
}

/** An empty id would call the list instead, and a dot another path: neither is ever meant. */
function segment(value: string | undefined): string {
  if (typeof value !== 'string' || value === '' || isDotSegment(value)) {
    throw invalidArgument('An id must be a text that is not empty, nor "." nor "..".');
  }
  return encodeURIComponent(value);
}

type Named = Readonly<Record<string, string>>;
type QueryValue = string | number | Date | readonly string[] | Named | null | undefined;

/** The query with its question mark, or nothing. Absent values are left out. */
export function apiQuery(values: Readonly<Record<string, QueryValue>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue;
    if (isNamed(value)) {
      for (const [key, text] of Object.entries(value)) query.append(`${name}[${key}]`, text);
      continue;
    }
    // A list of texts becomes one text with commas between, which is what String makes of it.
    query.set(name, value instanceof Date ? toTimeText(value) : String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

function isNamed(value: NonNullable<QueryValue>): value is Named {
  return typeof value === 'object' && !(value instanceof Date) && !Array.isArray(value);
}

/** A time as the API takes it; a text is left to the API to judge. */
export function toTimeText(time: Date): string;
export function toTimeText(time: Date | string | undefined): string | undefined;
export function toTimeText(time: Date | string | undefined): string | undefined {
  if (!(time instanceof Date)) return time;
  // JSON would make null of it, which means that no time is given.
  if (Number.isNaN(time.getTime())) throw invalidArgument('A Date is not valid.');
  return time.toISOString();
}
