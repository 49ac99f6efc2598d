import { createHash, randomUUID } from 'node:crypto';
import { nameUpload, rowReference } from '../src/payout-files/row-reference.ts';
import type { Queryable } from '../src/postgres/database.ts';

export type StoredFileRow = Readonly<{ phone?: string; amountMinor?: bigint }>;

/** A checked draft without problems, as it is when its upload was checked. */
export async function storeFile(
  database: Queryable,
  given: Readonly<{
    bookId: string;
    walletId?: string;
    madeBy?: string;
    rows: readonly StoredFileRow[];
    name?: string;
    /** Stands for the uploaded bytes; left out, no other file has the same. */
    upload?: string;
  }>,
): Promise<string> {
  const id = randomUUID();
  const rows = given.rows.map(({ phone, amountMinor = 100n }, index) => ({
    phone: phone ?? `+26097${String(7_000_000 + index)}`,
    amountMinor,
  }));
  const sumMinor = rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  await database.query({ name: '', text: INSERT_FILE }, [
    given.bookId,
    id,
    given.name ?? 'salaries.csv',
    given.walletId ?? null,
    rows.length,
    sumMinor,
    given.madeBy ?? null,
    hashOf(given.upload ?? id),
  ]);
  await database.query({ name: '', text: INSERT_ROWS }, [
    given.bookId,
    id,
    rows.map(({ phone }) => phone),
    rows.map(({ amountMinor }) => amountMinor),
  ]);
  return id;
}

/** The reference of a row of a file that was stored with no other upload. */
export function storedReference(id: string, number: number): string {
  return rowReference({ id, referenceName: nameUpload({ hash: hashOf(id), copy: 1 }) }, number);
}

function hashOf(upload: string): Buffer {
  return createHash('sha256').update(upload).digest();
}

const INSERT_FILE = `
  insert into payout_files (
    book_id, id, name, source, state, made_by, made_by_name, created_at, updated_at, wallet_id, country, currency,
    rows_total, rows_checked, sum_minor, upload_hash
  )
  values ($1, $2, $3, 'file', 'draft', $7, 'Test', now(), now(), $4, 'zm', 'ZMW', $5, $5, $6, $8)`;

const INSERT_ROWS = `
  insert into payout_file_rows (
    book_id, file_id, number, line, state, cells, phone, operator, country, currency, amount_minor, fee_minor,
    recipient_name
  )
  select $1, $2, n, n + 1, 'ready',
         jsonb_build_object('phone', phone, 'operator', 'airtel', 'amount', (amount / 100.0)::numeric(18, 2)::text),
         phone, 'airtel', 'zm', 'ZMW', amount, 0,
         'Person ' || n
  from unnest($3::text[], $4::bigint[]) with ordinality as r (phone, amount, n)`;
