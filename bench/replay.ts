import { randomBytes, randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import type { Book } from '../service/src/domain/book.ts';
import { createReplays } from '../service/src/policies/replay/replay-draft.ts';
import type { Database } from '../service/src/postgres/database.ts';
import { openBenchServer, withBenchDatabase } from './database/bench-database.ts';
import { createTarget } from './database/create-targets.ts';

/** How long a replay over a million transfers may take. */
const BAR_SECONDS = 60;
const BAR_TRANSFERS = 1_000_000;
const DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;
const RULES = 200;
/** A statement of the service's connections ends after some seconds. */
const STORED_AT_ONCE = 20_000;

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const { values } = parseArgs({ options: { transfers: { type: 'string' } } });
const transfers = Number(values.transfers ?? BAR_TRANSFERS);
if (!Number.isInteger(transfers) || transfers < 1) {
  throw new Error('--transfers must be a whole number from 1 on');
}

/** Replays a draft of all kinds of rules, with a policy in force beside it. 1: it took too long. */
async function measure(database: Database): Promise<number> {
  const book = await readBook(database);
  say(`storing ${transfers} transfers of ${DAYS} days`);
  const actor = `key:${randomUUID()}`;
  for (let from = 1; from <= transfers; from += STORED_AT_ONCE) {
    const to = Math.min(transfers, from + STORED_AT_ONCE - 1);
    await database.query(statement(FILL), [book.id, transfers, DAYS, from, to, actor]);
  }
  for (const table of ['transfers', 'events']) {
    await database.query(statement(`vacuum (analyze) ${table}`));
  }
  await storePolicies(database, book.id);

  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  let peakBytes = 0;
  const memory = setInterval(() => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  }, 20);
  const [cpuAtStart, serverCpuAtStart] = [process.cpuUsage(), server.cpuUs()];
  const startedMs = performance.now();
  const now = () => new Date();
  const monotonicMs = () => performance.now();
  const result = await createReplays({ database, now, monotonicMs }).replay({
    book,
    from: new Date(Date.now() - (DAYS + 1) * DAY_MS),
    to: new Date(),
    isAbandoned: () => false,
  });
  const seconds = (performance.now() - startedMs) / 1_000;
  const { user, system } = process.cpuUsage(cpuAtStart);
  const serverCpuUs = (server.cpuUs() ?? Number.NaN) - (serverCpuAtStart ?? Number.NaN);
  clearInterval(memory);
  if (result.transfers !== transfers) throw new Error(`${result.transfers} were replayed`);

  const figures = {
    transfers,
    rules: RULES,
    seconds: Number(seconds.toFixed(2)),
    perSecond: Math.round(transfers / seconds),
    secondsForMillion: Number(((seconds / transfers) * BAR_TRANSFERS).toFixed(1)),
    cpuSeconds: {
      process: Number(((user + system) / 1e6).toFixed(2)),
      postgres: Number((serverCpuUs / 1e6).toFixed(2)),
    },
    peakMiB: Math.round(peakBytes / 2 ** 20),
    eventLoopDelayMs: {
      p99: Number((delays.percentile(99) / 1e6).toFixed(1)),
      max: Number((delays.max / 1e6).toFixed(1)),
    },
    refused: result.refused,
    approvals: result.approvals,
    isExact: result.isExact,
  };
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
  return figures.secondsForMillion <= BAR_SECONDS ? 0 : 1;
}

function statement(text: string) {
  return { name: '', text };
}

async function readBook(database: Database): Promise<Book> {
  const [row] = await database.query<{ id: string; merchant_id: string }>(
    statement(`
      select b.id, b.merchant_id from books b
      where b.mode = 'live' and exists (select from wallets w where w.book_id = b.id)`),
  );
  if (row === undefined) throw new Error('the template has no book');
  return {
    id: row.id,
    merchantId: row.merchant_id,
    mode: 'live',
    feeTerms: { fixedMinor: 0n, basisPoints: 0 },
    isSuspended: false,
    controlsVersion: null,
  };
}

/** Rules with every kind of question about the past, and many that only the order decides. */
function makeDocument(): object {
  const asking = [
    { sum: { by: 'wallet', day: true, above: '5000000.00' } },
    { sum: { by: 'operator', window: 'P7D', above: '90000000.00' } },
    { count: { by: 'recipient', window: 'P1D', above: 3 } },
    { count: { by: 'key', window: 'PT1H', above: 5_000 } },
    { similarWithin: 'PT24H' },
    { firstPayment: true, amountAtLeast: '900.00' },
    { onAllowList: true },
    { nameMatch: ['mismatch'] },
    { hours: { zone: 'Africa/Lusaka', days: ['sat', 'sun'], from: '18:00', to: '06:00' } },
  ];
  const plain = Array.from({ length: RULES - asking.length }, (_, index) => ({
    amountAtLeast: `${900 + index}.00`,
    source: ['api', 'file'],
    operator: ['mtn', 'airtel'],
  }));
  const rules = [...asking, ...plain].map((when, index) => ({
    name: `rule ${index}`,
    when,
    require: index < 2 ? { refuse: true } : { approvals: 1, of: ['approver', 'owner'] },
  }));
  return { rules };
}

async function storePolicies(database: Database, bookId: string): Promise<void> {
  const text = JSON.stringify(makeDocument());
  const [one, two] = [randomUUID(), randomUUID()];
  const hash = randomBytes(32).toString('hex');
  await database.query(statement(STORE_DRAFT), [bookId, text, hash, one]);
  await database.query(statement(STORE_POLICY), [bookId, text, hash, one, two]);
}

/** Ids begin with the time, as those of the service do. Half of the numbers are paid once, the others often. */
const FILL = `
  with stored as (
    insert into transfers (
      book_id, id, wallet_id, reference, state, amount_minor, fee_minor, currency, phone, operator, country,
      recipient_name, operator_reference, event_seq, created_at, updated_at, completed_at
    )
    select $1, (
        lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || '8000'
          || lpad(to_hex(n), 12, '0')
      )::uuid, w.id, 'replay-' || n, 'succeeded', 100 + (n::bigint * 7919) % 100000, 0, 'ZMW',
      '+26097' || lpad((case when n % 2 = 0 then n else n % 20000 end)::text, 7, '0'),
      case n % 3 when 0 then 'airtel' else 'mtn' end, 'zm', 'Chanda Mwansa', gen_random_uuid(), 1, at, at, at
    from wallets w, generate_series($4::integer, $5::integer) n,
      lateral (
        select now() - make_interval(days => $3::integer)
          + make_interval(secs => n * ($3::double precision * 86400 - 60) / $2::integer) as at
      ) times
    where w.book_id = $1
    returning book_id, id, created_at
  )
  insert into events (book_id, subject_id, seq, type, to_state, cause, actor, created_at)
  select book_id, id, 1, 'transfer.created', 'queued', 'ACCEPTED', $6, created_at from stored`;

const STORE_DRAFT = `
  insert into policy_drafts (book_id, document, content_hash, changed_by, changed_by_name, changed_at)
  values ($1, $2::json, $3, $4, 'Bench', now())`;

const STORE_POLICY = `
  insert into policies (
    book_id, version, document, content_hash, published_by, published_by_name, confirmed_by, confirmed_by_name,
    published_at
  )
  values ($1, 1, $2::json, $3, $4, 'Bench', $5, 'Bench', now())`;

const server = await openBenchServer({ say });
try {
  await server.prepare((database) => createTarget(database, { name: 'Replayed', mode: 'live' }));
  process.exitCode = await withBenchDatabase(await server.clone('replay'), measure);
} finally {
  await server.close();
}
