/** As wide as the column that keeps it. */
const CAUSE_LENGTH_MAX = 200;

/** A cause as an event keeps it. Operators' words may be in it, and PostgreSQL refuses a NUL. */
export function causeText(cause: string): string {
  return cause.replace(/\p{Cc}/gu, ' ').slice(0, CAUSE_LENGTH_MAX);
}
