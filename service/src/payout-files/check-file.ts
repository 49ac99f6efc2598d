import type { RowRules } from '../domain/payout-file/check-row.ts';
import type { Routes } from '../operators/routes/route.ts';
import {
  type Database,
  isDataFault,
  type Queryable,
  type Statement,
  sqlState,
} from '../postgres/database.ts';
import { type CheckClaim, CheckLost, holdCheck } from './claim-check.ts';
import { FileUnreadable } from './reading/file-unreadable.ts';
import { readFileRows } from './reading/read-file-rows.ts';
import type { CheckedRows, TableHead } from './reading/reader-message.ts';
import { recountRows } from './recount-rows.ts';
import { listBookWallets, onlyWallet, readRowRules } from './row-rules.ts';
import { storeRows } from './store-rows.ts';

export type CheckFileDeps = Readonly<{ database: Database; routes: Routes; now: () => Date }>;

/**
 * Reads and checks the upload of a file, and stores its rows part by part. A check that is interrupted begins
 * again: what it stored before is replaced. Rejects with CheckLost when another process has taken over.
 */
export async function checkFile(
  deps: CheckFileDeps,
  claim: CheckClaim,
  signal: AbortSignal,
): Promise<void> {
  const { database } = deps;
  const { walletId, references } = claim;
  const rules = await readRowRules(deps, claim.book, { walletId, currency: null, references });
  let told: Pick<RowRules, 'walletId' | 'currency'> = rules;
  try {
    await readFileRows({
      bytes: await readUpload(database, claim),
      rules,
      onHead: (head) => database.transaction((tx) => beginRows(tx, claim, head)),
      onRows(rows) {
        told = rows;
        return database.transaction((tx) => addRows(tx, claim, { rows, now: deps.now() }));
      },
      signal,
    });
  } catch (error) {
    const { code, detail } = whyUnreadable(error);
    await database.transaction((tx) => endUnreadable(tx, claim, [code, detail, deps.now()]));
    return;
  }
  await database.transaction((tx) => endCheck(tx, claim, { told, now: deps.now() }));
}

/** Throws an error that is not the file's. A value that the database refuses would be refused every time. */
function whyUnreadable(error: unknown): FileUnreadable {
  if (error instanceof FileUnreadable) return error;
  if (isDataFault(error)) return new FileUnreadable('BROKEN', `Code ${sqlState(error)}.`);
  throw error;
}

async function readUpload(
  database: Queryable,
  { book, fileId, uploadBytes }: CheckClaim,
): Promise<ArrayBuffer> {
  const all = new ArrayBuffer(uploadBytes);
  const bytes = Buffer.from(all);
  for (let at = 0, part = 0; at < uploadBytes; part += 1) {
    const [row] = await database.query<{ bytes: Buffer }>(READ_PART, [book.id, fileId, part]);
    // Deleted meanwhile, or checked by another process.
    if (row === undefined) throw new CheckLost();
    at += row.bytes.copy(bytes, at);
  }
  return all;
}

async function beginRows(tx: Queryable, claim: CheckClaim, head: TableHead): Promise<void> {
  const { book, fileId } = claim;
  await holdCheck(tx, claim);
  await tx.query(CLEAR, [book.id, fileId]);
  await tx.query(BEGIN_ROWS, [
    book.id,
    fileId,
    head.format,
    JSON.stringify(head.columns),
    head.sheet,
    head.otherSheets,
    head.total,
  ]);
}

async function addRows(
  tx: Queryable,
  claim: CheckClaim,
  { rows, now }: Readonly<{ rows: CheckedRows; now: Date }>,
): Promise<void> {
  const { book, fileId } = claim;
  await holdCheck(tx, claim);
  await storeRows(tx, {
    bookId: book.id,
    fileId,
    json: rows.json,
    references: claim.references,
    now,
  });
  await tx.query(COUNT_CHECKED, [book.id, fileId, rows.count]);
}

async function endCheck(
  tx: Queryable,
  claim: CheckClaim,
  { told, now }: Readonly<{ told: Pick<RowRules, 'walletId' | 'currency'>; now: Date }>,
): Promise<void> {
  const { book, fileId } = claim;
  await holdCheck(tx, claim);
  const { currency } = told;
  const walletId =
    told.walletId ??
    (currency === null ? null : onlyWallet(await listBookWallets(tx, book.id), currency));
  await tx.query(END_CHECK, [book.id, fileId, walletId, currency]);
  await recountRows(tx, { bookId: book.id, id: fileId, now });
  await tx.query(FORGET_UPLOAD, [book.id, fileId]);
}

async function endUnreadable(
  tx: Queryable,
  claim: CheckClaim,
  why: readonly unknown[],
): Promise<void> {
  const { book, fileId } = claim;
  await holdCheck(tx, claim);
  await tx.query(CLEAR, [book.id, fileId]);
  await tx.query(END_UNREADABLE, [book.id, fileId, ...why]);
  await tx.query(FORGET_UPLOAD, [book.id, fileId]);
}

const READ_PART: Statement = {
  name: 'read-upload-part',
  text: 'select bytes from payout_file_uploads where book_id = $1 and file_id = $2 and part = $3',
};

const CLEAR: Statement = {
  name: 'clear-payout-rows',
  text: 'delete from payout_file_rows where book_id = $1 and file_id = $2',
};

const BEGIN_ROWS: Statement = {
  name: 'begin-payout-rows',
  text: `
    update payout_files
    set format = $3, columns = $4::jsonb, sheet = $5, other_sheets = $6::text[], rows_total = $7, rows_checked = 0
    where book_id = $1 and id = $2`,
};

const COUNT_CHECKED: Statement = {
  name: 'count-checked-rows',
  text: `
    update payout_files set rows_checked = rows_checked + $3::integer, updated_at = now()
    where book_id = $1 and id = $2`,
};

const END_CHECK: Statement = {
  name: 'end-payout-file-check',
  text: `
    update payout_files
    set state = 'draft', wallet_id = coalesce(wallet_id, $3::uuid), currency = $4, lease_owner = null,
        next_action_at = null
    where book_id = $1 and id = $2`,
};

const END_UNREADABLE: Statement = {
  name: 'end-unreadable-file',
  text: `
    update payout_files
    set state = 'draft', problem_code = $3, problem_detail = $4, updated_at = $5, rows_total = 0, rows_checked = 0,
        lease_owner = null, next_action_at = null
    where book_id = $1 and id = $2`,
};

const FORGET_UPLOAD: Statement = {
  name: 'forget-upload',
  text: 'delete from payout_file_uploads where book_id = $1 and file_id = $2',
};
