import type { Database, Queryable, Statement } from '../postgres/database.ts';
import type { RowContent } from './file-content.ts';
import { CONTENT_COLUMNS, type RowOfContent, toRowContent } from './read-payable-rows.ts';
import { nameUpload, type RowReferences, rowReference } from './row-reference.ts';
import type { SubmittedFile } from './submitted-file.ts';

/** A row with the reference of its transfer. */
export type TakenRow = RowContent & Readonly<{ reference: string }>;

/**
 * Takes the next rows to be paid, and marks in the file how far they reach before any of them becomes a transfer. A
 * cancellation waits for the mark or comes before it, so it leaves alone exactly the rows that may be paid. Of a
 * cancelled file it returns the rows that were taken before once more: their process may have died.
 */
export async function takeRows(
  database: Database,
  take: Readonly<{ file: SubmittedFile; leaseOwner: string; max: number }>,
): Promise<readonly TakenRow[]> {
  const { file, leaseOwner, max } = take;
  const key = [file.book.id, file.id];
  return database.transaction(async (tx) => {
    const [locked] = await tx.query<LockedFile>(LOCK, [...key, leaseOwner]);
    if (locked === undefined) return [];
    const upToMax = locked.state === 'paying' ? null : locked.paying_up_to;
    const rows = await tx.query<RowToPay>(READ, [...key, max, upToMax]);
    if (rows.length === 0) return [];
    const referenceName = locked.reference_name ?? (await nameFile(tx, file, locked));
    await tx.query(MARK, [...key, rows.at(-1)?.number ?? 0, referenceName]);
    return rows.map((row) => ({
      ...toRowContent(row),
      reference:
        row.reference ??
        ownReference(locked, row) ??
        rowReference({ id: file.id, referenceName }, row.number),
    }));
  });
}

/** Null: the file derives its references. */
function ownReference(file: LockedFile, { given_reference, number }: RowToPay): string | null {
  if (file.row_references === 'derived') return null;
  if (given_reference === null) throw new Error(`row ${number} has no reference of its own`);
  return given_reference;
}

/**
 * A file gets its name with its first rows, and only files that got so far count as copies: one that was rejected, or
 * cancelled in time, paid no row and so must not change the references of the next.
 */
async function nameFile(
  tx: Queryable,
  { book, id }: SubmittedFile,
  { upload_hash: hash, paying_up_to, row_references }: LockedFile,
): Promise<string | null> {
  if (hash === null || paying_up_to > 0 || row_references === 'given') return null;
  // Two files of the same bytes that begin at once get two numbers.
  await tx.query(LOCK_COPIES, [book.id, hash]);
  const [row] = await tx.query<{ copies: number }>(COUNT_COPIES, [book.id, hash, id]);
  return nameUpload({ hash, copy: (row?.copies ?? 0) + 1 });
}

type LockedFile = {
  state: string;
  paying_up_to: number;
  row_references: RowReferences;
  reference_name: string | null;
  upload_hash: Buffer | null;
};

type RowToPay = RowOfContent & {
  /** Set for a row that is paid again after it failed, or that was tried before. */
  reference: string | null;
};

const LOCK: Statement = {
  name: 'lock-paying-file',
  text: `
    select state, paying_up_to, row_references, reference_name, upload_hash from payout_files
    where book_id = $1 and id = $2 and lease_owner = $3 and state in ('paying', 'cancelled')
    for no key update`,
};

const READ: Statement = {
  name: 'read-waiting-rows',
  text: `
    select ${CONTENT_COLUMNS}, reference
    from payout_file_rows
    where book_id = $1 and file_id = $2 and state = 'waiting' and ($4::integer is null or number <= $4)
    order by number
    limit $3`,
};

const LOCK_COPIES: Statement = {
  name: 'lock-copies-of-upload',
  text: `select pg_advisory_xact_lock(hashtextextended('copies ' || $1::text || encode($2::bytea, 'hex'), 0))`,
};

const COUNT_COPIES: Statement = {
  name: 'count-copies-of-upload',
  text: `
    select count(*)::integer as copies from payout_files
    where book_id = $1 and upload_hash = $2 and id <> $3 and paying_up_to > 0 and row_references = 'derived'`,
};

const MARK: Statement = {
  name: 'mark-taken-rows',
  text: `
    update payout_files
    set paying_up_to = greatest(paying_up_to, $3),
        taken_at = case when state = 'paying' then now() else taken_at end,
        reference_name = coalesce(reference_name, $4)
    where book_id = $1 and id = $2`,
};
