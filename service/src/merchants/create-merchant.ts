import type { ActDeps } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { Actor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import type { FeeTerms } from '../domain/fee.ts';
import { parseUuid } from '../domain/uuid.ts';
import {
  type Database,
  type Queryable,
  type Statement,
  violatedConstraint,
} from '../postgres/database.ts';
import { feeFacts } from './fee-facts.ts';
import type { Merchant } from './find-merchant.ts';
import { readName } from './read-name.ts';

export type MerchantRequest = Readonly<{ actor: Actor; name: string; feeTerms: FeeTerms }>;

/** Creates a merchant with its two books. Names are unique, without regard to upper and lower case. */
export async function createMerchant(
  deps: ActDeps & Readonly<{ database: Database }>,
  request: MerchantRequest,
): Promise<Merchant> {
  return actAs(deps, request.actor, (tx) => createMerchantIn(tx, deps, request));
}

/** The same inside a transaction of the caller's. */
export async function createMerchantIn(
  tx: Queryable,
  deps: ActDeps,
  { actor, name: given, feeTerms }: MerchantRequest,
): Promise<Merchant> {
  const name = readName(given, 'merchant');
  if (parseUuid(name) !== undefined) throw new AdminRefused('MERCHANT_NAME_IS_UUID', {});
  const books = {
    test: { id: deps.newId(), feeTerms },
    live: { id: deps.newId(), feeTerms },
  };
  const merchant = { id: deps.newId(), name, createdAt: deps.now(), suspendedAt: null, books };
  await insert(tx, merchant, feeTerms);
  await recordAct(tx, deps, {
    actor,
    kind: 'MERCHANT_CREATED',
    subject: name,
    merchantId: merchant.id,
    reason: null,
    before: null,
    after: { name, ...feeFacts(feeTerms) },
  });
  return merchant;
}

async function insert(
  tx: Queryable,
  { id, name, createdAt, books }: Merchant,
  { fixedMinor, basisPoints }: FeeTerms,
): Promise<void> {
  const values = [id, name, createdAt, books.test.id, books.live.id, fixedMinor, basisPoints];
  try {
    await tx.query(INSERT, values);
  } catch (error) {
    if (violatedConstraint(error) !== 'merchants_name') throw error;
    throw new AdminRefused('MERCHANT_EXISTS', { name });
  }
}

const INSERT: Statement = {
  name: '',
  text: `
    with merchant as (
      insert into merchants (id, name, created_at) values ($1, $2, $3)
    ),
    listed as (
      insert into directory.merchants (id, name, created_at, cell) values ($1, $2, $3, (select name from directory.cells where schema = current_schema()))
    ),
    listed_books as (
      insert into directory.books (id, merchant_id, mode, created_at)
      values ($4::uuid, $1, 'test', $3), ($5::uuid, $1, 'live', $3)
    )
    insert into books (id, merchant_id, mode, fee_fixed_minor, fee_basis_points, created_at)
    values
      ($4::uuid, $1, 'test', $6::bigint, $7::integer, $3),
      ($5::uuid, $1, 'live', $6, $7, $3)`,
};
