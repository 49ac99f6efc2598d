import type { Database, Queryable, Statement } from '../service/src/postgres/database.ts';
import type { Decision } from '../service/src/transfers/decide-in-order.ts';
import type { AcceptedTransfer } from '../service/src/transfers/prepared-transfer.ts';
import {
  acceptTransfer,
  type PreparedTransfer,
} from '../service/src/transfers/prepared-transfer.ts';

export type PerRequestDeps = Readonly<{ database: Database; leaseOwner: string; now: () => Date }>;

type WalletRow = {
  currency: string;
  status: string;
  available_minor: bigint;
  held_minor: bigint;
  posting_seq: bigint;
};

/**
 * The usual way: a transaction for each transfer, its wallet locked from the first statement to the
 * commit. It writes the same rows as the service. Statements are prepared, and the posting and the
 * balance share one; nothing is asked that the insert itself would tell.
 */
export async function commitOne(
  deps: PerRequestDeps,
  prepared: PreparedTransfer,
): Promise<Decision> {
  const accepted = acceptTransfer(prepared, deps.now());
  await deps.database.transaction(async (tx) => {
    const { transfer } = accepted;
    const [wallet] = await tx.query<WalletRow>(LOCK, [transfer.bookId, transfer.walletId]);
    refuseUnfit(wallet, accepted);
    await insertTransfer(tx, accepted, deps.leaseOwner);
    await tx.query(HOLD, [
      transfer.bookId,
      transfer.walletId,
      transfer.amountMinor + transfer.feeMinor,
      transfer.id,
      transfer.createdAt,
    ]);
    await tx.query(NOTE, [
      transfer.bookId,
      transfer.id,
      transfer.state,
      accepted.actor,
      transfer.createdAt,
    ]);
  });
  return { kind: 'accepted', transfer: accepted.transfer };
}

/** The bench never comes here: a run with a refusal is no result. */
function refuseUnfit(wallet: WalletRow | undefined, { transfer }: AcceptedTransfer): void {
  const fits =
    wallet !== undefined &&
    wallet.status === 'active' &&
    wallet.currency === transfer.currency &&
    wallet.available_minor >= transfer.amountMinor + transfer.feeMinor;
  if (!fits) throw new Error('the wallet cannot pay this transfer');
}

async function insertTransfer(
  tx: Queryable,
  { transfer, idempotencyKey, nextActionInMs }: AcceptedTransfer,
  leaseOwner: string,
): Promise<void> {
  await tx.query(INSERT, [
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
  ]);
}

const LOCK: Statement = {
  name: 'lock-wallet',
  text: `
    select currency, status, available_minor, held_minor, posting_seq
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
    insert into events (book_id, subject_id, seq, type, to_state, cause, actor, created_at)
    values ($1, $2, 1, 'transfer.created', $3, 'accepted', $4, $5)`,
};
