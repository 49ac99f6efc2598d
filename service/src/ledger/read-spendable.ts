import type { Currency } from '../domain/money.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { DAY_TOTAL } from './wallet-legs.ts';

/** What a wallet could pay out now. Nothing is locked: the next moment may differ. */
export type Spendable = Readonly<{
  currency: Currency;
  status: 'active' | 'frozen';
  availableMinor: bigint;
  /** What may still be held today; null: no limit. */
  leftTodayMinor: bigint | null;
}>;

type SpendableRow = {
  currency: Currency;
  status: 'active' | 'frozen';
  available_minor: bigint;
  left_today_minor: bigint | null;
};

export async function readSpendable(
  database: Queryable,
  { bookId, id }: Readonly<{ bookId: string; id: string }>,
): Promise<Spendable | undefined> {
  const [row] = await database.query<SpendableRow>(READ, [bookId, id]);
  if (row === undefined) return undefined;
  return {
    currency: row.currency,
    status: row.status,
    availableMinor: row.available_minor,
    leftTodayMinor: row.left_today_minor,
  };
}

const READ: Statement = {
  name: 'read-spendable',
  text: `
    select w.currency, w.status, w.available_minor,
           w.daily_limit_minor - (${DAY_TOTAL}) as left_today_minor
    from wallets w
    where w.book_id = $1 and w.id = $2`,
};
