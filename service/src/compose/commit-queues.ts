import type { ControlSnapshots } from '../controls/control-snapshots.ts';
import { isFaultOfOneCommand } from '../postgres/bad-command.ts';
import { type CommitQueue, createCommitQueue } from '../postgres/commit-queue.ts';
import { type Database } from '../postgres/database.ts';
import { retryConflicts } from '../postgres/retry-conflicts.ts';
import { commitTransfers } from '../transfers/accept/commit-transfers.ts';
import type { AcceptResult } from '../transfers/accept/decide-in-order.ts';
import {
  findBlockedInitiations,
  findBlockedMoves,
  isLockTimeout,
  keysOfInitiation,
  keysOfMove,
} from '../transfers/accept/find-blocked-commands.ts';
import { needsBookLock } from '../transfers/accept/lock-books.ts';
import type { PreparedTransfer } from '../transfers/accept/prepared-transfer.ts';
import {
  type NewCallback,
  type StoredCallback,
  storeAndTake,
} from '../transfers/callbacks/store-callbacks.ts';
import { inquiriesFree } from '../transfers/callbacks/take-for-inquiry.ts';
import { type Move, moveTransfers } from '../transfers/move/move-transfers.ts';
import {
  type DeliveryAttempt,
  type RecordedAttempt,
  recordAttempts,
} from '../webhooks/record-attempts.ts';
import type { CellRuntime } from './cell-runtime.ts';

const INITIATE_CONCURRENCY = 1;
const MOVE_CONCURRENCY = 1;
const ATTEMPT_CONCURRENCY = 1;
const CALLBACK_CONCURRENCY = 1;
/** A whole bulk request fits into one group. */
const GROUP_MAX = 1_024;
/**
 * Orders of one book that may wait for a commit: four bulk calls. More are refused at once. A merchant's test book cannot
 * take the place of its live payouts.
 */
export const INITIATIONS_OF_BOOK_WAITING_MAX = 4_096;
/** Of all books: as much as the two of a merchant, and room for others, so that a merchant alone cannot fill it. */
const INITIATIONS_WAITING_MAX = 2 * INITIATIONS_OF_BOOK_WAITING_MAX + 2_048;
/** No person waits for callbacks and webhook attempts, so they gather for a few milliseconds and share commits. */
const GATHER_MS = 5;
/** More than there are slots, so that an operator's answer is never refused. */
const MOVES_WAITING_MAX = 100_000;
/** More than the sender has under way. */
const ATTEMPTS_WAITING_MAX = 10_000;
/**
 * Callbacks that may wait, 16 KiB each at most where no other limit counts their bytes. An operator whose callback is
 * refused sends it again, or the next inquiry finds the result.
 */
const CALLBACKS_WAITING_MAX = 2_000;

/** How many locked wallets are waited for at the same time; each uses a separate connection meanwhile. */
const BLOCKED_CONCURRENCY = 4;
/** Initiations that may wait for locked wallets, each with a bulk request; more would only occupy slots. */
const INITIATIONS_BLOCKED_MAX = 2 * GROUP_MAX;

/** The queues in which writes wait for the next commit, one for each kind of work. */
export type CommitQueues = Readonly<{
  initiations: CommitQueue<PreparedTransfer, AcceptResult>;
  moves: CommitQueue<Move, boolean>;
  attempts: CommitQueue<DeliveryAttempt, RecordedAttempt>;
  callbacks: CommitQueue<NewCallback, StoredCallback>;
}>;

type QueueDeps = Pick<
  CellRuntime,
  | 'writes'
  | 'groupWrites'
  | 'leaseOwner'
  | 'now'
  | 'monotonicMs'
  | 'metrics'
  | 'config'
  | 'wait'
  | 'turns'
  | 'routes'
>;

export function createCommitQueues(
  runtime: QueueDeps,
  controls: ControlSnapshots,
  /** Called after each commit that may have written events. */
  onCommitted: () => void,
): CommitQueues {
  const {
    writes,
    groupWrites,
    leaseOwner,
    now,
    monotonicMs,
    metrics,
    config,
    wait,
    turns,
    routes,
  } = runtime;
  const retried = <T>(commit: () => Promise<T>) =>
    retryConflicts({ wait, random: Math.random }, commit);
  const announced = async <T>(commit: Promise<T>): Promise<T> => {
    const committed = await commit;
    onCommitted();
    return committed;
  };
  const initiateBy = (database: Database) => (group: readonly PreparedTransfer[]) =>
    announced(retried(() => commitTransfers({ database, leaseOwner, now, controls }, group)));
  const moveBy = (database: Database) => (moves: readonly Move[]) =>
    announced(retried(() => moveTransfers(database, { moves, mover: leaseOwner, at: now() })));
  const createInitiations = () =>
    createCommitQueue<PreparedTransfer, AcceptResult>({
      ownerOf: ({ book }) => book.id,
      turns,
      concurrency: INITIATE_CONCURRENCY,
      groupMax: GROUP_MAX,
      waitingMax: INITIATIONS_WAITING_MAX,
      waitingOfOwnerMax: INITIATIONS_OF_BOOK_WAITING_MAX,
      commit: initiateBy(groupWrites),
      mayBeOneCommandsFault: isFaultOfOneCommand,
      blocking: {
        keysOf: keysOfInitiation,
        isBlocked: isLockTimeout,
        find: (group) => findBlockedInitiations(writes, group),
        commit: initiateBy(writes),
        concurrency: BLOCKED_CONCURRENCY,
        waitingPerKeyMax: GROUP_MAX,
        waitingMax: INITIATIONS_BLOCKED_MAX,
      },
      observe: metrics.commitQueue('initiate'),
      monotonicMs,
    });
  return {
    initiations: chooseQueue(createInitiations(), createInitiations()),
    moves: createCommitQueue<Move, boolean>({
      ownerOf: ({ transfer }) => transfer.bookId,
      concurrency: MOVE_CONCURRENCY,
      groupMax: GROUP_MAX,
      waitingMax: MOVES_WAITING_MAX,
      commit: moveBy(groupWrites),
      mayBeOneCommandsFault: isFaultOfOneCommand,
      blocking: {
        keysOf: keysOfMove,
        isBlocked: isLockTimeout,
        find: (moves) => findBlockedMoves(writes, moves),
        commit: moveBy(writes),
        concurrency: BLOCKED_CONCURRENCY,
        // A move that is refused is retried by itself.
        waitingPerKeyMax: GROUP_MAX,
        waitingMax: MOVES_WAITING_MAX,
      },
      observe: metrics.commitQueue('move'),
      monotonicMs,
    }),
    attempts: createCommitQueue<DeliveryAttempt, RecordedAttempt>({
      ownerOf: ({ delivery }) => delivery.endpointId,
      concurrency: ATTEMPT_CONCURRENCY,
      groupMax: GROUP_MAX,
      waitingMax: ATTEMPTS_WAITING_MAX,
      gatherMs: GATHER_MS,
      commit: (attempts) => {
        const deps = { database: writes, leaseOwner, now, timeScale: config.webhookTimeScale };
        return retried(() => recordAttempts(deps, attempts));
      },
      mayBeOneCommandsFault: isFaultOfOneCommand,
      observe: metrics.commitQueue('attempt'),
      monotonicMs,
    }),
    callbacks: createCommitQueue<NewCallback, StoredCallback>({
      ownerOf: ({ route }) => route,
      concurrency: CALLBACK_CONCURRENCY,
      groupMax: GROUP_MAX,
      waitingMax: CALLBACKS_WAITING_MAX,
      gatherMs: GATHER_MS,
      commit: (callbacks) =>
        retried(() =>
          storeAndTake(writes, callbacks, { leaseOwner, inquiriesFree: inquiriesFree(routes) }),
        ),
      mayBeOneCommandsFault: isFaultOfOneCommand,
      observe: metrics.commitQueue('callback'),
      monotonicMs,
    }),
  };
}

/**
 * Orders of books whose policies must know the past wait by themselves: they are decided one by one under the lock of
 * their book, and a group that they were part of would be slow for all others.
 */
function chooseQueue(
  plain: CommitQueues['initiations'],
  counted: CommitQueues['initiations'],
): CommitQueues['initiations'] {
  return {
    submit: (prepared) => (needsBookLock(prepared) ? counted : plain).submit(prepared),
    submitMany: (many) => (many.some(needsBookLock) ? counted : plain).submitMany(many),
    waiting: () => plain.waiting() + counted.waiting(),
    idle: async () => {
      await Promise.all([plain.idle(), counted.idle()]);
    },
  };
}
