import type { Currency } from '../domain/money.ts';
import { DAY_TOTAL } from '../ledger/wallet-legs.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

const WALLETS_MAX = 1_000;

/** A wallet with its own limit, and what was held of it today. */
export type LimitedWallet = Readonly<{
  id: string;
  name: string;
  currency: Currency;
  /** Null: it has none. */
  dailyLimitMinor: bigint | null;
  usedTodayMinor: bigint;
  /** When its day, which is one of UTC, ends. */
  dayEndsAt: Date;
}>;

export async function readWalletLimits(
  database: Queryable,
  { bookId }: Readonly<{ bookId: string }>,
): Promise<readonly LimitedWallet[]> {
  const rows = await database.query<WalletRow>(READ, [bookId, WALLETS_MAX]);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    currency: row.currency,
    dailyLimitMinor: row.daily_limit_minor,
    usedTodayMinor: row.used_minor,
    dayEndsAt: row.day_ends_at,
  }));
}

type WalletRow = {
  id: string;
  name: string;
  currency: Currency;
  daily_limit_minor: bigint | null;
  used_minor: bigint;
  day_ends_at: Date;
};

const READ: Statement = {
  name: 'read-wallet-limits',
  text: `
    select w.id, w.name, w.currency, w.daily_limit_minor, (${DAY_TOTAL})::bigint as used_minor,
           (date_trunc('day', now() at time zone 'utc') + interval '1 day') at time zone 'utc' as day_ends_at
    from wallets w
    where w.book_id = $1
    order by lower(w.name), w.id
    limit $2`,
};
