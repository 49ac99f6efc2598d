import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { programFile } from '../../../scripts/program-file.ts';
import { volume } from '../../../scripts/test-volume.ts';
import { type AdminDatabase, openAdminDatabase } from '../../src/admin/open-admin-database.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import type { Row } from '../../src/postgres/database.ts';
import { childEnvironment } from '../child-environment.ts';
import { createDataDir, removeDataDir } from '../data-dir.ts';
import { pollUntil } from '../poll.ts';
import { type RunningService, startService, TEST_SEALING_KEY } from '../running-service.ts';

const PAYOUTS = volume({ usual: 150, full: 1_500 });
/** The days are rounded one by one. */
const ROUNDING_MAX = 21;
const KEYS = `${TEST_SEALING_KEY.id}:${TEST_SEALING_KEY.key.toString('base64')}`;

type Ended = Readonly<{ code: number; output: string }>;

let dataDir: string;
let service: RunningService;
let opened: AdminDatabase;

before(async () => {
  dataDir = await createDataDir();
  service = await startService({ dataDir });
  opened = await openAdminDatabase({ say: () => undefined }, { DATA_DIR: dataDir });
});
after(async () => {
  await opened.close();
  await service.end('SIGKILL');
  await removeDataDir(dataDir);
});

function runDemo(
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = ['--payouts', String(PAYOUTS)],
): Promise<Ended> {
  const given = { DATA_DIR: dataDir, WEBHOOK_SECRET_KEYS: KEYS, ...env };
  return new Promise((resolve) => {
    const options = { env: { ...childEnvironment(), ...given } };
    const child = execFile(
      process.execPath,
      [programFile('demo'), ...args],
      options,
      (_, out, problems) => resolve({ code: child.exitCode ?? -1, output: `${out}${problems}` }),
    );
  });
}

async function read<R extends Row>(text: string): Promise<R[]> {
  return opened.cells.named('main').database.query<R>({ name: '', text });
}

async function countAll(): Promise<Readonly<Record<string, number>>> {
  const tables = ['transfers', 'postings', 'events', 'attempts', 'acts', 'recipients', 'wallets'];
  const others = ['api_keys', 'deliveries', 'webhook_endpoints', 'incidents', 'proposals'];
  const counts = [...tables, ...others].map(
    (table) => `select '${table}' as name, count(*)::integer as count from ${table}`,
  );
  const rows = await read<{ name: string; count: number }>(counts.join(' union all '));
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

describe('npm run demo', () => {
  it('fills the test book beside a running service, and every screen has something to show', async () => {
    const { code, output } = await runDemo();
    assert.equal(code, 0, output);
    const states = await read<{ state: string; count: number }>(
      'select state, count(*)::integer as count from transfers group by state',
    );
    const count = Object.fromEntries(states.map((row) => [row.state, row.count]));
    const { succeeded = 0, failed = 0, ...others } = count;
    assert.deepEqual(others, { awaiting_approval: 2, cancelled: 6, in_doubt: 5, reversed: 2 });
    assert.ok(failed > 1 && failed < PAYOUTS / 20, `${failed} failed`);
    const all = succeeded + failed + 15;
    assert.ok(Math.abs(all - PAYOUTS) <= ROUNDING_MAX, `${all} payouts`);
    assert.match(output, new RegExp(`Stored ${all} payouts .*5 in doubt`));
    const [found] = await read(`
      select (select count(*)::integer from transfers where flagged_at is not null) as flagged,
             (select count(*)::integer from proposals where ended_at is null) as proposed,
             (select count(*)::integer from incidents where closed_at is null) as incidents,
             (select count(*)::integer from wallets where available_minor < low_balance_minor) as low,
             (select count(*)::integer from wallets where daily_limit_minor is not null) as limited,
             (select count(*)::integer from invitations) as invited,
             (select count(distinct operator)::integer from transfers) as operators,
             (select count(distinct country)::integer from transfers) as countries`);
    assert.deepEqual(found, {
      flagged: 2,
      proposed: 1,
      incidents: 1,
      low: 1,
      limited: 1,
      invited: 1,
      operators: 4,
      countries: 2,
    });
  });

  it('has rules, lists, a schedule, and a file whose mistakes wait for a correction', async () => {
    const [found] = await read(`
      select (select count(*)::integer from policies) as policies,
             (select count(*)::integer from policy_drafts) as drafts,
             (select array_agg(list order by list) from list_entries) as lists,
             (select count(*)::integer from schedules where next_at > now()) as schedules`);
    assert.deepEqual(found, { policies: 1, drafts: 1, lists: ['allow', 'deny'], schedules: 1 });
    await pollUntil('the file is checked', async () => {
      const [file] = await read(
        `select state, rows_total, rows_problem from payout_files where name = 'Site workers'`,
      );
      return isDeepStrictEqual(file, { state: 'draft', rows_total: 12, rows_problem: 2 });
    });
  });

  it('leaves work for the owner to approve, beside work of the owner that another person must', async () => {
    const rows = await read(`
      select 'transfer' as kind, t.reference as name, p.email, t.rules #>> '{}' as rules, 0 as approved
      from transfers t join people p on p.id = t.made_by
      where t.state = 'awaiting_approval' and t.next_action_at > now() + interval '6 days'
      union all
      select 'file', f.name, p.email, f.rules #>> '{}',
             (select count(*)::integer from approvals a
              where a.subject_id = f.id and a.decision = 'approve' and a.person_id <> f.submitted_by)
      from payout_files f join people p on p.id = f.submitted_by
      where f.state = 'awaiting_approval' and f.rows_total = 10
      order by name`);
    const large = { kind: 'transfer', rules: '["large payouts"]', approved: 0 };
    assert.deepEqual(rows, [
      {
        kind: 'file',
        name: 'Harvest bonus',
        email: 'maker@demo.test',
        rules: '["large files"]',
        approved: 1,
      },
      { ...large, name: 'demo-generator-kitwe', email: 'maker@demo.test' },
      { ...large, name: 'demo-vehicle-deposit', email: 'owner@demo.test' },
    ]);
  });

  it('leaves a ledger without a problem, whose statements are in the order of time', async () => {
    const { problems } = await verifyLedger(opened.cells.named('main').database);
    assert.deepEqual(problems, []);
    const wrong = await read(`
      select wallet_id, seq from (
        select p.*, lag(p.created_at) over (partition by p.wallet_id order by p.seq) as before
        from postings p
      ) p
      where p.created_at < p.before or p.created_at > now()`);
    assert.deepEqual(wrong, []);
    const early = await read(`
      select t.id from transfers t
      join recipients r on r.book_id = t.book_id and r.phone = t.phone
      where t.created_at < r.created_at or t.completed_at < t.created_at or t.updated_at > now()`);
    assert.deepEqual(early, []);
    const [today] = await read<{ wrong: number }>(`
      select count(*)::integer as wrong from wallets w
      where w.day_total_minor <> coalesce((
        select sum(p.amount_minor) from postings p
        where p.wallet_id = w.id and p.kind = 'hold' and p.created_at >= w.day
      ), 0)`);
    assert.deepEqual(today, { wrong: 0 });
  });

  it('has a webhook that works and one that fails since hours, with attempts', async () => {
    const rows = await read(`
      select e.url, e.failing_since is not null as failing,
             count(*) filter (where d.state = 'pending') > 0 as waits,
             count(*) filter (where d.state = 'failed') > 0 as failed,
             count(*) filter (where d.attempts = 0) as untried,
             bool_and(d.attempts = (
               select count(*) from delivery_attempts a
               where a.book_id = d.book_id and a.delivery_id = d.id
             )) as complete
      from webhook_endpoints e join deliveries d on d.endpoint_id = e.id
      group by e.url, e.failing_since order by e.url`);
    const complete = { untried: 0n, complete: true };
    assert.deepEqual(rows, [
      {
        url: 'http://127.0.0.1:4801/payouts',
        failing: false,
        waits: false,
        failed: true,
        ...complete,
      },
      {
        url: 'http://127.0.0.1:4802/accounting',
        failing: true,
        waits: true,
        failed: false,
        ...complete,
      },
    ]);
  });

  it('leaves the live book empty', async () => {
    const rows = await read(`
      select b.mode from books b join postings p on p.book_id = b.id
      where b.mode = 'live' limit 1`);
    assert.deepEqual(rows, []);
  });

  it('adds nothing when it is run again, with the service stopped', async () => {
    const counts = await countAll();
    assert.equal(await service.end('SIGTERM'), 0);
    const { code, output } = await runDemo();
    assert.equal(code, 0, output);
    assert.match(output, /there already\. Nothing was stored/);
    assert.deepEqual(await countAll(), counts);
  });

  it('refuses another database, a folder without a service, and arguments that it does not know', async () => {
    const foreign = await runDemo({ DATABASE_URL: 'postgres://localhost/kafue' });
    assert.equal(foreign.code, 78);
    assert.match(foreign.output, /Unset DATABASE_URL/);
    const empty = await createDataDir();
    try {
      const fresh = await runDemo({ DATA_DIR: empty, WEBHOOK_SECRET_KEYS: '' });
      assert.equal(fresh.code, 1);
      assert.match(fresh.output, /npm start/);
      assert.deepEqual(await readdir(empty), []);
    } finally {
      await removeDataDir(empty);
    }
    assert.equal((await runDemo({}, ['--payouts', '7'])).code, 64);
    assert.equal((await runDemo({}, ['--clear'])).code, 64);
  });
});
