const SECONDS = /^[0-9]+$/;
/** All three forms of HTTP dates begin with the day; `Date.parse` alone also accepts "1" or "2026". */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? .*[0-9]{2}:[0-9]{2}:[0-9]{2}/;
/** A longer wait is surely a wrong clock or a wrong unit. */
const MAX_MS = 60 * 60_000;

type Headers = Readonly<Record<string, string>>;

/**
 * How long an answer's Retry-After asks to wait: seconds, or an HTTP date, which is compared with the answer's own
 * Date, so that our clock need not agree with the operator's. Null: there is none that can be read.
 */
export function readOperatorRetryAfter(headers: Headers): number | null {
  const text = headers['retry-after']?.trim() ?? '';
  if (SECONDS.test(text)) return Math.min(Number(text) * 1_000, MAX_MS);
  if (!HTTP_DATE.test(text)) return null;
  const waitMs = Date.parse(text) - Date.parse(headers['date'] ?? '');
  return Number.isNaN(waitMs) || waitMs < 0 ? null : Math.min(waitMs, MAX_MS);
}
