import { type Verification, verifyLedger } from '../../service/src/ledger/verify-ledger.ts';
import type { Database, Statement } from '../../service/src/postgres/database.ts';
import { MAIN_CELL, searchPathOf } from '../../service/src/schema/service-schema.ts';
import { AMOUNT_MINOR } from '../load/transfer-request.ts';
import { withBenchDatabase } from './bench-database.ts';
import { listCellPlaces } from './spread-over-cells.ts';

const PROBLEMS_NAMED_MAX = 5;
/** One book in ten is verified if there is a history: verifying all would take longer than the run. */
const SAMPLE_EVERY = 10;
const SAMPLE_SCHEMA = 'sample';

export type Wanted = Readonly<{
  /** Transfers that were answered with 201 in this run. */
  accepted: number;
  /** Finished transfers that existed before. */
  history: number;
  /** Whether everything must be final. */
  settles: boolean;
}>;

/** The databases of a side, by the addresses of their owner. */
export type SideDatabases = Readonly<{
  url: string;
  /** Of cells on a second server. */
  second: Readonly<{ url: string; serviceUrl: string }> | undefined;
}>;

/** Compares the databases with what the clients were answered. Returns the problems, in words. */
export async function problemsInDatabases(
  { url, second }: SideDatabases,
  wanted: Wanted,
): Promise<readonly string[]> {
  const listed = await withBenchDatabase(url, listCellPlaces);
  const cells = listed.map(({ schema, isElsewhere }) => ({
    schema,
    url: isElsewhere ? (second?.url ?? '') : url,
  }));
  const perCell = await Promise.all(cells.map((cell) => inCell(cell, countStored)));
  const verifications =
    wanted.history === 0
      ? await Promise.all(cells.map((cell) => inCell(cell, (database) => verifyLedger(database))))
      : [await verifySample(url)];
  return [...problemsInCounts(perCell, wanted), ...verifications.flatMap(describeProblems)];
}

function inCell<T>(
  { url, schema }: Readonly<{ url: string; schema: string }>,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  return withBenchDatabase(url, work, searchPathOf({ schema }));
}

async function countStored(database: Database): Promise<StoredRow> {
  const [stored] = await database.query<StoredRow>(COUNT);
  if (stored === undefined) throw new Error('a count without a row');
  return stored;
}

function problemsInCounts(
  perCell: readonly StoredRow[],
  { accepted, history, settles }: Wanted,
): readonly string[] {
  const inAll = (of: (stored: StoredRow) => bigint) =>
    perCell.reduce((sum, stored) => sum + of(stored), 0n);
  const problems: string[] = [];
  const compare = (what: string, found: bigint, expected: bigint) => {
    if (found !== expected) problems.push(`${what}: ${found}, but it should be ${expected}`);
  };
  const all = BigInt(accepted + history);
  const unfinished = settles ? 0n : BigInt(accepted);
  compare(
    'transfers in the database',
    inAll(({ transfers }) => transfers),
    all,
  );
  compare(
    'hold postings',
    inAll(({ holds }) => holds),
    all,
  );
  compare(
    'events of creation',
    inAll(({ events }) => events),
    all,
  );
  compare(
    'transfers that have not come to their end',
    inAll((stored) => stored.unfinished),
    unfinished,
  );
  compare(
    'held in the wallets, in minor units',
    inAll((stored) => stored.held_minor),
    unfinished * AMOUNT_MINOR,
  );
  if (!perCell.every(({ durable }) => durable))
    problems.push('PostgreSQL did not flush its commits');
  return problems;
}

/** Copies whole books into tables of the same names, which are then found first. */
async function verifySample(databaseUrl: string): Promise<Verification> {
  await withBenchDatabase(databaseUrl, (database) =>
    database.transaction(async (tx) => {
      for (const text of TAKE_SAMPLE) await tx.query({ name: '', text });
    }),
  );
  const verify = async (database: Database) => {
    const verification = await verifyLedger(database);
    if (verification.transfersChecked === 0) throw new Error('the sample of books is empty');
    return verification;
  };
  return withBenchDatabase(databaseUrl, verify, [SAMPLE_SCHEMA, ...searchPathOf(MAIN_CELL)]);
}

function describeProblems({ ok, problems, problemsTotal }: Verification): readonly string[] {
  if (ok) return [];
  return [
    `the ledger has ${problemsTotal} problems`,
    ...problems.slice(0, PROBLEMS_NAMED_MAX).map(({ check, message }) => `${check}: ${message}`),
  ];
}

type StoredRow = {
  durable: boolean;
  transfers: bigint;
  unfinished: bigint;
  holds: bigint;
  events: bigint;
  held_minor: bigint;
};

// The database belongs to one side: its content comes from this run.
const COUNT: Statement = {
  name: '',
  text: `
    select current_setting('fsync') = 'on' and current_setting('synchronous_commit') = 'on' as durable,
           (select count(*) from transfers) as transfers,
           (select count(*) from transfers where completed_at is null) as unfinished,
           (select count(*) from postings where kind = 'hold') as holds,
           (select count(*) from events where type = 'transfer.created') as events,
           (select coalesce(sum(held_minor), 0)::bigint from wallets) as held_minor`,
};

const TAKE_SAMPLE: readonly string[] = [
  `set local statement_timeout = '10min'`,
  `create schema ${SAMPLE_SCHEMA}`,
  `create table ${SAMPLE_SCHEMA}.books as
     select b.* from (select b.*, row_number() over (order by id) as n from public.books b
       where id in (select book_id from public.wallets)) b
     where n % ${SAMPLE_EVERY} = 0`,
  ...['wallets', 'transfers', 'postings', 'events'].map(
    (table) =>
      `create table ${SAMPLE_SCHEMA}.${table} as
         select t.* from public.${table} t
         where t.book_id in (select id from ${SAMPLE_SCHEMA}.books)`,
  ),
  `analyze`,
];
