import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { Actor } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import { refuse } from '../domain/refusal.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { addMaker } from './add-maker.ts';
import { lockDraft } from './find-file.ts';
import { listBookWallets } from './row-rules.ts';

export type ChangeFileDeps = Readonly<{ database: Database; now: () => Date; newId: () => string }>;

type FileRequest = Readonly<{ book: Book; actor: Actor; fileId: string }>;

/** Names a draft, or chooses the wallet that it pays from; null: as it is. */
export async function changeFile(
  deps: ChangeFileDeps,
  {
    book,
    actor,
    fileId,
    name,
    walletId,
  }: FileRequest & Readonly<{ name: string | null; walletId: string | null }>,
): Promise<void> {
  await actAs(deps, actor, async (tx) => {
    const file = await lockDraft(tx, { bookId: book.id, id: fileId });
    const currency = walletId === null ? null : await currencyOfWallet(tx, book.id, walletId);
    // Rows of another currency would all have to be checked anew, and nearly all would then be wrong.
    if (currency !== null && file.currency !== null && currency !== file.currency) {
      throw refuse('CURRENCY_MISMATCH', {
        message: `The rows of the file are in ${file.currency}. Choose a wallet in ${file.currency}. Nothing was changed.`,
      });
    }
    await tx.query(CHANGE, [book.id, fileId, name, walletId, currency, deps.now()]);
    await addMaker(tx, { bookId: book.id, id: fileId, actor });
    await recordAct(tx, deps, {
      actor,
      kind: 'PAYOUT_FILE_CHANGED',
      subject: fileId,
      merchantId: book.merchantId,
      bookId: book.id,
      reason: null,
      before: { name: file.name, walletId: file.walletId },
      after: { name: name ?? file.name, walletId: walletId ?? file.walletId },
    });
  });
}

async function currencyOfWallet(tx: Queryable, bookId: string, walletId: string) {
  const wallet = (await listBookWallets(tx, bookId)).find(({ id }) => id === walletId);
  if (wallet === undefined) throw refuse('WALLET_NOT_FOUND');
  return wallet.currency;
}

/** Deletes a file that was never submitted, with its rows. */
export async function deleteFile(
  deps: ChangeFileDeps,
  { book, actor, fileId }: FileRequest,
): Promise<void> {
  await actAs(deps, actor, async (tx) => {
    const [file] = await tx.query<{ state: string; name: string }>(LOCK, [book.id, fileId]);
    if (file === undefined) throw refuse('PAYOUT_FILE_NOT_FOUND');
    if (file.state !== 'draft' && file.state !== 'checking') {
      throw refuse('INVALID_STATE', {
        message: 'The file was submitted and stays. Cancel it instead. Nothing was changed.',
      });
    }
    await tx.query(DELETE_ROWS, [book.id, fileId]);
    await tx.query(DELETE_UPLOAD, [book.id, fileId]);
    await tx.query(DELETE, [book.id, fileId]);
    await recordAct(tx, deps, {
      actor,
      kind: 'PAYOUT_FILE_DELETED',
      subject: fileId,
      merchantId: book.merchantId,
      bookId: book.id,
      reason: null,
      before: { name: file.name },
      after: null,
    });
  });
}

const LOCK: Statement = {
  name: '',
  text: 'select state, name from payout_files where book_id = $1 and id = $2 for update',
};

const CHANGE: Statement = {
  name: '',
  text: `
    update payout_files
    set name = coalesce($3::text, name), wallet_id = coalesce($4::uuid, wallet_id),
        currency = coalesce($5::text, currency), version = version + 1, updated_at = $6
    where book_id = $1 and id = $2`,
};

const DELETE_ROWS: Statement = {
  name: '',
  text: 'delete from payout_file_rows where book_id = $1 and file_id = $2',
};

const DELETE_UPLOAD: Statement = {
  name: '',
  text: 'delete from payout_file_uploads where book_id = $1 and file_id = $2',
};

const DELETE: Statement = {
  name: '',
  text: 'delete from payout_files where book_id = $1 and id = $2',
};
