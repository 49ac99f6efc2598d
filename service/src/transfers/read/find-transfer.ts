import type { Mode, Transfer } from '../../domain/transfer.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { TRANSFER_COLUMNS, type TransferRow, toTransfer } from './transfer-row.ts';

type BookKey = Readonly<{ bookId: string; mode: Mode }>;

export async function findTransfer(
  database: Queryable,
  { bookId, mode, id }: BookKey & Readonly<{ id: string }>,
): Promise<Transfer | undefined> {
  const [row] = await database.query<TransferRow>(BY_ID, [bookId, id]);
  return row === undefined ? undefined : toTransfer(row, mode);
}

export async function findTransferByReference(
  database: Queryable,
  { bookId, mode, reference }: BookKey & Readonly<{ reference: string }>,
): Promise<Transfer | undefined> {
  const [row] = await database.query<TransferRow>(BY_REFERENCE, [bookId, reference]);
  return row === undefined ? undefined : toTransfer(row, mode);
}

const BY_ID: Statement = {
  name: 'find-transfer',
  text: `select ${TRANSFER_COLUMNS} from transfers t where t.book_id = $1 and t.id = $2`,
};

const BY_REFERENCE: Statement = {
  name: 'find-transfer-by-reference',
  text: `select ${TRANSFER_COLUMNS} from transfers t where t.book_id = $1 and t.reference = $2`,
};
