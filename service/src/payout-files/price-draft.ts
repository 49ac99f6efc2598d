import { refuse } from '../domain/refusal.ts';
import type { Database, Statement } from '../postgres/database.ts';
import { type DraftFile, findDraftContent, lockDraftContent } from './find-draft-content.ts';
import { followVersion } from './mark-occurrence.ts';
import { recountRows } from './recount-rows.ts';

/**
 * The fee of `r.amount_minor` by the terms of the book `b`. The same as `feeOf`: at most 10^15 before the division, which
 * cuts off, so half a minor unit is rounded up.
 */
export const FEE_OF_ROW =
  'b.fee_fixed_minor + (r.amount_minor * b.fee_basis_points + 5000) / 10000';

/**
 * Gives the rows of a draft the fees of today: the terms may have changed since the file was checked. Returns the
 * draft as it is then, or refuses where its maker was shown other fees: they are part of what is submitted.
 */
export async function priceDraft(
  { database, now }: Readonly<{ database: Database; now: () => Date }>,
  found: DraftFile,
  { bookId, wasShown }: Readonly<{ bookId: string; wasShown: boolean }>,
): Promise<DraftFile> {
  const key = { bookId, id: found.id };
  const priced = await database.transaction(async (tx) => {
    const { state, version } = await lockDraftContent(tx, key);
    // What was changed since it was found is refused when it is frozen.
    if (state !== 'draft' || version !== found.version) return undefined;
    const [changed] = await tx.query<{ rows: number }>(PRICE, [bookId, found.id]);
    if (changed === undefined || changed.rows === 0) return undefined;
    // This gives it a new version, so other people who saw the old fees are refused too.
    await recountRows(tx, { ...key, now: now() });
    const draft = await findDraftContent(tx, key);
    if (draft.source === 'schedule')
      await followVersion(tx, { ...key, from: version, to: draft.version });
    return draft;
  });
  if (priced === undefined) return found;
  if (wasShown) throw refuse('CONTENT_CHANGED', OTHER_FEES);
  return priced;
}

const OTHER_FEES = {
  message:
    'The fees have changed since the file was checked. Look at the fees again, then submit it. Nothing was submitted.',
};

const PRICE: Statement = {
  name: 'price-draft-rows',
  text: `
    with priced as (
      update payout_file_rows r
      set fee_minor = ${FEE_OF_ROW}
      from books b
      where b.id = $1 and r.book_id = $1 and r.file_id = $2 and r.fee_minor <> ${FEE_OF_ROW}
      returning r.number
    )
    select count(*)::integer as rows from priced`,
};
