import { refuse } from '../domain/refusal.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { FILE_COLUMNS, type FileRow, type PayoutFile, toPayoutFile } from './payout-file.ts';

type FileKey = Readonly<{ bookId: string; id: string }>;

/** Refuses where the book has no such file. */
export async function findFile(database: Queryable, { bookId, id }: FileKey): Promise<PayoutFile> {
  const [row] = await database.query<FileRow>(FIND, [bookId, id]);
  if (row === undefined) throw refuse('PAYOUT_FILE_NOT_FOUND');
  return toPayoutFile(row);
}

/** Holds the file until the transaction ends, before any of its rows. Refuses one that can no longer change. */
export async function lockDraft(tx: Queryable, { bookId, id }: FileKey): Promise<PayoutFile> {
  const [row] = await tx.query<FileRow>(LOCK, [bookId, id]);
  if (row === undefined) throw refuse('PAYOUT_FILE_NOT_FOUND');
  if (row.state === 'draft') return toPayoutFile(row);
  const message = row.state === 'checking' ? STILL_CHECKED : NO_DRAFT;
  throw refuse('INVALID_STATE', { message });
}

const STILL_CHECKED =
  'The file is still being checked. Wait until it is a draft. Nothing was changed.';
const NO_DRAFT = 'The file was submitted and can no longer change. Nothing was changed.';

const FIND: Statement = {
  name: 'find-payout-file',
  text: `select ${FILE_COLUMNS} from payout_files f where f.book_id = $1 and f.id = $2`,
};

const LOCK: Statement = {
  name: 'lock-payout-file',
  text: `select ${FILE_COLUMNS} from payout_files f where f.book_id = $1 and f.id = $2 for update`,
};
