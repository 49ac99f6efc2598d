import { SERVED_HERE } from '../cells/served-here.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import type { FeeTerms } from '../domain/fee.ts';
import { checkPlainText } from '../domain/plain-text.ts';
import type { Mode } from '../domain/transfer.ts';
import { parseUuid } from '../domain/uuid.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** As long as a name may be. */
export const MERCHANT_NAME_LENGTH_MAX = 100;

type MerchantBook = Readonly<{ id: string; feeTerms: FeeTerms }>;
export type Merchant = Readonly<{
  id: string;
  name: string;
  createdAt: Date;
  /** Null: it may pay. */
  suspendedAt: Date | null;
  books: Readonly<Record<Mode, MerchantBook>>;
}>;

/** The merchant with this name (in any case) or id. */
export async function findMerchant(database: Queryable, nameOrId: string): Promise<Merchant> {
  const name = nameOrId.normalize('NFC').trim();
  // PostgreSQL takes no NUL, and no merchant has such a name.
  const isName = checkPlainText(name, { codePointsMax: MERCHANT_NAME_LENGTH_MAX }) === 'ok';
  const values = [parseUuid(name) ?? null, name];
  const [row] = isName ? await database.query<MerchantRow>(FIND, values) : [];
  if (row !== undefined) return toMerchant(row);
  throw new AdminRefused('MERCHANT_NOT_FOUND', {});
}

/** The same, with its books locked for the rest of the transaction, so that what is changed was seen. */
export async function lockMerchant(tx: Queryable, nameOrId: string): Promise<Merchant> {
  const { id } = await findMerchant(tx, nameOrId);
  await tx.query(LOCK_BOOKS, [id]);
  return findMerchant(tx, id);
}

export type MerchantRow = {
  id: string;
  name: string;
  created_at: Date;
  suspended_at: Date | null;
  test_book_id: string;
  test_fee_fixed_minor: bigint;
  test_fee_basis_points: number;
  live_book_id: string;
  live_fee_fixed_minor: bigint;
  live_fee_basis_points: number;
};

/** The columns of a merchant `m` with its books `t` and `l`. */
export const MERCHANT_COLUMNS = `
  m.id, m.name, m.created_at, l.suspended_at, t.id as test_book_id, t.fee_fixed_minor as test_fee_fixed_minor,
  t.fee_basis_points as test_fee_basis_points, l.id as live_book_id,
  l.fee_fixed_minor as live_fee_fixed_minor, l.fee_basis_points as live_fee_basis_points`;

/** One that has moved to another cell, or is just being copied here, is not found. */
export const MERCHANT_TABLES = `
  merchants m
  join books t on t.merchant_id = m.id and t.mode = 'test' and ${SERVED_HERE}
  join books l on l.merchant_id = m.id and l.mode = 'live'`;

export function toMerchant(row: MerchantRow): Merchant {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    suspendedAt: row.suspended_at,
    books: {
      test: {
        id: row.test_book_id,
        feeTerms: { fixedMinor: row.test_fee_fixed_minor, basisPoints: row.test_fee_basis_points },
      },
      live: {
        id: row.live_book_id,
        feeTerms: { fixedMinor: row.live_fee_fixed_minor, basisPoints: row.live_fee_basis_points },
      },
    },
  };
}

const FIND: Statement = {
  name: '',
  text: `
    select ${MERCHANT_COLUMNS}
    from ${MERCHANT_TABLES}
    where m.id = $1::uuid or lower(m.name) = lower($2)`,
};

const LOCK_BOOKS: Statement = {
  name: '',
  text: 'select id from books where merchant_id = $1 order by id for no key update',
};
