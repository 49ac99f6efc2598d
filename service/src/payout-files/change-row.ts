import type { ActFacts, ActKind } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { Actor } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import { readAmountCurrency } from '../domain/payout-file/amount-currency.ts';
import { checkRow } from '../domain/payout-file/check-row.ts';
import {
  mayHaveDecimalCommas,
  type RowField,
  type RowTexts,
} from '../domain/payout-file/row-fields.ts';
import { refuse } from '../domain/refusal.ts';
import type { Routes } from '../operators/routes/route.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { addMaker } from './add-maker.ts';
import { lockDraft } from './find-file.ts';
import type { PayoutFile } from './payout-file.ts';
import { type PayoutRow, ROW_COLUMNS, type RowOfTable, toPayoutRow } from './payout-row.ts';
import { recountRows } from './recount-rows.ts';
import { readRowRules } from './row-rules.ts';
import { storeCheckedRow, warnOfSameRows } from './store-checked-row.ts';

export type ChangeRowDeps = Readonly<{
  database: Database;
  routes: Routes;
  now: () => Date;
  newId: () => string;
}>;

type RowRequest = Readonly<{ book: Book; actor: Actor; fileId: string; number: number }>;

/** A text replaces the cell; null goes back to what the file says. */
export type Corrections = Readonly<Partial<Record<RowField, string | null>>>;

/** Corrects a row of a draft and checks it anew. A dropped row comes back. */
export async function correctRow(
  deps: ChangeRowDeps,
  request: RowRequest & Readonly<{ corrections: Corrections }>,
): Promise<PayoutRow> {
  return changeRow(deps, request, 'PAYOUT_ROW_CORRECTED', async (tx, { file, row }) => {
    const corrections = mergeCorrections(row.corrections, request.corrections);
    await recheck(deps, tx, { book: request.book, file, row, corrections });
  });
}

/** Leaves a row of a draft out. */
export async function dropRow(deps: ChangeRowDeps, request: RowRequest): Promise<PayoutRow> {
  return changeRow(deps, request, 'PAYOUT_ROW_DROPPED', async (tx, { file, row }) => {
    await tx.query(DROP, [file.bookId, file.id, row.number]);
    await warnOfSameRows(tx, { file, phones: [row.phone] });
  });
}

/** Takes a dropped row back in, as it is judged now. */
export async function restoreRow(deps: ChangeRowDeps, request: RowRequest): Promise<PayoutRow> {
  return changeRow(deps, request, 'PAYOUT_ROW_RESTORED', async (tx, { file, row }) => {
    if (row.state !== 'dropped') return;
    await recheck(deps, tx, { book: request.book, file, row, corrections: row.corrections });
  });
}

/** Leaves all rows of a draft out that cannot be paid as they are. Returns how many these were. */
export async function dropProblemRows(
  deps: ChangeRowDeps,
  { book, actor, fileId }: Omit<RowRequest, 'number'>,
): Promise<number> {
  return actAs(deps, actor, async (tx) => {
    const file = await lockDraft(tx, { bookId: book.id, id: fileId });
    await addMaker(tx, { bookId: book.id, id: fileId, actor });
    const dropped = await tx.query<{ phone: string | null }>(DROP_PROBLEMS, [book.id, fileId]);
    if (dropped.length === 0) return 0;
    await warnOfSameRows(tx, { file, phones: dropped.map(({ phone }) => phone) });
    await recountRows(tx, { bookId: book.id, id: fileId, now: deps.now() });
    await recordAct(tx, deps, {
      actor,
      kind: 'PAYOUT_ROWS_DROPPED',
      subject: fileId,
      merchantId: book.merchantId,
      bookId: book.id,
      reason: null,
      before: null,
      after: { rows: dropped.length },
    });
    return dropped.length;
  });
}

type Held = Readonly<{ file: PayoutFile; row: PayoutRow }>;

async function changeRow(
  deps: ChangeRowDeps,
  { book, actor, fileId, number }: RowRequest,
  kind: ActKind,
  change: (tx: Queryable, held: Held) => Promise<void>,
): Promise<PayoutRow> {
  return actAs(deps, actor, async (tx) => {
    const file = await lockDraft(tx, { bookId: book.id, id: fileId });
    const row = await findRow(tx, file, number);
    await addMaker(tx, { bookId: book.id, id: fileId, actor });
    await change(tx, { file, row });
    const after = await findRow(tx, file, number);
    await recountRows(tx, { bookId: book.id, id: fileId, now: deps.now() });
    await recordAct(tx, deps, {
      actor,
      kind,
      subject: fileId,
      merchantId: book.merchantId,
      bookId: book.id,
      reason: null,
      before: factsOf(row),
      after: factsOf(after),
    });
    return after;
  });
}

async function findRow(
  tx: Queryable,
  { bookId, id }: PayoutFile,
  number: number,
): Promise<PayoutRow> {
  const [row] = await tx.query<RowOfTable>(FIND, [bookId, id, number]);
  if (row === undefined) throw refuse('PAYOUT_ROW_NOT_FOUND');
  return toPayoutRow(row);
}

/** What was corrected, in the words of the person; who is paid shows in the file, not in the acts. */
function factsOf({ number, state, corrections }: PayoutRow): ActFacts {
  return { row: number, state, corrected: Object.keys(corrections) };
}

function mergeCorrections(before: RowTexts, given: Corrections): RowTexts {
  const merged: Record<string, string> = { ...before };
  for (const [field, text] of Object.entries(given)) {
    if (text === null) delete merged[field];
    else merged[field] = text;
  }
  return merged;
}

async function recheck(
  { routes, now }: ChangeRowDeps,
  tx: Queryable,
  held: Held & Readonly<{ book: Book; corrections: RowTexts }>,
): Promise<void> {
  const { book, file, row, corrections } = held;
  const rules = await readRowRules({ database: tx, routes }, book, file);
  // If a person wrote the amount, neither the header nor other cells of the row say anything about it.
  const isOfFile = corrections.amount === undefined;
  const cells = isOfFile ? row.cells : { ...row.cells, extra: '', next: '' };
  const amountCurrency = isOfFile ? readAmountCurrency(file.columns) : null;
  const hasDecimalCommas = isOfFile && mayHaveDecimalCommas(file.columns);
  const ofAmount = { amountCurrency, hasDecimalCommas };
  const checked = checkRow({ ...cells, ...corrections }, { ...rules, ...ofAmount });
  await storeCheckedRow(tx, { file, row, corrections, checked, now: now() });
  await warnOfSameRows(tx, { file, phones: [row.phone, checked.phone] });
}

const FIND: Statement = {
  name: 'find-payout-row',
  text: `
    select ${ROW_COLUMNS} from payout_file_rows r
    where r.book_id = $1 and r.file_id = $2 and r.number = $3`,
};

const DROP: Statement = {
  name: 'drop-payout-row',
  text: `
    update payout_file_rows set state = 'dropped'
    where book_id = $1 and file_id = $2 and number = $3`,
};

const DROP_PROBLEMS: Statement = {
  name: 'drop-problem-rows',
  text: `
    update payout_file_rows set state = 'dropped'
    where book_id = $1 and file_id = $2 and state = 'problem'
    returning phone`,
};
