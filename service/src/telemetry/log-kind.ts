import type { LogFields } from './logger.ts';

/** For faults, and for refused requests without a valid key: one line is enough. */
const SAMPLED_PER_SECOND = 1;
/**
 * People look up a merchant's own refusals and slow requests one by one. A client in a loop causes hundreds a second.
 */
const KEY_LINES_PER_SECOND = 20;
const CAUSES_MAX = 4;

export type LogKind = Readonly<{
  name: string;
  linesPerSecond: number;
  /** The fields that all lines of the kind share. */
  commonFields: LogFields;
}>;

/** Groups lines into kinds. Undefined: the line is always written. */
export function describeKind(fields: LogFields, message: string): LogKind | undefined {
  const { status, route, keyId, personId, bookId, err } = fields;
  if (typeof status === 'number' && status < 500) {
    return {
      name: `${message} ${status} ${route} ${keyId ?? personId}`,
      linesPerSecond: (keyId ?? personId) === undefined ? SAMPLED_PER_SECOND : KEY_LINES_PER_SECOND,
      commonFields: { status, route, keyId, personId, bookId },
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
 * The same text for all errors with the same reason. Messages are left out, because they name the object that was
 * processed; an error without a code is identified by the place where it was created.
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
