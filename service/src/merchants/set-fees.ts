import type { FeeTerms } from '../domain/fee.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** Sets what transfers of a book cost from now on. Stored transfers keep the fee they were given. */
export async function setFees(
  database: Queryable,
  request: Readonly<{ bookId: string; feeTerms: FeeTerms }>,
): Promise<void> {
  const { fixedMinor, basisPoints } = request.feeTerms;
  const rows = await database.query(UPDATE, [request.bookId, fixedMinor, basisPoints]);
  if (rows.length !== 1) throw new Error(`there is no book ${request.bookId}`);
}

const UPDATE: Statement = {
  name: '',
  text: `
    update books set fee_fixed_minor = $2, fee_basis_points = $3 where id = $1 returning id`,
};
