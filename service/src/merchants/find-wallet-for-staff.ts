import { SERVED_HERE } from '../cells/served-here.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import type { Currency } from '../domain/money.ts';
import type { Mode } from '../domain/transfer.ts';
import { parseUuid } from '../domain/uuid.ts';
import type { Queryable, Row, Statement } from '../postgres/database.ts';

export type WalletStatus = 'active' | 'frozen';

/** A wallet as administrators see it, with whose it is. */
export type AdminWallet = Readonly<{
  id: string;
  bookId: string;
  merchantId: string;
  merchant: string;
  mode: Mode;
  currency: Currency;
  name: string;
  status: WalletStatus;
  availableMinor: bigint;
  heldMinor: bigint;
  dailyLimitMinor: bigint | null;
  /** Below this the merchant is told; null: never. */
  lowBalanceMinor: bigint | null;
  createdAt: Date;
}>;

export async function findWalletForStaff(database: Queryable, id: string): Promise<AdminWallet> {
  const [wallet] = await listWalletsById(database, id);
  if (wallet !== undefined) return wallet;
  throw new AdminRefused('WALLET_NOT_FOUND', {});
}

/** The same; empty: there is none here. */
export async function listWalletsById(
  database: Queryable,
  id: string,
): Promise<readonly AdminWallet[]> {
  const rows = await database.query<WalletRow>(FIND, [parseUuid(id) ?? null]);
  return rows.map(toAdminWallet);
}

/** The same, locked for the rest of the transaction. */
export async function lockWallet(tx: Queryable, id: string): Promise<AdminWallet> {
  const [row] = await tx.query<WalletRow>(LOCK, [parseUuid(id) ?? null]);
  if (row !== undefined) return toAdminWallet(row);
  throw new AdminRefused('WALLET_NOT_FOUND', {});
}

export type WalletRow = Row & {
  id: string;
  book_id: string;
  merchant_id: string;
  merchant: string;
  mode: Mode;
  currency: Currency;
  name: string;
  status: WalletStatus;
  available_minor: bigint;
  held_minor: bigint;
  daily_limit_minor: bigint | null;
  low_balance_minor: bigint | null;
  created_at: Date;
};

/** The columns of a wallet `w` with its book `b` and merchant `m`. */
export const WALLET_COLUMNS = `
  w.id, w.book_id, b.merchant_id, m.name as merchant, b.mode, w.currency, w.name, w.status,
  w.available_minor, w.held_minor, w.daily_limit_minor, w.low_balance_minor, w.created_at`;

export function toAdminWallet(row: WalletRow): AdminWallet {
  return {
    id: row.id,
    bookId: row.book_id,
    merchantId: row.merchant_id,
    merchant: row.merchant,
    mode: row.mode,
    currency: row.currency,
    name: row.name,
    status: row.status,
    availableMinor: row.available_minor,
    heldMinor: row.held_minor,
    dailyLimitMinor: row.daily_limit_minor,
    lowBalanceMinor: row.low_balance_minor,
    createdAt: row.created_at,
  };
}

const FIND_TEXT = `
    select ${WALLET_COLUMNS}
    from wallets w
    join books b on b.id = w.book_id
    join merchants m on m.id = b.merchant_id and ${SERVED_HERE}
    where w.id = $1`;

const FIND: Statement = { name: '', text: FIND_TEXT };
const LOCK: Statement = { name: '', text: `${FIND_TEXT} for update of w` };
