/** A value is reused for this long, so that scrapes and probes cost the database next to nothing. */
const AGE_MAX_MS = 5_000;
/** A caller does not wait longer than this. */
const TIMEOUT_MS = 2_000;

export type CachedReadingOptions<T> = Readonly<{
  read: () => Promise<T>;
  monotonicMs: () => number;
  ageMaxMs?: number;
  timeoutMs?: number;
}>;

/**
 * Lets callers read something expensive as often as they like: one reading is under way at a time and is shared.
 * Undefined when it failed or takes too long.
 */
export function createCachedReading<T>(
  options: CachedReadingOptions<T>,
): () => Promise<T | undefined> {
  const { read, monotonicMs, ageMaxMs = AGE_MAX_MS, timeoutMs = TIMEOUT_MS } = options;
  let last: Readonly<{ value: T | undefined; atMs: number }> | undefined;
  let underWay: Promise<T | undefined> | undefined;

  // A reading that hangs stays the one under way: another one would only wait behind it.
  async function begin(): Promise<T | undefined> {
    let value: T | undefined;
    try {
      value = await read();
    } catch {
      // The caller learns of the failure by the missing value; `read` reports its own errors.
    }
    last = { value, atMs: monotonicMs() };
    underWay = undefined;
    return value;
  }

  return () => {
    if (last !== undefined && monotonicMs() - last.atMs < ageMaxMs) {
      return Promise.resolve(last.value);
    }
    underWay ??= begin();
    return withinTime(underWay, timeoutMs);
  };
}

async function withinTime<T>(reading: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    return await Promise.race([reading, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
