import type { Pool } from 'pg';
import { recordEvents } from '../../service/src/events/record-events.ts';
import type { Statement } from '../../service/src/postgres/database.ts';
import type { AcceptResult } from '../../service/src/transfers/accept/decide-in-order.ts';
import type { AcceptedTransfer } from '../../service/src/transfers/accept/prepared-transfer.ts';
import {
  acceptTransfer,
  type PreparedTransfer,
} from '../../service/src/transfers/accept/prepared-transfer.ts';

export type PerRequestDeps = Readonly<{ pool: Pool; leaseOwner: string; now: () => Date }>;

/**
 * The usual design: a transaction for each transfer, its wallet locked from the first statement to the commit. It
 * writes the same rows as the service. Statements are prepared. Statements that do not need an answer are sent
 * without waiting for one, so that the lock is held for two round trips, not six.
 */
export async function commitOne(
  deps: PerRequestDeps,
  prepared: PreparedTransfer,
): Promise<AcceptResult> {
  const accepted = acceptTransfer(prepared, deps.now());
  const client = await deps.pool.connect();
  const query = (statement: Statement, values: unknown[]) =>
    client.query<{ fits: boolean }>({ ...statement, values });
  try {
    const [, wallet] = await Promise.all([query(BEGIN, []), query(LOCK, lockValues(accepted))]);
    // Not reached in a valid run: a run with a refusal has no result.
    if (wallet.rows[0]?.fits !== true) throw new Error('the wallet cannot pay this transfer');
    await Promise.all([
      query(INSERT, transferValues(accepted, deps.leaseOwner)),
      query(HOLD, holdValues(accepted)),
      query(NOTE, eventValues(accepted)),
      query(COMMIT, []),
    ]);
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
  return { kind: 'accepted', transfer: accepted.transfer };
}

function lockValues({ transfer }: AcceptedTransfer): unknown[] {
  const { bookId, walletId, amountMinor, feeMinor, currency } = transfer;
  return [bookId, walletId, amountMinor + feeMinor, currency];
}

function transferValues(
  { transfer, idempotencyKey, nextActionInMs }: AcceptedTransfer,
  leaseOwner: string,
): unknown[] {
  return [
    transfer.bookId,
    transfer.id,
    transfer.walletId,
    transfer.reference,
    idempotencyKey,
    transfer.state,
    transfer.amountMinor,
    transfer.feeMinor,
    transfer.currency,
    transfer.phone,
    transfer.operator,
    transfer.country,
    transfer.recipientName,
    transfer.narration,
    transfer.operatorReference,
    leaseOwner,
    nextActionInMs,
    transfer.createdAt,
  ];
}

function holdValues({ transfer }: AcceptedTransfer): unknown[] {
  const { bookId, walletId, amountMinor, feeMinor, id, createdAt } = transfer;
  return [bookId, walletId, amountMinor + feeMinor, id, createdAt];
}

function eventValues({ transfer, actor }: AcceptedTransfer): unknown[] {
  return [transfer.bookId, transfer.id, transfer.state, actor, transfer.createdAt];
}

const BEGIN: Statement = { name: '', text: 'begin' };
const COMMIT: Statement = { name: '', text: 'commit' };

const LOCK: Statement = {
  name: 'lock-wallet',
  text: `
    select available_minor >= $3 and status = 'active' and currency = $4 as fits
    from wallets
    where book_id = $1 and id = $2
    for update`,
};

const INSERT: Statement = {
  name: 'insert-transfer',
  text: `
    insert into transfers (
      book_id, id, wallet_id, reference, idempotency_key, state, amount_minor, fee_minor, currency,
      phone, operator, country, recipient_name, narration, operator_reference, event_seq,
      lease_owner, next_action_at, created_at, updated_at
    ) values (
      $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 1, $16,
      now() + $17::integer * interval '1 ms', $18, $18
    )`,
};

const HOLD: Statement = {
  name: 'hold-funds',
  text: `
    with held as (
      update wallets
      set available_minor = available_minor - $3::bigint,
          held_minor = held_minor + $3::bigint,
          posting_seq = posting_seq + 1,
          day_total_minor =
            case when day = (now() at time zone 'utc')::date then day_total_minor else 0 end
            + $3::bigint,
          day = (now() at time zone 'utc')::date
      where book_id = $1 and id = $2
      returning book_id, id, currency, posting_seq, available_minor, held_minor
    )
    insert into postings (
      book_id, wallet_id, seq, kind, from_account, to_account, amount_minor, currency, transfer_id,
      available_after_minor, held_after_minor, created_at
    )
    select book_id, id, posting_seq, 'hold', 'available', 'held', $3::bigint, currency, $4,
           available_minor, held_minor, $5
    from held`,
};

const NOTE: Statement = {
  name: 'note-event',
  text: `
    with ${recordEvents(
      `values ($1, $2, 1, 'transfer.created', null, $3, 'accepted', $4, $5, true)`,
    )}
    select 1 from recorded`,
};
