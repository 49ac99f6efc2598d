import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import { type Actor, actorCode } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import { refuse } from '../domain/refusal.ts';
import { lockBook } from '../merchants/lock-book.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { nameMaker } from './name-maker.ts';
import { FILE_COLUMNS, type FileRow, type PayoutFile, toPayoutFile } from './payout-file.ts';
import type { RowReferences } from './row-reference.ts';
import { listBookWallets, onlyWallet } from './row-rules.ts';

/** Files of a book that are not submitted. Each may hold 50,000 rows. */
const DRAFTS_MAX = 200;
/** Larger pieces would hold the process up while they are sent and read. */
const PART_BYTES = 1_024 * 1_024;

export type UploadDeps = Readonly<{
  database: Database;
  now: () => Date;
  newId: () => string;
}>;

export type Upload = Readonly<{
  name: string;
  bytes: Buffer;
  /** SHA-256 of the bytes. */
  hash: Buffer;
  /** The wallet that the caller named; null: none. */
  walletId: string | null;
  references: RowReferences;
  /** The Idempotency-Key; null: none. */
  key: string | null;
}>;

/**
 * Keeps an upload, to be checked by whichever process comes first. The same key with the same bytes finds the file that
 * it made, so that an upload whose answer was lost can be repeated.
 */
export async function storeUpload(
  deps: UploadDeps,
  { book, actor, upload }: Readonly<{ book: Book; actor: Actor; upload: Upload }>,
): Promise<Readonly<{ id: string; isRepeated: boolean }>> {
  return actAs(deps, actor, async (tx) => {
    await lockBook(tx, book.id);
    const made = await findByKey(tx, book.id, upload);
    if (made !== undefined) return { id: made.id, isRepeated: true };
    await refuseTooMany(tx, book.id);
    const walletId = await chooseWallet(tx, book.id, upload.walletId);
    const id = deps.newId();
    const maker = await nameMaker(tx, book.id, actor);
    await tx.query(INSERT, [
      book.id,
      id,
      upload.name,
      upload.bytes.length,
      upload.hash,
      upload.key,
      maker.personId,
      maker.keyId,
      maker.name,
      deps.now(),
      walletId,
      upload.references,
      actorCode(actor),
    ]);
    for (let part = 0; part * PART_BYTES < upload.bytes.length; part += 1) {
      const bytes = upload.bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
      await tx.query(INSERT_PART, [book.id, id, part, bytes]);
    }
    await recordAct(tx, deps, {
      actor,
      kind: 'PAYOUT_FILE_UPLOADED',
      subject: id,
      merchantId: book.merchantId,
      bookId: book.id,
      reason: null,
      before: null,
      after: { name: upload.name, bytes: upload.bytes.length, hash: upload.hash.toString('hex') },
    });
    return { id, isRepeated: false };
  });
}

async function findByKey(
  tx: Queryable,
  bookId: string,
  { key, hash, references }: Upload,
): Promise<PayoutFile | undefined> {
  if (key === null) return undefined;
  const [row] = await tx.query<FileRow>(FIND_BY_KEY, [bookId, key]);
  if (row === undefined) return undefined;
  const isSame = row.upload_hash?.equals(hash) === true && row.row_references === references;
  if (!isSame) throw refuse('IDEMPOTENCY_KEY_REUSED');
  return toPayoutFile(row);
}

async function refuseTooMany(tx: Queryable, bookId: string): Promise<void> {
  const [row] = await tx.query<{ drafts: bigint }>(COUNT_DRAFTS, [bookId]);
  if (row !== undefined && row.drafts < BigInt(DRAFTS_MAX)) return;
  throw refuse('LIMIT_EXCEEDED', {
    message: `A book has at most ${DRAFTS_MAX} payout files that are not submitted. Delete some first. Nothing was stored.`,
  });
}

/** Where the book has one wallet, or one was named, the currency of the rows is known before they are read. */
async function chooseWallet(
  tx: Queryable,
  bookId: string,
  named: string | null,
): Promise<string | null> {
  const wallets = await listBookWallets(tx, bookId);
  if (named === null) return onlyWallet(wallets, null);
  if (!wallets.some(({ id }) => id === named)) throw refuse('WALLET_NOT_FOUND');
  return named;
}

const FIND_BY_KEY: Statement = {
  name: '',
  text: `select ${FILE_COLUMNS} from payout_files f where f.book_id = $1 and f.upload_key = $2`,
};

const COUNT_DRAFTS: Statement = {
  name: '',
  text: `
    select count(*) as drafts from payout_files f
    where f.book_id = $1 and f.state in ('checking', 'draft')`,
};

const INSERT: Statement = {
  name: '',
  text: `
    insert into payout_files (
      book_id, id, name, source, upload_bytes, upload_hash, upload_key, state, made_by, made_by_key, made_by_name,
      created_at, updated_at, wallet_id, row_references, makers, next_action_at
    )
    values ($1, $2, $3, 'file', $4, $5, $6, 'checking', $7, $8, $9, $10, $10, $11, $12, array[$13::text], now())`,
};

const INSERT_PART: Statement = {
  name: '',
  text: 'insert into payout_file_uploads (book_id, file_id, part, bytes) values ($1, $2, $3, $4)',
};
