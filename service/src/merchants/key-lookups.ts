import { refuse } from '../domain/refusal.ts';
import { createFairQueue } from '../postgres/fair-queue.ts';

/** Keys that one statement looks up: a few milliseconds of an index. */
const KEYS_PER_STATEMENT_MAX = 256;
/** One may be slow or lost with its connection; the next then still gets through. */
const STATEMENTS_UNDER_WAY_MAX = 2;

/**
 * Bounds for keys that are not cached, whose owners are addresses. They are looked up in at most 20 groups a second:
 * more keys than the server can refuse in that time, for the work of 20 statements.
 */
export const UNCACHED_KEYS = {
  pauseMs: 50,
  /** Two seconds' worth. Past it the answer is 429. */
  waitingMax: 10_000,
  /** The size of one group. A client waits for one or two groups, also if its address sends many keys. */
  waitingPerOwnerMax: 256,
} as const;

/** What the database said, and when it was asked. */
export type Lookup<Found> = Readonly<{ found: Found | undefined; askedAtMs: number }>;

export type KeyLookups<Found> = Readonly<{
  /**
   * Joins a lookup about the same key that waits or was just asked. Refuses with RATE_LIMITED when
   * too many keys wait, of this owner or in all.
   */
  find(hash: string, owner: string): Promise<Lookup<Found>>;
}>;

type LookupDeps<Found> = Readonly<{
  /** What the database knows of these hashes, by hash. */
  read: (hashes: readonly string[]) => Promise<ReadonlyMap<string, Found>>;
  monotonicMs: () => number;
  wait: (ms: number) => Promise<void>;
}>;

type LookupOptions = Readonly<{
  /** An answer to a lookup that was asked longer ago is not believed: the key is asked for anew. */
  freshMs: number;
  /** From the beginning of one statement to that of the next; the first after a quiet time begins at once. */
  pauseMs: number;
  waitingMax: number;
  waitingPerOwnerMax: number;
}>;

type PendingLookup<Found> = {
  readonly hash: string;
  readonly owner: string;
  /** Undefined while it waits. */
  askedAtMs: number | undefined;
  resolve: (lookup: Lookup<Found>) => void;
  reject: (error: unknown) => void;
  answer: Promise<Lookup<Found>>;
};

/**
 * Looks keys up in groups, at a bounded rate, owners taking turns. However many keys are invented, the
 * database sees a few statements a second, and a key that exists waits for one or two of them.
 */
export function createKeyLookups<Found>(
  deps: LookupDeps<Found>,
  options: LookupOptions,
): KeyLookups<Found> {
  const queue = createFairQueue<PendingLookup<Found>>();
  const lookups = new Map<string, PendingLookup<Found>>();
  const waitingByOwner = new Map<string, number>();
  let underWay = 0;
  let isPausing = false;

  function begin(): void {
    if (isPausing || underWay >= STATEMENTS_UNDER_WAY_MAX || queue.size() === 0) return;
    underWay += 1;
    void ask(queue.take(KEYS_PER_STATEMENT_MAX)).finally(() => {
      underWay -= 1;
      begin();
    });
    if (options.pauseMs > 0) void pause();
  }

  async function pause(): Promise<void> {
    isPausing = true;
    await deps.wait(options.pauseMs);
    isPausing = false;
    begin();
  }

  async function ask(group: readonly PendingLookup<Found>[]): Promise<void> {
    const askedAtMs = deps.monotonicMs();
    for (const lookup of group) {
      lookup.askedAtMs = askedAtMs;
      countWaiting(lookup.owner, -1);
    }
    try {
      const found = await deps.read(group.map(({ hash }) => hash));
      for (const { hash, resolve } of group) resolve({ found: found.get(hash), askedAtMs });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    for (const lookup of group) {
      if (lookups.get(lookup.hash) === lookup) lookups.delete(lookup.hash);
    }
  }

  function countWaiting(owner: string, change: 1 | -1): void {
    const count = (waitingByOwner.get(owner) ?? 0) + change;
    if (count === 0) waitingByOwner.delete(owner);
    else waitingByOwner.set(owner, count);
  }

  function isFull(owner: string): boolean {
    const { waitingMax, waitingPerOwnerMax } = options;
    return queue.size() >= waitingMax || (waitingByOwner.get(owner) ?? 0) >= waitingPerOwnerMax;
  }

  return {
    find(hash, owner) {
      const known = lookups.get(hash);
      if (known !== undefined && isFresh(known)) return known.answer;
      if (isFull(owner)) {
        return Promise.reject(refuse('RATE_LIMITED', { retryAfterSeconds: 1 }));
      }
      const lookup = createLookup<Found>(hash, owner);
      lookups.set(hash, lookup);
      queue.push(owner, lookup);
      countWaiting(owner, 1);
      // Requests that arrive together share the first statement too.
      setImmediate(begin);
      return lookup.answer;
    },
  };

  function isFresh({ askedAtMs }: PendingLookup<Found>): boolean {
    return askedAtMs === undefined || deps.monotonicMs() - askedAtMs <= options.freshMs;
  }
}

function createLookup<Found>(hash: string, owner: string): PendingLookup<Found> {
  const { promise, resolve, reject } = Promise.withResolvers<Lookup<Found>>();
  return { hash, owner, askedAtMs: undefined, resolve, reject, answer: promise };
}
