/** One small change to one file of the service, like a careless mistake. */
export type Mutation = Readonly<{
  /** From the root of the project. */
  file: string;
  /** Offsets into the file's text. */
  start: number;
  end: number;
  replacement: string;
  /** A description such as `condition removed`. */
  kind: string;
  language: 'typescript' | 'sql';
}>;

export function applyMutation(text: string, { start, end, replacement }: Mutation): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** Describes place and change in one line. */
export function describeMutation(text: string, mutation: Mutation): string {
  const line = text.slice(0, mutation.start).split('\n').length;
  const before = shorten(text.slice(mutation.start, mutation.end));
  const after = mutation.replacement.trim() === '' ? 'nothing' : shorten(mutation.replacement);
  return `${mutation.file}:${line} ${mutation.kind}: ${before} → ${after}`;
}

const SHOWN_LENGTH_MAX = 90;

function shorten(code: string): string {
  const oneLine = code.replace(/\s+/g, ' ').trim();
  return oneLine.length > SHOWN_LENGTH_MAX ? `${oneLine.slice(0, SHOWN_LENGTH_MAX)}…` : oneLine;
}
