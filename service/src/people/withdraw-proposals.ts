import { askCells } from '../cells/ask-cells.ts';
import type { Cells } from '../cells/cell.ts';
import { ofOpenMerchant } from '../cells/move/moving-merchant.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

type Withdrawal = Readonly<{
  id: string;
  /** Null when no person does it. */
  by: string | null;
  at: Date;
}>;

/**
 * Withdraws in all cells what a person of the staff proposed, whose roles ended: what they saw no longer counts as one of
 * two people. A cell that does not answer keeps it until it expires, and so does a merchant that moves; it is not carried
 * out there either, since who confirms is refused while the person who proposed it may not (resolutions/,
 * merchants/take-back-funding.ts).
 */
export async function withdrawProposals(
  { cells }: Readonly<{ cells: Cells }>,
  withdrawal: Withdrawal,
): Promise<void> {
  await askCells(cells.list(), ({ database }) =>
    database.transaction((tx) => withdrawIn(tx, withdrawal)),
  );
}

async function withdrawIn(tx: Queryable, { id, by, at }: Withdrawal): Promise<void> {
  await tx.query(WITHDRAW_RESOLUTIONS, [id, at, by]);
  await tx.query(WITHDRAW_TAKE_BACKS, [id, at, by]);
}

const WITHDRAW_RESOLUTIONS: Statement = {
  name: '',
  text: `
    update proposals set ended_at = $2, ended_as = 'withdrawn', ended_by = $3
    where proposed_by = $1 and ended_at is null and ${ofOpenMerchant('book_id')}`,
};

const WITHDRAW_TAKE_BACKS: Statement = {
  name: '',
  text: `
    update take_backs set ended_at = $2, ended_as = 'withdrawn', ended_by = $3
    where proposed_by = $1 and ended_at is null and ${ofOpenMerchant('book_id')}`,
};
