const BREAKS = /\s*[\t\n\v\f\r\u0085\u2028\u2029]\s*/g;

/** The service takes reasons, notes and evidence of one line only: what people wrote in several lines is joined. */
export function inOneLine<T>(body: T): T {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const lines = Object.entries(body).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? value.replace(BREAKS, ' ').trim() : value,
  ]);
  return Object.fromEntries(lines) as T;
}
