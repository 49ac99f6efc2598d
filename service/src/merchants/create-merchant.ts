import { AdminRefused } from '../domain/admin-refused.ts';
import type { FeeTerms } from '../domain/fee.ts';
import { parseUuid } from '../domain/uuid.ts';
import { type Queryable, type Statement, violatedConstraint } from '../postgres/database.ts';
import type { Merchant } from './find-merchant.ts';
import { readName } from './read-name.ts';

/** Creates a merchant with its two books. Its name is its own, whatever the case. */
export async function createMerchant(
  deps: Readonly<{ database: Queryable; now: () => Date; newId: () => string }>,
  request: Readonly<{ name: string; feeTerms: FeeTerms }>,
): Promise<Merchant> {
  const name = readName(request.name, 'merchant');
  if (parseUuid(name) !== undefined) {
    throw new AdminRefused(
      'A merchant cannot be called by a UUID, since commands take a name or an id.',
      'Choose another name.',
    );
  }
  const [id, testBookId, liveBookId] = [deps.newId(), deps.newId(), deps.newId()];
  const createdAt = deps.now();
  try {
    const { fixedMinor, basisPoints } = request.feeTerms;
    await deps.database.query(INSERT, [
      id,
      name,
      createdAt,
      testBookId,
      liveBookId,
      fixedMinor,
      basisPoints,
    ]);
  } catch (error) {
    if (violatedConstraint(error) !== 'merchants_name') throw error;
    throw new AdminRefused(
      `There is already a merchant called "${name}".`,
      'Choose another name, or see "merchants list".',
    );
  }
  const { feeTerms } = request;
  const books = { test: { id: testBookId, feeTerms }, live: { id: liveBookId, feeTerms } };
  return { id, name, createdAt, books };
}

const INSERT: Statement = {
  name: '',
  text: `
    with merchant as (
      insert into merchants (id, name, created_at) values ($1, $2, $3)
    )
    insert into books (id, merchant_id, mode, fee_fixed_minor, fee_basis_points, created_at)
    values
      ($4::uuid, $1, 'test', $6::bigint, $7::integer, $3),
      ($5::uuid, $1, 'live', $6, $7, $3)`,
};
