import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { volume } from '../../scripts/test-volume.ts';
import { FINISHED_BEFORE, seedBooks, seedFinished } from './finished-rows.ts';
import { type HotStatement, listHotStatements } from './hot-statements.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** Tables that keep finished rows. */
const GROWING = [
  'transfers',
  'postings',
  'events',
  'deliveries',
  'delivery_attempts',
  'attempts',
  'callbacks',
  'feed_batches',
  'transfer_metadata',
];
/** The larger size of the past. */
const FINISHED = volume({ usual: 25_000, full: 100_000 });
/**
 * An index of five times the size is slightly deeper; a statement that reads all finished rows costs five times as
 * much.
 */
const COST_GROWTH_MAX = 2;
/** A few rows more in an estimate are no fault: reading all finished rows costs thousands. */
const COST_SLACK = 400;

type Plan = Readonly<{
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Total Cost': number;
  Plans?: readonly Plan[];
}>;

describe('the plans of the hot statements', () => {
  let test: TestDatabase;
  let client: Client;
  let statements: readonly HotStatement[];
  let costsBefore: ReadonlyMap<string, number>;
  /** The table of each index, and whether it contains only unfinished rows. */
  let indexes: ReadonlyMap<string, Readonly<{ table: string; partial: boolean }>>;

  before(async () => {
    test = await createTestDatabase();
    client = new Client({ connectionString: test.connectionString });
    await client.connect();
    await client.query('set synchronous_commit = off');
    const book = await seedBooks(client);
    await seedFinished(client, { from: 0, to: FINISHED_BEFORE });
    statements = await listHotStatements(book);
    const costs = new Map<string, number>();
    for (const one of statements) costs.set(one.name, (await planOf(one))['Total Cost']);
    costsBefore = costs;
    await seedFinished(client, { from: FINISHED_BEFORE, to: FINISHED });
    indexes = await readIndexes(client);
  });
  after(async () => {
    await client.end();
    await test.drop();
  });

  async function planOf({ text, values }: HotStatement): Promise<Plan> {
    const result =
      values === 'any'
        ? await client.query<PlanRow>(`explain (generic_plan, format json) ${text}`)
        : await client.query<PlanRow>(`explain (format json) ${text}`, [...values]);
    const plan = result.rows[0]?.['QUERY PLAN'][0]?.Plan;
    assert.ok(plan !== undefined);
    return plan;
  }

  async function problems(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const statement of statements) {
      const plan = await planOf(statement);
      const costMax = (costsBefore.get(statement.name) ?? 0) * COST_GROWTH_MAX + COST_SLACK;
      if (plan['Total Cost'] > costMax) {
        found.push(`${statement.name}: costs ${plan['Total Cost']}, and may cost ${costMax}`);
      }
      for (const node of nodesOf(plan)) {
        const problem = problemOf(node);
        if (problem !== undefined) found.push(`${statement.name}: ${problem}`);
      }
    }
    return found;
  }

  function problemOf(node: Plan): string | undefined {
    const type = node['Node Type'];
    const index = indexes.get(node['Index Name'] ?? '');
    const table = index?.table ?? node['Relation Name'];
    if (table === undefined || !GROWING.includes(table)) return undefined;
    if (type === 'Seq Scan') return `reads all of ${table}`;
    const isWalk = type.startsWith('Index') || type === 'Bitmap Index Scan';
    if (!isWalk || node['Index Cond'] !== undefined || index?.partial === true) return undefined;
    return `walks all of ${node['Index Name']}`;
  }

  it('cover every statement that a transfer, its readers or its webhooks need', () => {
    const names = statements.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length, names.join(', '));
    for (const needed of NEEDED) assert.ok(names.includes(needed), `${needed} is missing`);
  });

  it('scan no whole table, and cost the same with five times as many finished rows', async () => {
    assert.deepEqual(await problems(), []);
  });

  // From the average alone, every index that begins with the book would look as good as the one with the whole key.
  it('look up transfers by the whole key where nearly all books have one transfer', async () => {
    await client.query('begin');
    try {
      await client.query(`delete from transfers where state = 'succeeded'`);
      await client.query(ONE_TRANSFER_EACH);
      await client.query('analyze transfers');
      for (const statement of statements.filter(({ name }) => BY_WHOLE_KEY.includes(name))) {
        const conditions = nodesOf(await planOf(statement))
          .filter((node) => indexes.get(node['Index Name'] ?? '')?.table === 'transfers')
          .map((node) => node['Index Cond'] ?? '');
        assert.notDeepEqual(conditions, [], statement.name);
        for (const condition of conditions) {
          assert.match(
            condition,
            / AND (\(id|\(\(reference\)::text|\(\(idempotency_key\)::text) = /,
            statement.name,
          );
        }
      }
    } finally {
      await client.query('rollback');
    }
  });

  // In a young service. Until the table has four times as many rows, the plan also serves a book which has many.
  for (const [name, table, wholeKey] of [
    ['read-events', 'events', / AND \(subject_id = .* AND .*seq/],
    ['store-and-take-callbacks', 'transfers', /operator_reference = | AND \(id = /],
  ] as const) {
    it(`look up ${table} by the whole key where nearly all books have few: ${name}`, async () => {
      await client.query('begin');
      try {
        for (const text of FEW_EACH) await client.query(text);
        const statement = statements.find((one) => one.name === name);
        assert.ok(statement !== undefined);
        const conditions = nodesOf(await planOf(statement))
          .filter((node) => indexes.get(node['Index Name'] ?? '')?.table === table)
          .map((node) => node['Index Cond'] ?? '');
        assert.notDeepEqual(conditions, []);
        for (const condition of conditions) assert.match(condition, wholeKey);
      } finally {
        await client.query('rollback');
      }
    });
  }

  // The index of all that is due would stand in for it: a payroll that waits for its time is in that one.
  it('look for what is asked about after its end in the index of that alone', async () => {
    for (const name of ['find-books-in-question', 'find-paid-again-by-hash']) {
      const statement = statements.find((one) => one.name === name);
      assert.ok(statement !== undefined);
      const used = nodesOf(await planOf(statement)).map((node) => node['Index Name']);
      assert.ok(used.includes('transfers_asked_after_end'), `${name}: ${used.join(', ')}`);
    }
  });

  // Each of them serves one of the statements: without it this test must fail.
  for (const drop of [
    'alter table transfers drop constraint transfers_pkey',
    'alter table transfers drop constraint transfers_book_id_reference_key',
    'drop index transfers_idempotency_key',
    'drop index transfers_to_submit',
    'drop index transfers_to_ask',
    'alter table postings drop constraint postings_pkey',
    'alter table events drop constraint events_pkey',
    // The index by number alone would stand in for it, at the cost of the batches of all books.
    'drop index feed_batches_by_number; alter table feed_batches drop constraint feed_batches_pkey',
    'alter table deliveries drop constraint deliveries_pkey',
    'drop index deliveries_due',
    'drop index transfers_unfinished_reference',
    'drop index transfers_finished_reference',
    'drop index callbacks_unhandled',
    'drop index transfers_of_phone',
    'drop index transfers_awaiting',
    'drop index transfers_of_receipt',
    'drop index deliveries_of_endpoint',
    'alter table transfer_metadata drop constraint transfer_metadata_pkey',
  ]) {
    it(`would be noticed after: ${drop}`, async () => {
      await client.query('begin');
      try {
        await client.query(drop);
        assert.notDeepEqual(await problems(), []);
      } finally {
        await client.query('rollback');
      }
    });
  }
});

const BY_WHOLE_KEY = [
  'move-transfers',
  'find-transfer',
  'find-transfer-by-reference',
  'find-known-transfers',
];

const ONE_TRANSFER_EACH = `
  insert into transfers (
    book_id, id, wallet_id, reference, idempotency_key, state, amount_minor, fee_minor, currency, phone,
    operator, country, operator_reference, event_seq, next_action_at, created_at, updated_at
  )
  select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'only', 'only', 'submitting', 100, 0,
         'ZMW', '+260977433571', 'mtn', 'zm', gen_random_uuid(), 1, now(), now(), now()
  from generate_series(1, 5000)`;

const FEW_EACH = [
  'alter table events disable trigger user; truncate events',
  'alter table transfers disable trigger user; truncate transfers',
  `insert into merchants (id, name, created_at)
   select ('00000000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Small ' || n, now()
   from generate_series(1, 100) n`,
  `insert into books (id, merchant_id, mode, created_at)
   select id, id, 'live', now() from merchants where name like 'Small %'`,
  `insert into events (book_id, subject_id, seq, type, to_state, cause, actor, created_at, queued)
   select m.id, gen_random_uuid(), seq, 'transfer.created', 'queued', 'test', 'test', now(), true
   from merchants m cross join generate_series(1, 7) seq
   where m.name like 'Small %'`,
  `insert into transfers (
    book_id, id, wallet_id, reference, state, amount_minor, fee_minor, currency, phone,
    operator, country, operator_reference, event_seq, next_action_at, created_at, updated_at
  )
  select m.id, gen_random_uuid(), m.id, 'r-' || n, 'submitted', 100, 0,
         'ZMW', '+260977433571', 'mtn', 'zm', gen_random_uuid(), 1, now(), now(), now()
  from merchants m cross join generate_series(1, 4) n
  where m.name like 'Small %'`,
  'analyze merchants, books, events, transfers',
];

type PlanRow = { 'QUERY PLAN': readonly Readonly<{ Plan: Plan }>[] };

function nodesOf(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

const NEEDED = [
  'store-transfers',
  'store-transfers-with-options',
  'lock-wallets',
  'find-known-transfers',
  'find-books-in-question',
  'find-paid-again',
  'find-paid-again-by-hash',
  'move-transfers',
  'claim-due-submissions',
  'claim-due-inquiries',
  'claim-scheduled',
  'claim-deliveries',
  'record-attempts',
  'apply-callbacks',
  'apply-and-take-callbacks',
  'give-back-callback',
  'place-events',
  'find-transfer',
  'find-transfer-by-reference',
];

async function readIndexes(client: Client) {
  const { rows } = await client.query<{ name: string; table: string; partial: boolean }>(`
    select i.relname as name, t.relname as table, x.indpred is not null as partial
    from pg_index x
    join pg_class i on i.oid = x.indexrelid
    join pg_class t on t.oid = x.indrelid
    where t.relnamespace = 'public'::regnamespace`);
  return new Map(rows.map(({ name, table, partial }) => [name, { table, partial }]));
}
