const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The lower-case form of a UUID of any version; braces, `urn:` and missing hyphens are refused. */
export function parseUuid(text: string): string | undefined {
  return UUID_PATTERN.test(text) ? text.toLowerCase() : undefined;
}

const WITHOUT_DASHES = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i;

/** The usual spelling of a UUID that was written without its dashes; any other text as it is. */
export function withDashes(text: string): string {
  return text.replace(WITHOUT_DASHES, '$1-$2-$3-$4-$5');
}

/** The smallest UUIDv7 of a moment: ids from this one on were made at that time or later. */
export function firstUuidAt(at: Date): string {
  const ms = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`;
}

/**
 * How much older than its time of creation the id of a transfer may be. Ids begin with the clock of the process, and what
 * limits count has the time of the database: a clock that is slow by less hides nothing from a limit.
 */
export const ID_OLDER_MAX_MS = 24 * 60 * 60_000;

const COUNTER_MAX = 0xfff;
const RANDOM_BYTES_PER_ID = 10;
// One call for randomness serves 400 ids; a call per id would cost more than the rest of the work.
const RANDOM_POOL_BYTES = RANDOM_BYTES_PER_ID * 400;
const TIMESTAMP_MAX_MS = 2 ** 48 - 1;

/**
 * Creates a source of UUIDv7. Each id is greater than the one before, also within a millisecond and when the clock goes
 * back. The 12 bits after the version are a counter that starts at a random value in its lower half each millisecond;
 * when the counter is full, the timestamp runs ahead of the clock by a millisecond.
 */
export function createUuidV7Source(
  clock: () => number,
  randomFill: (bytes: Uint8Array) => void,
): () => string {
  const pool = new Uint8Array(RANDOM_POOL_BYTES);
  let poolUsed = RANDOM_POOL_BYTES;
  let timestampMs = -1;
  let counter = 0;

  return function nextUuid(): string {
    if (poolUsed === RANDOM_POOL_BYTES) {
      randomFill(pool);
      poolUsed = 0;
    }
    const random = poolUsed;
    poolUsed += RANDOM_BYTES_PER_ID;

    const nowMs = Math.floor(clock());
    const startsMillisecond = nowMs > timestampMs || counter === COUNTER_MAX;
    if (startsMillisecond) {
      timestampMs = Math.max(nowMs, timestampMs + 1);
      counter = (((pool[random] ?? 0) << 8) | (pool[random + 1] ?? 0)) & (COUNTER_MAX >> 1);
    } else {
      counter += 1;
    }
    return formatUuid({ timestampMs, counter, pool, offset: random + 2 });
  };
}

type UuidParts = {
  timestampMs: number;
  counter: number;
  pool: Uint8Array;
  offset: number;
};

function formatUuid({ timestampMs, counter, pool, offset }: UuidParts): string {
  if (!(timestampMs >= 0 && timestampMs <= TIMESTAMP_MAX_MS)) {
    throw new RangeError('the clock gave a time that a UUID cannot hold');
  }
  // Bitwise operators work on 32 bits, so the 48-bit timestamp is split by division.
  const high = Math.floor(timestampMs / 0x1_0000);
  const low = timestampMs % 0x1_0000;
  spell(0, high >>> 24);
  spell(1, high >>> 16);
  spell(2, high >>> 8);
  spell(3, high);
  spell(4, low >>> 8);
  spell(5, low);
  spell(6, 0x70 | (counter >>> 8));
  spell(7, counter);
  spell(8, 0x80 | ((pool[offset] ?? 0) & 0x3f));
  for (let at = 1; at < RANDOM_BYTES_SPELT; at += 1) spell(8 + at, pool[offset + at] ?? 0);
  return SPELLING.toString('latin1');
}

/**
 * One id is spelt here after the other. Joining two digits at a time takes twice as long, and leaves twenty strings for
 * each id to the garbage collector.
 */
const SPELLING = Buffer.alloc(36, '-');
const HEX_DIGITS = Buffer.from('0123456789abcdef');
/** Where the two digits of each byte stand. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const RANDOM_BYTES_SPELT = RANDOM_BYTES_PER_ID - 2;

function spell(index: number, byte: number): void {
  const place = PLACES[index] ?? 0;
  SPELLING[place] = HEX_DIGITS[(byte >>> 4) & 0xf] ?? 0;
  SPELLING[place + 1] = HEX_DIGITS[byte & 0xf] ?? 0;
}
