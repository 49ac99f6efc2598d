import { randomUUID } from 'node:crypto';
import { FIRST_CELL } from '../src/cells/cell.ts';
import { createDispatcher } from '../src/dispatcher/dispatcher.ts';
import { createScanner } from '../src/dispatcher/scanner.ts';
import type { Transfer } from '../src/domain/transfer.ts';
import { createCommitQueue } from '../src/postgres/commit-queue.ts';
import { createLogger } from '../src/telemetry/logger.ts';
import { startLease } from '../src/transfers/move/lease.ts';
import { type Move, moveTransfers } from '../src/transfers/move/move-transfers.ts';
import type { Recorded } from '../src/transfers/move/record-outcome.ts';
import type { FakeRoute } from './fake-route.ts';
import type { TestDatabase } from './test-database.ts';

type Commit = (moves: readonly Move[]) => Promise<readonly boolean[]>;

type Options = Readonly<{
  monotonicMs?: () => number;
  /** Pauses between attempts. By default there are none. */
  wait?: (ms: number) => Promise<void>;
  /** Every commit of moves goes through it. */
  around?: (commit: Commit) => Commit;
}>;

/** The dispatcher and the scanner of one process, with their own lease owner. The scanner is not started. */
export function createDispatchProcess(
  { database }: Pick<TestDatabase, 'database'>,
  operator: FakeRoute,
  options: Options = {},
) {
  const { monotonicMs = () => performance.now(), around = (commit) => commit } = options;
  const leaseOwner = randomUUID();
  const recorded: Recorded[] = [];
  const moves = createCommitQueue<Move, boolean>({
    ownerOf: ({ transfer }) => transfer.bookId,
    concurrency: 1,
    groupMax: 100,
    waitingMax: 1_000,
    commit: around((group) =>
      moveTransfers(database, { moves: group, mover: leaseOwner, at: new Date() }),
    ),
    mayBeOneCommandsFault: () => false,
    monotonicMs,
  });
  const deps = {
    database,
    moves,
    now: () => new Date(),
    newId: () => randomUUID(),
    routes: operator.routes,
    logger: createLogger({ level: 'silent' }),
    monotonicMs,
    wait: options.wait ?? (() => Promise.resolve()),
    random: Math.random,
    observe: (seen: { recorded: Recorded }) => void recorded.push(seen.recorded),
  };
  const dispatcher = createDispatcher(deps);
  const scanner = createScanner({ ...deps, dispatcher, leaseOwner });
  /** Takes the slot of a stored transfer, as accepting it does, and sends it. */
  const dispatch = (transfer: Transfer) => {
    operator.limiter.holdClaimed(transfer.bookId, FIRST_CELL).use();
    dispatcher.submit(transfer, startLease(deps));
  };
  return { leaseOwner, recorded, dispatcher, scanner, dispatch, deps };
}
