/**
 * Arrays in PostgreSQL's text format, for the columns of large groups. The driver inspects the type of every value and
 * escapes every string. A column of one known kind needs neither, which saves a twentieth of the service's time under
 * load.
 */

type Bare = string | number | bigint | boolean | null;

/**
 * For values that need no quotes: numbers, booleans, ids and words of our own lists. Never for text from outside: a
 * comma, a brace, a blank or the word "null" would be read as something else.
 */
export function bareArray(values: readonly Bare[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : value)).join(',')}}`;
}

const NEEDS_ESCAPE = /["\\]/;

/** For any text. */
export function quotedArray(values: readonly (string | null)[]): string {
  return `{${values.map(quote).join(',')}}`;
}

function quote(value: string | null): string {
  if (value === null) return 'NULL';
  return NEEDS_ESCAPE.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
}
