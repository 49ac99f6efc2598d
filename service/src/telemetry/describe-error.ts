import { scrub } from './scrub.ts';

const CAUSES_MAX = 3;
const STACK_LINES_MAX = 20;
const MESSAGE_LENGTH_MAX = 500;

/** What PostgreSQL reports about an error that never contains a value of a row. */
const DATABASE_PARTS = ['table', 'column', 'constraint', 'routine'] as const;

/**
 * An error as it may be logged, by allow-list, because libraries add arbitrary properties to their errors. PostgreSQL,
 * for example, puts whole rows into `detail` and single values, in quotes, into the message.
 */
export function describeError(error: unknown, causesMax = CAUSES_MAX): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const isFromDatabase = typeof read(error, 'severity') === 'string';
  const message = isFromDatabase ? error.message.replace(/"[^"]*"/g, '"…"') : error.message;
  const code = read(error, 'code');
  return {
    type: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    message: scrub(message).slice(0, MESSAGE_LENGTH_MAX),
    ...(isFromDatabase ? databaseParts(error) : {}),
    stack: stackFrames(error),
    ...(error.cause !== undefined && causesMax > 0
      ? { cause: describeError(error.cause, causesMax - 1) }
      : {}),
  };
}

function databaseParts(error: Error): Record<string, unknown> {
  const parts = DATABASE_PARTS.map((name) => [name, read(error, name)] as const);
  return Object.fromEntries(parts.filter(([, value]) => typeof value === 'string'));
}

/** Without the first line, which repeats the message. */
function stackFrames(error: Error): string {
  const lines = (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line));
  return scrub(lines.slice(0, STACK_LINES_MAX).join('\n'));
}

function read(error: Error, property: string): unknown {
  return Reflect.get(error, property);
}
