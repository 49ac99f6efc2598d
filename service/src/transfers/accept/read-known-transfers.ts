import type { Currency } from '../../domain/money.ts';
import type { Transfer } from '../../domain/transfer.ts';
import type { TransferState } from '../../domain/transfer-state.ts';
import { LOCK_WALLETS } from '../../ledger/wallet-legs.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { TRANSFER_COLUMNS, type TransferRow, toTransfer } from '../read/transfer-row.ts';
import { inBook, type KnownTransfer, type KnownTransfers } from './decide-in-order.ts';
import type { PreparedTransfer } from './prepared-transfer.ts';

type WalletRow = {
  book_id: string;
  wallet_id: string;
  currency: Currency;
  status: 'active' | 'frozen';
  available_minor: bigint;
  left_today_minor: bigint | null;
  controls_version: number | null;
};

type KnownRow = TransferRow & { idempotency_key: string | null; first_state: TransferState };

/** Locks the group's wallets, then reads what the decisions depend on. All wallets of a book have the version of its controls. */
export async function readKnownTransfers(
  tx: Queryable,
  group: readonly Pick<PreparedTransfer, 'book' | 'command'>[],
): Promise<
  Readonly<{ knowledge: KnownTransfers; controlsVersions: ReadonlyMap<string, number | null> }>
> {
  const books = group.map(({ book }) => book.id);
  const wallets = await tx.query<WalletRow>(LOCK, [books, group.map((p) => p.command.walletId)]);
  // A second statement, so that its snapshot is taken after the locks.
  const known = await tx.query<KnownRow>(FIND_KNOWN, [
    books,
    group.map(({ command }) => command.reference),
    group.map(({ command }) => command.idempotencyKey),
  ]);
  const modes = new Map(group.map(({ book }) => [book.id, book.mode]));
  const knowledge: KnownTransfers = {
    wallets: new Map(
      wallets.map((row) => [
        inBook(row.book_id, row.wallet_id),
        {
          currency: row.currency,
          status: row.status,
          availableMinor: row.available_minor,
          leftTodayMinor: row.left_today_minor,
        },
      ]),
    ),
    byReference: new Map(),
    byIdempotencyKey: new Map(),
  };
  for (const row of known) {
    const current = toTransfer(row, modes.get(row.book_id) ?? 'test');
    const entry: KnownTransfer = { current, original: asFirstAnswered(current, row.first_state) };
    knowledge.byReference.set(inBook(row.book_id, row.reference), entry);
    if (row.idempotency_key !== null) {
      knowledge.byIdempotencyKey.set(inBook(row.book_id, row.idempotency_key), entry);
    }
  }
  const controlsVersions = new Map(wallets.map((row) => [row.book_id, row.controls_version]));
  return { knowledge, controlsVersions };
}

/**
 * A response that repeats an earlier one must not be less durable than that one was. With a synchronous standby, a
 * commit that is visible here may not have reached the standby yet. A write makes this commit wait for it too.
 */
export async function proveDurable(tx: Queryable): Promise<void> {
  await tx.query(EMIT);
}

function asFirstAnswered(transfer: Transfer, firstState: TransferState): Transfer {
  return {
    ...transfer,
    state: firstState,
    updatedAt: transfer.createdAt,
    operatorTransactionId: null,
    failureCode: null,
    completedAt: null,
    inDoubtSince: null,
    doubtKind: null,
    doubtMs: null,
    sinceDoubtMs: null,
    sincePendingMs: null,
    lastCheckedAt: null,
    nextActionAt: null,
  };
}

const LOCK: Statement = {
  name: 'lock-wallets',
  text: `
    with touched as (
      select distinct book_id, wallet_id from unnest($1::uuid[], $2::uuid[]) as t (book_id, wallet_id)
    ),
    ${LOCK_WALLETS}
    select book_id, wallet_id, currency, status, available_minor,
           daily_limit_minor - day_total_minor as left_today_minor, controls_version
    from locked`,
};

const FIND_KNOWN: Statement = {
  name: 'find-known-transfers',
  text: `
    with wanted as (
      select distinct book_id, reference, idempotency_key
      from unnest($1::uuid[], $2::text[], $3::text[]) as t (book_id, reference, idempotency_key)
    ),
    found as (
      select t.book_id, t.id from transfers t
      join wanted w on w.book_id = t.book_id and w.reference = t.reference
      union
      select t.book_id, t.id from transfers t
      join wanted w on w.book_id = t.book_id and w.idempotency_key = t.idempotency_key
    )
    select ${TRANSFER_COLUMNS}, t.idempotency_key, e.to_state as first_state
    from found f
    join transfers t on t.book_id = f.book_id and t.id = f.id
    join events e on e.book_id = t.book_id and e.subject_id = t.id and e.seq = 1`,
};

const EMIT: Statement = {
  name: 'prove-durable',
  text: `select pg_logical_emit_message(true, 'kafue', '')`,
};
