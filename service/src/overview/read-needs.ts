import type { Currency } from '../domain/money.ts';
import type { TransferState } from '../domain/transfer-state.ts';
import type { Wallet } from '../ledger/read-wallets.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

const WALLETS_MAX = 100;
/** Counts stop here: a backlog of millions must not make a page slow. */
const UNFINISHED_COUNTED_MAX = 100_000;
const ENDPOINTS_MAX = 10;

export type WalletNow = Wallet & Readonly<{ name: string; lowBalanceMinor: bigint | null }>;

/** The money held for unfinished transfers of one wallet in one state. */
export type HeldFunds = Readonly<{
  walletId: string;
  currency: Currency;
  state: TransferState;
  count: number;
  sumMinor: bigint;
}>;

export async function readWalletsNow(
  database: Queryable,
  bookId: string,
): Promise<readonly WalletNow[]> {
  const rows = await database.query<WalletRow>(WALLETS, [bookId, WALLETS_MAX]);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    currency: row.currency,
    availableMinor: row.available_minor,
    heldMinor: row.held_minor,
    status: row.status,
    lowBalanceMinor: row.low_balance_minor,
  }));
}

export async function readHeld(database: Queryable, bookId: string): Promise<readonly HeldFunds[]> {
  const rows = await database.query<HeldRow>(HELD, [bookId, UNFINISHED_COUNTED_MAX]);
  return rows.map(({ wallet_id: walletId, currency, state, count, sum }) => ({
    walletId,
    currency,
    state,
    count,
    sumMinor: BigInt(sum),
  }));
}

/** How many endpoints of the book are disabled or have had no successful delivery for a while. */
export async function countFailingEndpoints(database: Queryable, bookId: string): Promise<number> {
  const rows = await database.query(FAILING, [bookId, ENDPOINTS_MAX]);
  return rows.length;
}

/** Payout files that wait for approval, in one currency. Their payouts hold nothing yet. */
export type AwaitingFiles = Readonly<{ currency: Currency; count: number; sumMinor: bigint }>;

export async function readAwaitingFiles(
  database: Queryable,
  bookId: string,
): Promise<readonly AwaitingFiles[]> {
  const rows = await database.query<FilesRow>(AWAITING_FILES, [bookId]);
  return rows.map(({ currency, count, sum }) => ({ currency, count, sumMinor: BigInt(sum) }));
}

/** Payout files of schedules in one currency that could not be submitted and are still drafts. */
export type NotSubmitted = AwaitingFiles & Readonly<{ newestId: string }>;

export async function readNotSubmitted(
  database: Queryable,
  bookId: string,
): Promise<readonly NotSubmitted[]> {
  const rows = await database.query<FilesRow & { newest_id: string }>(NOT_SUBMITTED, [bookId]);
  return rows.map(({ currency, count, sum, newest_id: newestId }) => ({
    currency,
    count,
    sumMinor: BigInt(sum),
    newestId,
  }));
}

type FilesRow = { currency: Currency; count: number; sum: string };

type WalletRow = {
  id: string;
  name: string;
  currency: Currency;
  available_minor: bigint;
  held_minor: bigint;
  status: Wallet['status'];
  low_balance_minor: bigint | null;
};

type HeldRow = {
  wallet_id: string;
  currency: Currency;
  state: TransferState;
  count: number;
  sum: string;
};

const WALLETS: Statement = {
  name: '',
  text: `
    select w.id, w.name, w.currency, w.available_minor, w.held_minor, w.status, w.low_balance_minor
    from wallets w
    where w.book_id = $1
    order by w.id desc
    limit $2`,
};

// Each part implies the condition of a partial index of unfinished transfers.
const HELD: Statement = {
  name: '',
  text: `
    select t.wallet_id, t.currency, t.state, count(*)::integer as count,
           sum(t.amount_minor + t.fee_minor)::text as sum
    from (
      (
        select wallet_id, currency, state, amount_minor, fee_minor from transfers
        where book_id = $1 and state = 'queued' and next_action_at is not null
        limit $2
      )
      union all
      (
        select wallet_id, currency, state, amount_minor, fee_minor from transfers
        where book_id = $1 and next_action_at is not null
          and state in ('scheduled', 'awaiting_approval', 'submitting', 'submitted', 'in_doubt')
        limit $2
      )
      union all
      (
        select wallet_id, currency, state, amount_minor, fee_minor from transfers
        where book_id = $1 and flagged_at is not null and next_action_at is null
          and state not in ('succeeded', 'failed', 'cancelled', 'reversed')
        limit $2
      )
    ) t
    group by 1, 2, 3
    order by 1, 3`,
};

const AWAITING_FILES: Statement = {
  name: '',
  text: `
    select f.currency, count(*)::integer as count, sum(f.sum_minor)::text as sum
    from payout_files f
    where f.book_id = $1 and f.state = 'awaiting_approval' and f.currency is not null
    group by f.currency
    order by f.currency`,
};

const NOT_SUBMITTED: Statement = {
  name: '',
  text: `
    select f.currency, count(*)::integer as count, sum(f.sum_minor)::text as sum,
           (array_agg(f.id order by o.pay_at desc))[1] as newest_id
    from schedule_occurrences o
    join payout_files f on f.book_id = o.book_id and f.id = o.file_id
    where o.book_id = $1 and o.state = 'refused' and f.state = 'draft' and f.currency is not null
    group by f.currency
    order by f.currency`,
};

const FAILING: Statement = {
  name: '',
  text: `
    select e.id from webhook_endpoints e
    where e.book_id = $1 and (e.failing_since is not null or e.status = 'disabled')
    limit $2`,
};
