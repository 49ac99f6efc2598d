import type { ActDeps } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { Cells } from '../cells/cell.ts';
import { type Actor, actorCode } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import type { FeeTerms } from '../domain/fee.ts';
import { parseUuid } from '../domain/uuid.ts';
import {
  type Database,
  type Queryable,
  type Statement,
  violatedConstraint,
} from '../postgres/database.ts';
import { chooseCell } from './choose-cell.ts';
import { feeFacts } from './fee-facts.ts';
import { findMerchant, type Merchant } from './find-merchant.ts';
import { readName } from './read-name.ts';

/** A merchant that is not placed by then was left by a process that died, and any person may finish it. */
const PLACED_WITHIN_MS = 60_000;

export type MerchantRequest = Readonly<{
  actor: Actor;
  name: string;
  feeTerms: FeeTerms;
  /** The name of the cell to place it in; absent: the open one with the fewest books. */
  cell?: string | undefined;
}>;

type CreateDeps = ActDeps & Readonly<{ directory: Database; cells: Cells }>;

/** A merchant that the directory knows and its cell perhaps not yet. */
type Begun = Readonly<{
  id: string;
  name: string;
  createdAt: Date;
  cell: string;
  books: Readonly<{ test: string; live: string }>;
}>;

/**
 * Creates a merchant with its two books: in the directory, where names are unique without regard to upper and lower
 * case, then in its cell, then it is placed, and the act recorded. Where a process dies in between, the same call again
 * finishes what it began.
 */
export async function createMerchant(
  deps: CreateDeps,
  { actor, name: given, feeTerms, cell }: MerchantRequest,
): Promise<Merchant> {
  const name = readMerchantName(given);
  const begun = await actAs({ database: deps.directory }, actor, async (tx) => {
    const left = await takeOver(tx, { name, actor, at: deps.now(), cell });
    if (left !== undefined) return left;
    return begin(tx, deps, { name, actor, cell: await chooseCell(tx, deps.cells, cell) });
  });
  const { database } = deps.cells.named(begun.cell);
  await database.query(PLACE, placeValues(begun, feeTerms));
  await deps.directory.transaction(async (tx) => {
    const placed = await tx.query(NOTE_PLACED, [begun.id, deps.now()]);
    // Another call that finished it at the same moment has recorded it.
    if (placed.length === 0) throw new AdminRefused('MERCHANT_EXISTS', { name });
    await recordCreated(tx, deps, { actor, id: begun.id, name: begun.name, feeTerms });
  });
  return findMerchant(database, begun.id);
}

/**
 * The same inside one transaction of a cell whose server has the directory too: for what is made whole or not at all,
 * such as the demo merchant.
 */
export async function createMerchantIn(
  tx: Queryable,
  deps: ActDeps,
  { actor, name: given, feeTerms }: MerchantRequest,
): Promise<Merchant> {
  const name = readMerchantName(given);
  const books = {
    test: { id: deps.newId(), feeTerms },
    live: { id: deps.newId(), feeTerms },
  };
  const merchant = { id: deps.newId(), name, createdAt: deps.now(), suspendedAt: null, books };
  const ids = { test: books.test.id, live: books.live.id };
  const values = placeValues({ ...merchant, books: ids }, feeTerms);
  await refusingNamesakes(name, () => tx.query(INSERT_BOTH, values));
  await recordCreated(tx, deps, { actor, id: merchant.id, name, feeTerms });
  return merchant;
}

function readMerchantName(given: string): string {
  const name = readName(given, 'merchant');
  if (parseUuid(name) !== undefined) throw new AdminRefused('MERCHANT_NAME_IS_UUID', {});
  return name;
}

/** What was begun under this name and not placed; undefined: nothing was. Refuses a name that is another's. */
async function takeOver(
  tx: Queryable,
  {
    name,
    actor,
    at,
    cell,
  }: Readonly<{ name: string; actor: Actor; at: Date; cell: string | undefined }>,
): Promise<Begun | undefined> {
  const [row] = await tx.query<BegunRow>(FIND_NAMESAKE, [name]);
  if (row === undefined) return undefined;
  const isOwn = row.begun_by === actorCode(actor);
  const isLeft = at.getTime() - row.created_at.getTime() >= PLACED_WITHIN_MS;
  // In another cell it would leave a trace in the first one.
  const isElsewhere = cell !== undefined && cell !== row.cell;
  if (row.placed_at !== null || isElsewhere || !(isOwn || isLeft)) {
    throw new AdminRefused('MERCHANT_EXISTS', { name });
  }
  const books = { test: row.test_book_id, live: row.live_book_id };
  return { id: row.id, name: row.name, createdAt: row.created_at, cell: row.cell, books };
}

async function begin(
  tx: Queryable,
  deps: ActDeps,
  { name, actor, cell }: Readonly<{ name: string; actor: Actor; cell: string }>,
): Promise<Begun> {
  const books = { test: deps.newId(), live: deps.newId() };
  const begun = { id: deps.newId(), name, createdAt: deps.now(), cell, books };
  const values = [begun.id, name, begun.createdAt, books.test, books.live, cell, actorCode(actor)];
  await refusingNamesakes(name, () => tx.query(BEGIN, values));
  return begun;
}

async function refusingNamesakes(name: string, insert: () => Promise<unknown>): Promise<void> {
  try {
    await insert();
  } catch (error) {
    if (violatedConstraint(error) !== 'merchants_name') throw error;
    throw new AdminRefused('MERCHANT_EXISTS', { name });
  }
}

function placeValues(
  { id, name, createdAt, books }: Omit<Begun, 'cell'>,
  { fixedMinor, basisPoints }: FeeTerms,
): readonly unknown[] {
  return [id, name, createdAt, books.test, books.live, fixedMinor, basisPoints];
}

async function recordCreated(
  tx: Queryable,
  deps: ActDeps,
  created: Readonly<{ actor: Actor; id: string; name: string; feeTerms: FeeTerms }>,
): Promise<void> {
  const { actor, id, name, feeTerms } = created;
  await recordAct(tx, deps, {
    actor,
    kind: 'MERCHANT_CREATED',
    subject: name,
    merchantId: id,
    reason: null,
    before: null,
    after: { name, ...feeFacts(feeTerms) },
  });
}

type BegunRow = {
  id: string;
  name: string;
  created_at: Date;
  placed_at: Date | null;
  begun_by: string | null;
  cell: string;
  test_book_id: string;
  live_book_id: string;
};

const FIND_NAMESAKE: Statement = {
  name: '',
  text: `
    select m.id, m.name, m.created_at, m.placed_at, m.begun_by, m.cell, t.id as test_book_id, l.id as live_book_id
    from merchants m
    join books t on t.merchant_id = m.id and t.mode = 'test'
    join books l on l.merchant_id = m.id and l.mode = 'live'
    where lower(m.name) = lower($1)`,
};

const BEGIN: Statement = {
  name: '',
  text: `
    with merchant as (
      insert into merchants (id, name, created_at, cell, begun_by) values ($1, $2, $3, $6, $7)
    )
    insert into books (id, merchant_id, mode, created_at)
    values ($4::uuid, $1, 'test', $3), ($5::uuid, $1, 'live', $3)`,
};

// A call before it may have come so far. Nothing was paid yet, so the last one says what payouts cost.
const PLACE: Statement = {
  name: '',
  text: `
    with merchant as (
      insert into merchants (id, name, created_at) values ($1, $2, $3)
      on conflict (id) do nothing
    )
    insert into books (id, merchant_id, mode, fee_fixed_minor, fee_basis_points, created_at)
    values
      ($4::uuid, $1, 'test', $6::bigint, $7::integer, $3),
      ($5::uuid, $1, 'live', $6, $7, $3)
    on conflict (id) do update
    set fee_fixed_minor = excluded.fee_fixed_minor, fee_basis_points = excluded.fee_basis_points`,
};

const NOTE_PLACED: Statement = {
  name: '',
  text: 'update merchants set placed_at = $2 where id = $1 and placed_at is null returning id',
};

const INSERT_BOTH: Statement = {
  name: '',
  text: `
    with merchant as (
      insert into merchants (id, name, created_at) values ($1, $2, $3)
    ),
    listed as (
      insert into directory.merchants (id, name, created_at, cell, placed_at)
      select $1, $2, $3, c.name, $3
      from directory.cells c where c.schema = current_schema() and c.url_variable is null
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
