import { randomFillSync, randomUUID } from 'node:crypto';
import { createControlSnapshots } from '../src/controls/control-snapshots.ts';
import type { Book } from '../src/domain/book.ts';
import type { NameMatch } from '../src/domain/name-match.ts';
import { Refusal } from '../src/domain/refusal.ts';
import type { Transfer, TransferCommand } from '../src/domain/transfer.ts';
import { createUuidV7Source } from '../src/domain/uuid.ts';
import type { RouteLimiter } from '../src/operators/limits/route-limiter.ts';
import { isFaultOfOneCommand } from '../src/postgres/bad-command.ts';
import { createCommitQueue } from '../src/postgres/commit-queue.ts';
import type { Database } from '../src/postgres/database.ts';
import { commitTransfers } from '../src/transfers/accept/commit-transfers.ts';
import type { AcceptResult } from '../src/transfers/accept/decide-in-order.ts';
import { initiateTransfer } from '../src/transfers/accept/initiate-transfer.ts';
import {
  FROM_KEY,
  type Origin,
  type PreparedTransfer,
} from '../src/transfers/accept/prepared-transfer.ts';
import { scriptRoute } from './fake-route.ts';
import { prepareTransfer } from './stored-transfer.ts';

/** A key that no person made. */
const KEY = 'key:019a0000-0000-7000-8000-00000000000a';

type Order = Readonly<{ walletId: string; actor?: string; origin?: Partial<Origin> }> &
  Partial<TransferCommand>;

/** What became of an order: the transfer, or the refusal. */
export type Paid = Transfer | Refusal;

export type PayingProcess = Readonly<{
  leaseOwner: string;
  pay(book: Book, order: Order): Promise<Paid>;
  dispatched: readonly Transfer[];
  limiter: RouteLimiter;
}>;

/** What one process of the service does with orders, on a database of a test. Nothing is sent. */
export function createPayingProcess(
  database: Database,
  {
    nameMatch = null,
    clock = Date.now,
  }: Readonly<{ nameMatch?: NameMatch | null; clock?: () => number }> = {},
): PayingProcess {
  const dispatched: Transfer[] = [];
  const leaseOwner = randomUUID();
  const controls = createControlSnapshots({ database });
  const now = () => new Date(clock());
  const { routes, limiter } = scriptRoute({ slotsMax: 1_000 });
  const groups = createCommitQueue<PreparedTransfer, AcceptResult>({
    ownerOf: ({ book }) => book.id,
    concurrency: 2,
    groupMax: 8,
    waitingMax: 1_000,
    commit: (group) => commitTransfers({ database, leaseOwner, now, controls }, group),
    mayBeOneCommandsFault: isFaultOfOneCommand,
    monotonicMs: () => performance.now(),
  });
  const deps = {
    database,
    groups,
    controls,
    matchName: () => Promise.resolve(nameMatch),
    routes,
    dispatch: (transfer: Transfer) => void dispatched.push(transfer),
    newId: createUuidV7Source(clock, randomFillSync),
    now,
    monotonicMs: () => performance.now(),
  };
  return {
    leaseOwner,
    dispatched,
    limiter,
    async pay(book, { actor = KEY, origin = {}, ...order }) {
      const { command } = prepareTransfer(book, order);
      const request = { book, actor, origin: { ...FROM_KEY, ...origin }, command };
      try {
        return (await initiateTransfer(deps, request)).transfer;
      } catch (error) {
        if (error instanceof Refusal) return error;
        throw error;
      }
    },
  };
}

export function isAccepted(paid: Paid): paid is Transfer {
  return !(paid instanceof Refusal);
}
