import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { volume } from '../../scripts/test-volume.ts';
import { expireWaiting } from '../src/approvals/transfers/expire-waiting.ts';
import { findWaiting, listWaiting } from '../src/approvals/transfers/find-waiting.ts';
import { createControlSnapshots } from '../src/controls/control-snapshots.ts';
import {
  countToNumbers,
  findPaidNumbers,
  findSimilarToNumbers,
} from '../src/controls/recipient-past.ts';
import type { Book } from '../src/domain/book.ts';
import type { NextStep } from '../src/domain/standing.ts';
import type { Transfer } from '../src/domain/transfer.ts';
import { placeEvents } from '../src/events/place-events.ts';
import { listPostings } from '../src/ledger/list-postings.ts';
import { readFigures } from '../src/overview/read-figures.ts';
import { readHeld } from '../src/overview/read-needs.ts';
import type { Database, Row, Statement } from '../src/postgres/database.ts';
import { listLooks } from '../src/timelines/list-looks.ts';
import { commitTransfers } from '../src/transfers/accept/commit-transfers.ts';
import { acceptTransfer } from '../src/transfers/accept/prepared-transfer.ts';
import { applyCallbacks } from '../src/transfers/callbacks/apply-callbacks.ts';
import { claimDue, claimScheduled, expireLeases } from '../src/transfers/move/claim-due.ts';
import { moveTransfers } from '../src/transfers/move/move-transfers.ts';
import { reassignRemovedRoutes } from '../src/transfers/move/reassign-removed-routes.ts';
import { countUnfinished } from '../src/transfers/read/count-unfinished.ts';
import { findSimilar } from '../src/transfers/read/find-similar.ts';
import { findTransfer, findTransferByReference } from '../src/transfers/read/find-transfer.ts';
import { listTransfers, NO_FILTER } from '../src/transfers/read/list-transfers.ts';
import { readHistory } from '../src/transfers/read/read-history.ts';
import { searchTransfers } from '../src/transfers/read/search-transfers.ts';
import { listEvents } from '../src/views/list-events.ts';
import { renderEvents } from '../src/views/render-event.ts';
import { showTransfers } from '../src/views/show-transfers.ts';
import { claimDeliveries, FIRST_ENDPOINT } from '../src/webhooks/claim-deliveries.ts';
import { readTransferDeliveries } from '../src/webhooks/read-transfer-deliveries.ts';
import { recordAttempts } from '../src/webhooks/record-attempts.ts';
import { prepareTransfer } from './stored-transfer.ts';
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
/** Two sizes of the past: what grows with it shows in the difference. */
const FINISHED_BEFORE = volume({ usual: 5_000, full: 20_000 });
const FINISHED = volume({ usual: 25_000, full: 100_000 });
const BOOKS = 10;
/**
 * An index of five times the size is slightly deeper; a statement that reads all finished rows costs five times as
 * much.
 */
const COST_GROWTH_MAX = 2;
const COST_SLACK = 50;

/** Statements for groups are planned once for all values; the others for the given values. */
type HotStatement = Readonly<{ name: string; text: string; values: readonly unknown[] | 'any' }>;
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

type PlanRow = { 'QUERY PLAN': readonly Readonly<{ Plan: Plan }>[] };

function nodesOf(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

const NEEDED = [
  'store-transfers',
  'store-transfers-with-options',
  'lock-wallets',
  'find-known-transfers',
  'move-transfers',
  'claim-due-submissions',
  'claim-due-inquiries',
  'claim-scheduled',
  'claim-deliveries',
  'record-attempts',
  'apply-callbacks',
  'place-events',
  'find-transfer',
  'find-transfer-by-reference',
];

/** Takes the statements from the code itself: it runs against a fake database that records them. */
async function listHotStatements(book: Book): Promise<readonly HotStatement[]> {
  const heard: HotStatement[] = [];
  const listen = (values: 'any' | 'given', name?: string): Database => {
    const query = async <R extends Row>(
      statement: Statement,
      given: readonly unknown[] = [],
    ): Promise<R[]> => {
      if (!heard.some(({ text }) => text === statement.text && name === undefined)) {
        const known = name ?? statement.name;
        const isSame = (other: HotStatement) => other.name.split(' ')[0] === known;
        const same = heard.filter(isSame).length;
        heard.push({
          name: same === 0 ? known : `${known} ${same + 1}`,
          text: statement.text,
          values: values === 'any' ? 'any' : given,
        });
      }
      return [];
    };
    return {
      query,
      transaction: (work) => work({ query }),
      waiting: () => 0,
      isReady: () => Promise.resolve(true),
      close: () => Promise.resolve(),
    };
  };
  await runWrites(listen('any'), book);
  await runReads((name) => listen('given', name), book);
  return heard;
}

async function runWrites(database: Database, book: Book): Promise<void> {
  const now = () => new Date();
  const leaseOwner = randomUUID();
  const prepared = prepareTransfer(book, { walletId: randomUUID(), idempotencyKey: 'key' });
  // The fake database never reports that a group fits, so the group is also decided one by one.
  const controls = createControlSnapshots({ database });
  await commitTransfers({ database, leaseOwner, now, controls }, [prepared]);
  const options = { metadata: { batch: '1' }, sendAt: now() };
  const scheduled = prepareTransfer(book, { walletId: randomUUID(), ...options });
  await commitTransfers({ database, leaseOwner, now, controls }, [scheduled]);
  const number = { bookId: book.id, phone: '+260977433571', since: now() };
  await countToNumbers(database, [{ ...number, currency: 'ZMW' }]);
  await findPaidNumbers(database, [number]);
  await findSimilarToNumbers(database, [{ ...number, amountMinor: 1n }]);
  const { transfer } = acceptTransfer(prepared, now());
  const move = { transfer, step: PAID, actor: 'test', needsLease: true, leaseFor: null };
  await moveTransfers(database, { moves: [move], mover: leaseOwner, at: now() });
  const claim = { route: 'sandbox', leaseOwner, afterBook: randomUUID(), max: 1_000 };
  await claimDue(database, { ...claim, due: 'submission' });
  await claimDue(database, { ...claim, due: 'inquiry' });
  await claimScheduled(database, { ...claim, leaseMs: 1_000 });
  await claimDeliveries(database, {
    leaseOwner,
    afterEndpoint: FIRST_ENDPOINT,
    taken: [],
    perEndpointMax: 10,
    max: 1_000,
  });
  await recordDelivered(database, { book, transfer, leaseOwner });
  await applyCallbacks(database, { at: now(), families: new Map() });
  await database.transaction(placeEvents);
}

/** What the screens of a merchant read. */
async function runMerchantReads(listen: (name?: string) => Database, book: Book): Promise<void> {
  const now = new Date();
  for (const [name, text] of [
    ['search-number', RARE_PHONE],
    ['search-id', finishedId(1)],
    ['search-receipt', 'receipt-1'],
  ] as const) {
    await searchTransfers(listen(name), { book, text, now });
  }
  const sought = { phone: RARE_PHONE, amountMinor: 100n, reference: null, now };
  await findSimilar(listen('find-similar'), { book, sought });
  const about = { bookId: book.id, subjectId: finishedId(1), times: [now] };
  await readTransferDeliveries(listen('read-transfer-deliveries'), about);
  await listLooks(listen('list-looks'), { bookId: book.id, transferId: finishedId(1) });
  await readHeld(listen('read-held'), book.id);
  const page = { after: null, limit: 50 };
  await listWaiting(listen('list-waiting'), book, page);
  await findWaiting(listen('find-waiting'), book, [finishedId(1)]);
  const moves = { submit: async () => true };
  await expireWaiting({ database: listen('expire-waiting'), moves });
  const period = { from: now, to: new Date(now.getTime() + 600_000) };
  await readFigures(listen('read-figures'), { bookId: book.id, periods: [period] });
}

async function recordDelivered(
  database: Database,
  { book, transfer, leaseOwner }: { book: Book; transfer: Transfer; leaseOwner: string },
): Promise<void> {
  const at = new Date();
  const delivery = {
    bookId: book.id,
    id: randomUUID(),
    endpointId: randomUUID(),
    subjectId: transfer.id,
    eventSeq: 1,
    attempts: 0,
    scheduleAttempts: 0,
    createdAt: at,
    endpoint: undefined,
  };
  const outcome = { kind: 'answered', status: 200, answer: '' } as const;
  await recordAttempts({ database, leaseOwner, now: () => at, pace: 1 }, [
    { delivery, at, elapsedMs: 1, outcome, retryInMs: null },
  ]);
}

async function runReads(listen: (name?: string) => Database, book: Book): Promise<void> {
  const id = finishedId(1);
  const key = { bookId: book.id, subjectId: id, seq: 1 };
  await findTransfer(listen(), { bookId: book.id, mode: 'test', id });
  await findTransferByReference(listen(), { bookId: book.id, mode: 'test', reference: 'r-1' });
  await readHistory(listen(), { bookId: book.id, id });
  const list = { book, filter: NO_FILTER, page: { limit: 50, before: null } };
  await listTransfers(listen('list-transfers'), list);
  const page = { limit: 50, before: finishedId(FINISHED_BEFORE / 2) };
  await listTransfers(listen('list-transfers-from-the-middle'), { ...list, page });
  const one = { ...NO_FILTER, references: ['r-1'] };
  await listTransfers(listen('list-transfers-of-a-reference'), { ...list, filter: one });
  const many = { ...NO_FILTER, references: Array.from({ length: 20 }, (_, n) => `r-${n}`) };
  await listTransfers(listen('list-transfers-of-many-references'), { ...list, filter: many });
  const paidTo = { ...NO_FILTER, phone: RARE_PHONE };
  await listTransfers(listen('list-transfers-of-a-number'), { ...list, filter: paidTo });
  const inBatch = { ...NO_FILTER, metadata: { key: 'batch', value: '1' } };
  await listTransfers(listen('list-transfers-by-metadata'), { ...list, filter: inBatch });
  await listTransfers(listen('list-transfers-by-metadata-from-the-middle'), {
    ...list,
    filter: inBatch,
    page,
  });
  await runMerchantReads(listen, book);
  const walletId = WALLET_OF_FIRST_BOOK;
  const statement = { bookId: book.id, walletId, from: null, to: null, limit: 50 };
  await listPostings(listen('list-postings'), { ...statement, before: null });
  await listPostings(listen('list-postings-from-the-middle'), { ...statement, before: 1_000n });
  const feed = { bookId: book.id, type: null, limit: 50 };
  await listEvents(listen('list-events'), { ...feed, after: null });
  await listEvents(listen('list-events-from-the-end'), {
    ...feed,
    after: { batch: 999_999_999n, place: 1 },
  });
  await renderEvents(listen('read-events'), [key]);
  await countUnfinished(listen());
  await expireLeases(listen('expire-leases'));
  await reassignRemovedRoutes(listen('count-stranded'), { routes: ['sandbox'], replacements: [] });
  const event = { ...key, type: 'transfer.created', toState: 'queued', cause: '' } as const;
  await showTransfers(listen(), [{ ...event, createdAt: new Date(), mode: 'test' }]);
}

const PAID: NextStep = {
  to: 'succeeded',
  cause: 'test',
  failure: null,
  operatorTransactionId: 'test',
  nextActionInMs: null,
  checks: 0,
  notFoundAnswers: 0,
  needsPerson: false,
};

/** Paid once in a thousand transfers. */
const RARE_PHONE = '+260977000000';

/** Ids and books in the order of creation, from a number alone. */
const FIRST_BOOK_ID = numbered(1);
const WALLET_OF_FIRST_BOOK = numbered(1);

function numbered(n: number): string {
  return `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
}

/** The id of the n-th finished transfer. */
function finishedId(n: number): string {
  return numbered(n);
}

async function seedBooks(client: Client): Promise<Book> {
  for (const text of SEED_BOOKS) await client.query(text);
  return {
    id: FIRST_BOOK_ID,
    merchantId: numbered(1),
    mode: 'test',
    feeTerms: { fixedMinor: 0n, basisPoints: 0 },
    isSuspended: false,
    controlsVersion: null,
  };
}

/** Finished transfers with all their rows, and a few that are not finished. */
async function seedFinished(
  client: Client,
  { from, to }: Readonly<{ from: number; to: number }>,
): Promise<void> {
  for (const text of SEED_FINISHED) await client.query(text, [from + 1, to]);
  // Analyzes all tables: for a table that was never analyzed, the plan would change when autovacuum runs.
  await client.query('analyze');
}

const NUMBERED = (n: string) => `('00000000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
const BOOK_OF = (n: string) => NUMBERED(`1 + ${n} % ${BOOKS}`);

const SEED_BOOKS = [
  `insert into merchants (id, name, created_at)
   select ${NUMBERED('n')}, 'Merchant ' || n, now() from generate_series(1, ${BOOKS}) n`,
  `insert into books (id, merchant_id, mode, created_at)
   select ${NUMBERED('n')}, ${NUMBERED('n')}, 'test', now() from generate_series(1, ${BOOKS}) n`,
  `insert into wallets (book_id, id, currency, name, created_at)
   select ${NUMBERED('n')}, ${NUMBERED('n')}, 'ZMW', 'Test', now()
   from generate_series(1, ${BOOKS}) n`,
  `insert into webhook_endpoints (book_id, id, url, secret_sealed, created_at)
   select ${NUMBERED('n')}, ${NUMBERED('n')}, 'https://example.com', repeat('x', 40)::bytea, now()
   from generate_series(1, ${BOOKS}) n`,
  // Ten queued transfers in each book, and ten under way.
  `insert into transfers (
     book_id, id, wallet_id, reference, state, amount_minor, fee_minor, currency, phone, operator,
     country, operator_reference, event_seq, next_action_at, created_at, updated_at
   )
   select ${BOOK_OF('n')}, gen_random_uuid(), ${BOOK_OF('n')}, 'live-' || n,
          case when n % 2 = 0 then 'queued' else 'submitting' end, 100, 0, 'ZMW', '+260977433571',
          'mtn', 'zm', gen_random_uuid(), 1, now(), now(), now()
   from generate_series(1, ${BOOKS * 20}) n`,
  // Ten scheduled in each book.
  `insert into transfers (
     book_id, id, wallet_id, reference, state, amount_minor, fee_minor, currency, phone, operator,
     country, operator_reference, route, event_seq, send_at, next_action_at, created_at, updated_at
   )
   select ${BOOK_OF('n')}, gen_random_uuid(), ${BOOK_OF('n')}, 'scheduled-' || n, 'scheduled', 100, 0,
          'ZMW', '+260977433571', 'mtn', 'zm', gen_random_uuid(), '-', 1, now(), now(), now(), now()
   from generate_series(1, ${BOOKS * 10}) n`,
  `insert into deliveries (
     book_id, id, endpoint_id, subject_id, event_seq, next_attempt_at, created_at
   )
   select ${BOOK_OF('n')}, gen_random_uuid(), ${BOOK_OF('n')}, gen_random_uuid(), 1, now(), now()
   from generate_series(1, ${BOOKS * 10}) n`,
];

const SEED_FINISHED = [
  `insert into transfer_metadata (book_id, key, value, transfer_id)
   select ${BOOK_OF('n')}, 'batch', (n % 1000)::text, ${NUMBERED('n')}
   from generate_series($1::integer, $2::integer) n`,
  `insert into transfers (
     book_id, id, wallet_id, reference, idempotency_key, state, amount_minor, fee_minor, currency,
     phone, operator, country, operator_reference, operator_transaction_id, event_seq, created_at,
     updated_at, completed_at
   )
   select ${BOOK_OF('n')}, ${NUMBERED('n')}, ${BOOK_OF('n')}, 'r-' || n, 'k-' || n, 'succeeded', 100,
          0, 'ZMW', '+260977' || lpad((n % 1000)::text, 6, '0'), 'mtn', 'zm', gen_random_uuid(),
          'receipt-' || n, 2, now(), now(), now()
   from generate_series($1::integer, $2::integer) n`,
  `insert into postings (
     book_id, wallet_id, seq, kind, from_account, to_account, amount_minor, currency, transfer_id,
     available_after_minor, held_after_minor, created_at
   )
   select ${BOOK_OF('n')}, ${BOOK_OF('n')}, 2 * n + leg, case leg when 0 then 'hold' else 'settle' end,
          case leg when 0 then 'available' else 'held' end,
          case leg when 0 then 'held' else 'clearing:mtn:zm' end, 100, 'ZMW', ${NUMBERED('n')}, 0, 0,
          now()
   from generate_series($1::integer, $2::integer) n cross join generate_series(0, 1) leg`,
  `insert into events (
     book_id, subject_id, seq, type, from_state, to_state, cause, actor, created_at, queued
   )
   select ${BOOK_OF('n')}, ${NUMBERED('n')}, seq,
          case seq when 1 then 'transfer.created' else 'transfer.successful' end,
          case seq when 1 then null else 'submitting' end,
          case seq when 1 then 'submitting' else 'succeeded' end, 'test', 'test', now(),
          true
   from generate_series($1::integer, $2::integer) n cross join generate_series(1, 2) seq`,
  `insert into feed_batches (book_id, number, subject_ids, seqs)
   select ${BOOK_OF('n')}, n, array[${NUMBERED('n')}, ${NUMBERED('n')}], array[1, 2]
   from generate_series($1::integer, $2::integer) n`,
  `insert into deliveries (
     book_id, id, endpoint_id, subject_id, event_seq, state, attempts, created_at
   )
   select ${BOOK_OF('n')}, ${NUMBERED('n')}, ${BOOK_OF('n')}, ${NUMBERED('n')}, 1, 'delivered', 1,
          now() + n * interval '1 ms'
   from generate_series($1::integer, $2::integer) n`,
  `insert into callbacks (
     id, route, method, headers, body, reading, operator_reference, claims, verified, received_at,
     handled_at, handled_as
   )
   select ${NUMBERED('n')}, 'mtn', 'PUT', '{}', '', 'read', gen_random_uuid(), 'paid', false, now(),
          now(), 'NOTHING_NEW'
   from generate_series($1::integer, $2::integer) n`,
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
