/** The width of the column that stores it. */
const CAUSE_LENGTH_MAX = 200;

/** A cause as an event stores it. It may contain an operator's text, and PostgreSQL refuses NUL characters. */
export function causeText(cause: string): string {
  return cause.replace(/\p{Cc}/gu, ' ').slice(0, CAUSE_LENGTH_MAX);
}
