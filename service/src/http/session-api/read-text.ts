import type { FieldReader } from '../server/field-reader.ts';
import type { JsonObject } from '../server/strict-json.ts';

type Fields = Readonly<{ read: FieldReader; body: JsonObject }>;

/** A field whose text is compared or hashed as it is, such as a password. Never repeated in an answer. */
export function readText({ read, body }: Fields, field: string): string | undefined {
  const value = body.get(field);
  if (typeof value === 'string' && value !== '') return value;
  const isMissing = value === undefined || value === null || value === '';
  if (isMissing) read.problem(field, 'REQUIRED');
  else read.problem(field, 'INVALID_TEXT', 'Must be a string.');
  return undefined;
}

/** Null: left out, null or empty, as a form sends a field that was not filled in. */
export function readOptionalText({ read, body }: Fields, field: string): string | null {
  const value = body.get(field) ?? null;
  if (value === null || value === '') return null;
  if (typeof value === 'string') return value;
  read.problem(field, 'INVALID_TEXT', 'Must be a string.');
  return null;
}
