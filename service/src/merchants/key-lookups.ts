import { refuse } from '../domain/refusal.ts';
import { createFairQueue } from '../postgres/fair-queue.ts';
import type { LiveKey } from './read-live-keys.ts';

/** Keys that one statement looks up: a few milliseconds of an index. */
const KEYS_PER_STATEMENT_MAX = 256;
/** One may be slow or lost with its connection; the next then still gets through. */
const STATEMENTS_UNDER_WAY_MAX = 2;

/** What the database said, and when it was asked. */
export type Lookup = Readonly<{ found: LiveKey | undefined; askedAtMs: number }>;

export type KeyLookups = Readonly<{
  /**
   * Joins a question about the same key that waits or was just asked. Refuses with RATE_LIMITED when
   * too many keys wait, of this owner or in all.
   */
  find(hash: string, owner: string): Promise<Lookup>;
}>;

type LookupDeps = Readonly<{
  readLiveKeys: (hashes: readonly string[]) => Promise<ReadonlyMap<string, LiveKey>>;
  monotonicMs: () => number;
  wait: (ms: number) => Promise<void>;
}>;

type LookupOptions = Readonly<{
  /** An answer to a question that was asked longer ago is not believed: the key is asked for anew. */
  freshMs: number;
  /** From the beginning of one statement to that of the next; the first after a quiet time begins at once. */
  pauseMs: number;
  waitingMax: number;
  waitingPerOwnerMax: number;
}>;

type Question = {
  readonly hash: string;
  readonly owner: string;
  /** Undefined while it waits. */
  askedAtMs: number | undefined;
  resolve: (lookup: Lookup) => void;
  reject: (error: unknown) => void;
  answer: Promise<Lookup>;
};

/**
 * Looks keys up in groups, at a bounded pace, owners taking turns. However many keys are invented, the
 * database sees a few statements a second, and a key that exists waits for one or two of them.
 */
export function createKeyLookups(deps: LookupDeps, options: LookupOptions): KeyLookups {
  const queue = createFairQueue<Question>();
  const questions = new Map<string, Question>();
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

  async function ask(group: readonly Question[]): Promise<void> {
    const askedAtMs = deps.monotonicMs();
    for (const question of group) {
      question.askedAtMs = askedAtMs;
      countWaiting(question.owner, -1);
    }
    try {
      const found = await deps.readLiveKeys(group.map(({ hash }) => hash));
      for (const { hash, resolve } of group) resolve({ found: found.get(hash), askedAtMs });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    for (const question of group) {
      if (questions.get(question.hash) === question) questions.delete(question.hash);
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
      const known = questions.get(hash);
      if (known !== undefined && isFresh(known)) return known.answer;
      if (isFull(owner)) {
        return Promise.reject(refuse('RATE_LIMITED', { retryAfterSeconds: 1 }));
      }
      const question = createQuestion(hash, owner);
      questions.set(hash, question);
      queue.push(owner, question);
      countWaiting(owner, 1);
      // Requests that arrive together share the first statement too.
      setImmediate(begin);
      return question.answer;
    },
  };

  function isFresh({ askedAtMs }: Question): boolean {
    return askedAtMs === undefined || deps.monotonicMs() - askedAtMs <= options.freshMs;
  }
}

function createQuestion(hash: string, owner: string): Question {
  const { promise, resolve, reject } = Promise.withResolvers<Lookup>();
  return { hash, owner, askedAtMs: undefined, resolve, reject, answer: promise };
}
