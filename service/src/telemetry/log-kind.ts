import type { LogFields } from './logger.ts';

/** Faults, and refused requests without a valid key: one line says it all. */
const SAMPLED_PER_SECOND = 1;
/**
 * A merchant's own refusals and slow requests are looked up by people, one by one. A client that loops
 * makes hundreds a second.
 */
const KEY_LINES_PER_SECOND = 20;
const CAUSES_MAX = 4;

export type LogKind = Readonly<{
  name: string;
  linesPerSecond: number;
  /** What all lines of the kind have in common. */
  commonFields: LogFields;
}>;

/** Which lines are of one kind. Undefined: each is a fact of its own, and always written. */
export function describeKind(fields: LogFields, message: string): LogKind | undefined {
  const { status, route, keyId, bookId, err } = fields;
  if (typeof status === 'number' && status < 500) {
    return {
      name: `${message} ${status} ${route} ${keyId}`,
      linesPerSecond: keyId === undefined ? SAMPLED_PER_SECOND : KEY_LINES_PER_SECOND,
      commonFields: { status, route, keyId, bookId },
    };
  }
  if (status === undefined && err === undefined) return undefined;
  const cause = err === undefined ? undefined : describeCause(err);
  return {
    name: `${message} ${status} ${cause}`,
    linesPerSecond: SAMPLED_PER_SECOND,
    commonFields: { status, cause },
  };
}

/**
 * The same for every error that has the same reason. Messages are left out, since they name what was
 * worked on; an error without a code is known by the place where it was made.
 */
function describeCause(error: unknown): string {
  const parts: string[] = [];
  let cause = error;
  while (cause instanceof Error && parts.length < CAUSES_MAX) {
    const code: unknown = Reflect.get(cause, 'code');
    parts.push(`${cause.name} ${typeof code === 'string' ? code : placeOf(cause)}`);
    cause = cause.cause;
  }
  return parts.length === 0 ? typeof error : parts.join(', caused by ');
}

function placeOf({ stack = '' }: Error): string {
  return /^ {4}(at .*)$/m.exec(stack)?.[1] ?? '';
}
