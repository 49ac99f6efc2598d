import { randomFillSync, randomUUID } from 'node:crypto';
import { createControlSnapshots } from '../src/controls/control-snapshots.ts';
import type { Book } from '../src/domain/book.ts';
import type { Transfer, TransferCommand } from '../src/domain/transfer.ts';
import { createUuidV7Source } from '../src/domain/uuid.ts';
import { UNCOUNTED_SLOT } from '../src/operators/limits/slots.ts';
import type { Database } from '../src/postgres/database.ts';
import { commitTransfers } from '../src/transfers/accept/commit-transfers.ts';
import { FROM_KEY, type PreparedTransfer } from '../src/transfers/accept/prepared-transfer.ts';

export type PreparedOptions = Partial<TransferCommand> &
  Pick<TransferCommand, 'walletId'> & {
    feeMinor?: bigint;
    reserved?: boolean;
    route?: string;
  };

/** As in the service: windows of time find transfers by their ids, which begin with the time. */
const newId = createUuidV7Source(Date.now, (bytes) => randomFillSync(bytes));

/** A command as the HTTP server would pass it on, with defaults for what the test does not set. */
export function prepareTransfer(book: Book, options: PreparedOptions): PreparedTransfer {
  const { feeMinor = 0n, reserved = true, route = 'sandbox', ...command } = options;
  return {
    id: newId(),
    operatorReference: randomUUID(),
    book,
    actor: 'test',
    origin: FROM_KEY,
    command: {
      reference: randomUUID(),
      idempotencyKey: null,
      amountMinor: 100n,
      phone: '+260977433571',
      operator: 'airtel',
      country: 'zm',
      currency: 'ZMW',
      narration: null,
      recipientName: null,
      metadata: null,
      sendAt: null,
      ...command,
    },
    feeMinor,
    route,
    routeAccount: null,
    slot: reserved ? UNCOUNTED_SLOT : undefined,
    leaseStart: { monotonicMs: performance.now(), wallMs: Date.now() },
    closedForMs: 0,
    unroutable: null,
    controls: null,
    judged: null,
    nameMatch: null,
    sendAtProblem: null,
  };
}

/** Stores a transfer: submitting and leased to `leaseOwner`, or queued. */
export async function storeTestTransfer(
  database: Database,
  stored: Readonly<{ book: Book; leaseOwner: string } & PreparedOptions>,
): Promise<Transfer> {
  const { book, leaseOwner, ...options } = stored;
  const controls = createControlSnapshots({ database });
  const deps = { database, leaseOwner, now: () => new Date(), controls };
  const [decision] = await commitTransfers(deps, [prepareTransfer(book, options)]);
  if (decision?.kind !== 'accepted') throw new Error('the test transfer was not accepted');
  return decision.transfer;
}
