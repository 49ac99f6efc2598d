import { refuse } from '../../domain/refusal.ts';
import { createFairQueue } from '../../postgres/fair-queue.ts';
import { afterOpening } from './after-opening.ts';
import { OwnerCounts } from './owner-counts.ts';

export type QueueRule = Readonly<{
  /** Calls of a cell that are worked on at once. */
  atOnceMax: number;
  /** Of one owner. */
  ofOwnerMax: number;
  /** A call that waits longer for its turn is refused. */
  waitMaxMs: number;
}>;

/**
 * Calls that read a whole page. A page of 100 rows takes some milliseconds of the database and of this process: four
 * keep both busy, and other work waits for four pages at most. One owner gets three, so that a page that takes long
 * leaves a place for others.
 */
export const PAGES: QueueRule = { atOnceMax: 4, ofOwnerMax: 3, waitMaxMs: 30_000 };

/**
 * Calls of a book that change something other than payouts. Each may keep one of the readers for 5 seconds while it waits
 * for a locked row, so one owner gets 2. All together get more than there are readers, because some take seconds without
 * one: a file of 50,000 rows that is submitted must not hold up the approvals of others. They wait for their turn as long as
 * they would for a connection.
 */
export const WRITES: QueueRule = { atOnceMax: 16, ofOwnerMax: 2, waitMaxMs: 5_000 };

/**
 * Uploads that are being stored. Those of a book lock it one after the other, so more than one of an owner would only keep
 * readers waiting. On a pay day many wait: a minute is enough for hundreds.
 */
export const UPLOADS: QueueRule = { atOnceMax: 4, ofOwnerMax: 1, waitMaxMs: 60_000 };

/**
 * As many as an owner may have under way (concurrency-limit.ts). A client that disconnects gives its place there up, and
 * its call still waits here.
 */
const WAITING_OF_OWNER_MAX = 1_024;

export type QueuedCall = Readonly<{
  /** Never rejects. */
  work(): Promise<void>;
  /** Called instead of `work` if it has waited too long, or too many of its owner wait. */
  refuse(code: 'UNAVAILABLE' | 'RATE_LIMITED'): void;
}>;

/** `call` is undefined once it has begun or is refused. */
type WaitingCall = { readonly owner: string; call: QueuedCall | undefined };

/**
 * Runs calls with bounded concurrency; owners take turns. An owner that makes such calls as fast as it can delays
 * only its own: not those of others, and no payouts.
 */
export class CallQueue {
  readonly #rule: QueueRule;
  readonly #isOpening: () => boolean;
  readonly #waiting = createFairQueue<WaitingCall>();
  readonly #waitingOf = new OwnerCounts();
  readonly #atOnceOf = new OwnerCounts();
  #atOnce = 0;

  /** `isOpening`: whether a connection was opened within the last milliseconds. */
  constructor(rule: QueueRule, isOpening: () => boolean) {
    this.#rule = rule;
    this.#isOpening = isOpening;
  }

  run(owner: string, call: QueuedCall): void {
    if (this.#waitingOf.get(owner) >= WAITING_OF_OWNER_MAX) {
      call.refuse('RATE_LIMITED');
      return;
    }
    const waiting: WaitingCall = { owner, call };
    this.#waiting.push(owner, waiting);
    this.#waitingOf.add(owner, 1);
    this.#fill();
    if (waiting.call === undefined) return;
    const refuseIfWaiting = () => {
      waiting.call?.refuse('UNAVAILABLE');
      waiting.call = undefined;
    };
    setTimeout(refuseIfWaiting, this.#rule.waitMaxMs).unref();
  }

  /** Resolves to what `work` does in its turn; rejects with a refusal if it has waited too long, or too many wait. */
  inTurn<T>(owner: string, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.run(owner, {
        async work() {
          try {
            resolve(await work());
          } catch (error) {
            reject(error);
          }
        },
        refuse: (code) => reject(refuse(code)),
      });
    });
  }

  #fill(): void {
    while (this.#atOnce < this.#rule.atOnceMax) {
      const waiting = this.#waiting.takeOne((owner) => this.#mayBegin(owner));
      if (waiting === undefined) return;
      const { owner, call } = waiting;
      this.#waitingOf.add(owner, -1);
      if (call === undefined) continue;
      waiting.call = undefined;
      this.#count(owner, 1);
      // Other work runs between two calls.
      void call.work().finally(() => afterOpening(this.#isOpening, () => this.#leave(owner)));
    }
  }

  #mayBegin(owner: string): boolean {
    return this.#atOnceOf.get(owner) < this.#rule.ofOwnerMax;
  }

  #leave(owner: string): void {
    this.#count(owner, -1);
    this.#fill();
  }

  #count(owner: string, change: number): void {
    this.#atOnce += change;
    this.#atOnceOf.add(owner, change);
  }
}

/** A queue for each cell, so that a cell that hangs holds up no call of another. What is of no book has one too. */
export class CallQueues {
  readonly #rule: QueueRule;
  readonly #isOpening: () => boolean;
  readonly #queues = new Map<string | undefined, CallQueue>();

  constructor(rule: QueueRule, isOpening: () => boolean) {
    this.#rule = rule;
    this.#isOpening = isOpening;
  }

  of(cell: string | undefined): CallQueue {
    const known = this.#queues.get(cell);
    if (known !== undefined) return known;
    const added = new CallQueue(this.#rule, this.#isOpening);
    this.#queues.set(cell, added);
    return added;
  }
}
