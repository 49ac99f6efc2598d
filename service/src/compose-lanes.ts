import type { Ground } from './compose-ground.ts';
import { type Database, isDataFault } from './postgres/database.ts';
import { createGroupCommit, type GroupCommit } from './postgres/group-commit.ts';
import { retryConflicts } from './postgres/retry-conflicts.ts';
import { commitTransfers } from './transfers/commit-transfers.ts';
import type { Decision } from './transfers/decide-in-order.ts';
import {
  findHeldUpInitiations,
  findHeldUpMoves,
  isLockTimeout,
  keysOfInitiation,
  keysOfMove,
} from './transfers/find-hold-ups.ts';
import { type Move, moveTransfers } from './transfers/move-transfers.ts';
import type { PreparedTransfer } from './transfers/prepared-transfer.ts';
import { type NewCallback, storeCallbacks } from './transfers/store-callbacks.ts';
import {
  type DeliveryAttempt,
  type RecordedAttempt,
  recordAttempts,
} from './webhooks/record-attempts.ts';

const INITIATE_LANES = 1;
const MOVE_LANES = 1;
const ATTEMPT_LANES = 1;
const CALLBACK_LANES = 1;
/** A whole bulk call fits into one. */
const GROUP_MAX = 1_024;
/** Requests that may wait for a commit: about half a second's worth. The rest is refused at once. */
const INITIATIONS_WAITING_MAX = 4_096;
/** Whoever tells us something waits for our answer, but not for a person: few commits for many of them. */
const GATHER_MS = 5;
/** More than there are places, so that an operator's answer is never turned away. */
const MOVES_WAITING_MAX = 100_000;
/** More than the sender has under way. */
const ATTEMPTS_WAITING_MAX = 10_000;
/**
 * Callbacks that may wait, 16 KiB each at most where no other limit counts their bytes; an operator that
 * is turned away calls again, or is asked.
 */
const CALLBACKS_WAITING_MAX = 2_000;

/** Locked wallets whose commands are waited for at once; each has a connection of its own meanwhile. */
const HELD_UP_LANES = 4;
/** Initiations that may wait for locked wallets, each with a bulk call; more would only take up places. */
const INITIATIONS_HELD_UP_MAX = 2 * GROUP_MAX;

/** Where writes wait for the next commit, one for each kind of work. */
export type Lanes = Readonly<{
  initiations: GroupCommit<PreparedTransfer, Decision>;
  moves: GroupCommit<Move, boolean>;
  attempts: GroupCommit<DeliveryAttempt, RecordedAttempt>;
  callbacks: GroupCommit<NewCallback, boolean>;
}>;

export function openLanes(ground: Ground): Lanes {
  const { writes, groupWrites, leaseOwner, now, monotonicMs, metrics, config, wait } = ground;
  const retried = <T>(commit: () => Promise<T>) =>
    retryConflicts({ wait, random: Math.random }, commit);
  const initiateBy = (database: Database) => (group: readonly PreparedTransfer[]) =>
    retried(() => commitTransfers({ database, leaseOwner, now }, group));
  const moveBy = (database: Database) => (moves: readonly Move[]) =>
    retried(() => moveTransfers(database, { moves, mover: leaseOwner, at: now() }));
  return {
    initiations: createGroupCommit<PreparedTransfer, Decision>({
      ownerOf: ({ book }) => book.id,
      lanes: INITIATE_LANES,
      groupMax: GROUP_MAX,
      waitingMax: INITIATIONS_WAITING_MAX,
      commit: initiateBy(groupWrites),
      mayBeOneCommandsFault: isDataFault,
      holdUps: {
        keysOf: keysOfInitiation,
        isHeldUp: isLockTimeout,
        find: (group) => findHeldUpInitiations(writes, group),
        commit: initiateBy(writes),
        lanes: HELD_UP_LANES,
        waitingPerKeyMax: GROUP_MAX,
        waitingMax: INITIATIONS_HELD_UP_MAX,
      },
      observe: metrics.groupCommit('initiate'),
      monotonicMs,
    }),
    moves: createGroupCommit<Move, boolean>({
      ownerOf: ({ transfer }) => transfer.bookId,
      lanes: MOVE_LANES,
      groupMax: GROUP_MAX,
      waitingMax: MOVES_WAITING_MAX,
      commit: moveBy(groupWrites),
      mayBeOneCommandsFault: isDataFault,
      holdUps: {
        keysOf: keysOfMove,
        isHeldUp: isLockTimeout,
        find: (moves) => findHeldUpMoves(writes, moves),
        commit: moveBy(writes),
        lanes: HELD_UP_LANES,
        // A move that is turned away comes again by itself.
        waitingPerKeyMax: GROUP_MAX,
        waitingMax: MOVES_WAITING_MAX,
      },
      observe: metrics.groupCommit('move'),
      monotonicMs,
    }),
    attempts: createGroupCommit<DeliveryAttempt, RecordedAttempt>({
      ownerOf: ({ delivery }) => delivery.endpointId,
      lanes: ATTEMPT_LANES,
      groupMax: GROUP_MAX,
      waitingMax: ATTEMPTS_WAITING_MAX,
      gatherMs: GATHER_MS,
      commit: (attempts) => {
        const deps = { database: writes, leaseOwner, now, pace: config.webhookPace };
        return retried(() => recordAttempts(deps, attempts));
      },
      mayBeOneCommandsFault: isDataFault,
      observe: metrics.groupCommit('attempt'),
      monotonicMs,
    }),
    callbacks: createGroupCommit<NewCallback, boolean>({
      ownerOf: ({ route }) => route,
      lanes: CALLBACK_LANES,
      groupMax: GROUP_MAX,
      waitingMax: CALLBACKS_WAITING_MAX,
      gatherMs: GATHER_MS,
      commit: (callbacks) => retried(() => storeCallbacks(writes, callbacks)),
      mayBeOneCommandsFault: isDataFault,
      observe: metrics.groupCommit('callback'),
      monotonicMs,
    }),
  };
}
