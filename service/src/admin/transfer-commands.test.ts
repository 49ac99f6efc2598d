import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runCommand } from '../../test/admin-command.ts';
import { startFakeServer } from '../../test/fakes/fake-server.ts';
import { moveTo, newTestId, storeDoubt } from '../../test/stored-doubt.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { Transfer } from '../domain/transfer.ts';
import { storeCallbacks } from '../transfers/callbacks/store-callbacks.ts';
import { moveTransfers } from '../transfers/move/move-transfers.ts';
import { openIncident } from '../transfers/move/open-incident.ts';
import { findAnyTransfer } from '../transfers/read/find-any-transfer.ts';
import { countOpenIncidents } from '../transfers/read/list-incidents.ts';

const PASSWORD = 'open/sesame+77';
const TOKEN = 'callback-token-of-the-route';
const ROUTES = {
  routes: [
    {
      name: 'zamtel-zm',
      connector: 'zamtel',
      operator: 'zamtel',
      country: 'zm',
      callbackToken: TOKEN,
      settings: {
        thirdPartyId: 'us',
        password: PASSWORD,
        shortcode: '1234',
        identifier: 'me',
        credential: 'credential-1',
        baseUrl: 'http://127.0.0.1:9/',
      },
    },
  ],
};

let test: TestDatabase;
let folder: string;
let routesFile: string;
const keys: Record<string, string> = {};
before(async () => {
  test = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'kafue-people-'));
  routesFile = join(folder, 'routes.json');
  await writeFile(routesFile, JSON.stringify(ROUTES));
  keys.Chanda = await addByCommand('Chanda', {});
  keys.Mutinta = await addByCommand('Mutinta', { ADMIN_KEY: keys.Chanda });
});
after(async () => {
  await test.drop();
  await rm(folder, { recursive: true, force: true });
});

type Env = Readonly<Record<string, string>>;

const run = (env: Env, ...argv: readonly string[]) => runCommand(test, env, argv);

const as = (name: string): Env => ({ ADMIN_KEY: keys[name] ?? '' });

// Tests look into documents of any shape; what is not there fails the assertion on it.
async function runJson(env: Env, ...argv: readonly string[]) {
  const { exitCode, out } = await run(env, ...argv, '--json');
  return { exitCode, json: JSON.parse(out) as Record<string, Record<string, unknown>> };
}

async function addByCommand(name: string, env: Env): Promise<string> {
  const { json } = await runJson(env, 'administrators', 'add', name);
  return String(json.administrator?.key);
}

async function call(transfer: Transfer, body: string): Promise<void> {
  await storeCallbacks(test.database, [
    {
      id: randomUUID(),
      route: transfer.route,
      method: 'POST',
      headers: {},
      body: Buffer.from(body),
      reading: 'read',
      cause: null,
      operatorReference: transfer.operatorReference,
      claims: 'paid',
      verified: false,
      reported: null,
      receivedAt: new Date(),
    },
  ]);
}

/** The operator was asked and said nothing of use. */
async function askOnce(transfer: Transfer, answer: string): Promise<void> {
  const step = {
    to: 'in_doubt',
    cause: 'no answer of use',
    failure: null,
    operatorTransactionId: null,
    nextActionInMs: 60_000,
    checks: transfer.checks + 1,
    notFoundAnswers: 0,
    unconfirmedSuccesses: 0,
    contradictions: [],
    needsPerson: false,
  } as const;
  const wire = { request: 'GET /status', httpStatus: 502, answer, elapsedMs: 5 };
  const { route } = transfer;
  const attempt = { id: newTestId(), route, purpose: 'inquire', outcome: 'unknown', wire } as const;
  const move = { transfer, step, actor: 'dispatcher', needsLease: false, leaseFor: null, attempt };
  await moveTransfers(test.database, { moves: [move], mover: randomUUID(), at: new Date() });
}

describe('people and doubt on the command line', () => {
  it('lists doubts of a kind, and doubts that need a person', async () => {
    const lost = await storeDoubt(test.database);
    const other = await storeDoubt(test.database);
    const text = `update transfers set contradictions = '{amount}' where id = $1`;
    await test.database.query({ name: '', text }, [other.id]);
    const ids = async (...options: readonly string[]) => {
      const { json } = await runJson({}, 'transfers', 'in-doubt', ...options);
      return (json.transfers as unknown as { id: string }[]).map(({ id }) => id);
    };
    assert.deepEqual(await ids(), [lost.id, other.id]);
    assert.deepEqual(await ids('--kind', 'SUBMISSION_LOST'), [lost.id]);
    assert.deepEqual(await ids('--kind', 'CONTRADICTED'), [other.id]);
    assert.deepEqual(await ids('--needs-person'), [other.id]);
    assert.deepEqual(await ids('--kind', 'NOT_FOUND'), []);
    const none = await run({}, 'transfers', 'in-doubt', '--kind', 'NOT_FOUND');
    assert.match(none.out, /^Nothing of this is in doubt in a live book\./);
    assert.equal((await run({}, 'transfers', 'in-doubt', '--kind', 'LOST')).exitCode, 64);
    const shown = await run({}, 'transfers', 'show', other.id);
    assert.match(shown.out, /why +CONTRADICTED: What the operator said contradicts/);
    assert.match(shown.out, /docs\/runbooks\/doubts\.md, CONTRADICTED\./);
    assert.doesNotMatch(shown.out, /Wait: the service goes on asking/);
    const { json } = await runJson({}, 'transfers', 'show', lost.id);
    assert.equal(json.doubt?.kind, 'SUBMISSION_LOST');
    assert.equal(json.doubt?.needsPerson, false);
    for (const { id } of [lost, other]) {
      await moveTo(test.database, (await findAnyTransfer(test.database, id)).transfer, 'succeeded');
    }
  });

  it('lists doubts, and what is stuck, of live books unless told otherwise, by merchant and operator', async () => {
    const live = await storeDoubt(test.database);
    const tried = await storeDoubt(test.database, { operator: 'mtn' });
    const text = `
      update books set mode = $2 where id = $1
      returning (select name from merchants where id = merchant_id) as name`;
    const inMode = async ({ bookId }: Transfer, mode: string) => {
      const [row] = await test.database.query<{ name: string }>({ name: '', text }, [bookId, mode]);
      return row?.name ?? '';
    };
    const merchant = await inMode(live, 'live');
    // Merchants have both books; those of the doubts above have one.
    for (const books of ['books', 'directory.books']) {
      const other = `insert into ${books} (id, merchant_id, mode, created_at)
                     select gen_random_uuid(), merchant_id, 'test', now() from books where id = $1`;
      await test.database.query({ name: '', text: other }, [live.bookId]);
    }
    await inMode(tried, 'test');
    for (const [list, ...command] of [
      ['transfers', 'transfers', 'in-doubt'],
      ['stuck', 'stuck'],
    ] as const) {
      const ids = async (...options: readonly string[]) => {
        const { json } = await runJson({}, ...command, ...options);
        return (json[list] as unknown as { id: string }[]).map(({ id }) => id);
      };
      assert.deepEqual(await ids(), [live.id]);
      assert.deepEqual(await ids('--mode', 'test'), [tried.id]);
      assert.deepEqual(await ids('--mode', 'all'), [live.id, tried.id]);
      assert.deepEqual(await ids('--mode', 'all', '--operator', 'mtn'), [tried.id]);
      assert.deepEqual(await ids('--mode', 'all', '--merchant', merchant), [live.id]);
      assert.equal((await run({}, ...command, '--merchant', 'Unknown')).exitCode, 1);
      assert.equal((await run({}, ...command, '--mode', 'demo')).exitCode, 64);
    }
    const shown = await run({}, 'transfers', 'show', live.reference, '--merchant', merchant);
    assert.match(shown.out, new RegExp(`^Transfer ${live.id}: in_doubt`));
    for (const { id } of [live, tried]) {
      await moveTo(test.database, (await findAnyTransfer(test.database, id)).transfer, 'succeeded');
    }
  });

  it('lists doubts, shows one, and lets two people decide it', async () => {
    assert.match(
      (await run({}, 'transfers', 'in-doubt')).out,
      /^Nothing is in doubt in a live book/,
    );
    const doubt = await storeDoubt(test.database, { amountMinor: 12_345n });
    const listed = await run({}, 'transfers', 'in-doubt');
    assert.match(
      listed.out,
      new RegExp(`${doubt.id} .*123.45 ZMW +airtel \\(zm\\) +mtn-zm +SUBMISSION_LOST +2 `),
    );
    assert.match(listed.out, /wait for the next inquiry/);
    const { json } = await runJson({}, 'transfers', 'in-doubt');
    const [first] = json.transfers as unknown as Record<string, unknown>[];
    assert.equal(first?.amount, '123.45');
    assert.equal(first?.needsPerson, false);

    const resolve = ['transfers', 'resolve', doubt.id, '--paid', 'MP77', '--evidence'];
    const alone = await run({}, ...resolve, 'ticket 1');
    assert.equal(alone.exitCode, 1);
    assert.match(alone.error, /ADMIN_KEY is not set.*\nPut your own key/);
    const proposed = await run(as('Chanda'), ...resolve, 'ticket 1');
    assert.match(proposed.out, /^Proposed: it was paid, receipt MP77\. Nothing has changed yet\./);
    assert.match((await run({}, 'transfers', 'in-doubt')).out, /confirm or withdraw: Chanda says/);
    const shown = await run({}, 'transfers', 'show', doubt.id);
    assert.match(shown.out, /Chanda proposes that it was paid, receipt MP77: ticket 1 \(until/);
    assert.match(shown.out, new RegExp(`transfers resolve ${doubt.id} --paid MP77 --evidence "`));
    assert.equal((await run(as('Chanda'), ...resolve, 'ticket 1')).exitCode, 1);

    const confirmed = await runJson(as('Mutinta'), ...resolve, 'I looked too');
    assert.equal(confirmed.json.carriedOut, true);
    assert.equal(confirmed.json.confirmedBy, 'Mutinta');
    const after = await run({}, 'transfers', 'show', doubt.id);
    assert.match(after.out, /: succeeded since/);
    assert.match(after.out, /in_doubt → succeeded: two people decided, with evidence: ticket 1/);
    assert.match(after.out, /posting: settle 123\.45 from held to clearing:mtn-zm/);
    assert.match(after.out, /Mutinta confirms it: I looked too/);
    const reverse = ['transfers', 'reverse', doubt.id, '--evidence', 'credit note'];
    assert.match((await run(as('Mutinta'), ...reverse)).out, /^Proposed: the operator returned/);
    // What is shown to be copied must be harmless to a shell too.
    const odd = await storeDoubt(test.database);
    const receipt = "a'b $(reboot)";
    const odder = ['transfers', 'resolve', odd.id, '--paid', receipt, '--evidence', 'x'];
    await run(as('Chanda'), ...odder);
    const quoted = (await run({}, 'transfers', 'show', odd.id)).out;
    assert.ok(quoted.includes("--paid 'a'\\''b $(reboot)' --evidence"), quoted);
    const withdrawn = await run(as('Chanda'), 'transfers', 'withdraw', doubt.id);
    assert.match(withdrawn.out, /^Withdrawn: Mutinta had proposed/);
    await run(as('Chanda'), ...reverse);
    assert.match((await run(as('Mutinta'), ...reverse)).out, /The transfer is reversed/);
    const acts = await run({}, 'administrators', 'acts');
    assert.match(
      acts.out,
      /RESOLUTION_CONFIRMED by Mutinta\n[^]*after .*state reversed\n +why +credit note/,
    );
  });

  it('shows how often the same order was submitted again, and what came of it', async () => {
    const doubt = await storeDoubt(test.database);
    const before = await run({}, 'transfers', 'show', doubt.id);
    assert.ok(!before.out.includes('submitted again'));
    const text = `
      with counted as (update transfers set resubmissions = 2 where id = $1 returning *)
      insert into attempts (book_id, transfer_id, id, route, purpose, operator_reference, request,
                            http_status, answer, outcome, elapsed_ms, ended_at)
      select book_id, id, gen_random_uuid(), route, 'resubmit', operator_reference, 'POST /pay',
             409, '', 'duplicate', 1, now()
      from counted`;
    await test.database.query({ name: '', text }, [doubt.id]);
    const { out } = await run({}, 'transfers', 'show', doubt.id);
    assert.match(out, /submitted again +2 times, under the same operator reference/);
    assert.match(out, /submit again by mtn-zm: POST \/pay, HTTP 409, which means duplicate/);
  });

  it('shows no number, no secret and no escape of what operators sent', async () => {
    const doubt = await storeDoubt(test.database, { route: 'zamtel-zm', operator: 'zamtel' });
    const escape = '\u001b]0;owned\u0007\u009b2J';
    const secret = encodeURIComponent(PASSWORD);
    await call(doubt, `{"to":"0977433571","url":"/x?Password=${secret}&t=${TOKEN}"}${escape}`);
    await call(doubt, `${'x'.repeat(499)}\u{1f389}${'y'.repeat(1_000)}`);
    await askOnce(doubt, `<html>260977433571 ${escape}</html>`);
    await askOnce(doubt, `<html>260977433571 ${escape}</html>`);
    for (const format of [[], ['--json']]) {
      const shown = await run(
        { ROUTES_FILE: routesFile },
        'transfers',
        'show',
        doubt.id,
        ...format,
      );
      assert.doesNotMatch(shown.out.replaceAll('\n', ''), /\p{Cc}/u);
      assert.ok(!shown.out.includes('977433571') && !shown.out.includes('sesame'), shown.out);
      assert.ok(!shown.out.includes(TOKEN));
      assert.match(shown.out, /\+26097\*\*\*\*571/);
      assert.match(shown.out, /x{499}\u{1f389}… \(1000 more\)/u);
    }
    const { out } = await run({}, 'transfers', 'show', doubt.id);
    assert.match(out, /GET \/status, HTTP 502, which means unknown \(2 times, the last at/);
    assert.match(out, /callback by zamtel-zm: POST, says paid, not signed; not acted on yet/);
    const unnamed = await run({}, 'transfers', 'show', doubt.id, '--reveal');
    assert.deepEqual([unnamed.exitCode, unnamed.out], [1, '']);
    const revealed = await run(as('Chanda'), 'transfers', 'show', doubt.id, '--reveal');
    const acts = await run({}, 'administrators', 'acts', '--kind', 'PHONE_REVEALED');
    assert.match(acts.out, /PHONE_REVEALED by Chanda/);
    assert.ok(acts.out.includes(doubt.id) && !acts.out.includes('977433571'));
    assert.match(revealed.out, /to +\+260977433571/);
    assert.match(revealed.out, /<html>260977433571/);
    await writeFile(join(folder, 'broken.json'), '{');
    const broken = { ROUTES_FILE: join(folder, 'broken.json') };
    assert.equal((await run(broken, 'transfers', 'show', doubt.id)).exitCode, 0);
  });

  it('lists incidents, open ones first, and closes them by name', async () => {
    assert.match((await run({}, 'incidents', 'list')).out, /no incidents/);
    const paid = await moveTo(test.database, await storeDoubt(test.database), 'succeeded');
    const ids = [newTestId(), newTestId()] as const;
    const incident = { transfer: paid, at: new Date() };
    await openIncident(test.database, { ...incident, id: ids[0], kind: 'refused_after_success' });
    await openIncident(test.database, { ...incident, id: ids[1], kind: 'mismatch_after_success' });
    const close = ['incidents', 'close', ids[0], '--note', 'A mistake of theirs, ticket 9'];
    assert.equal((await run({}, ...close)).exitCode, 1);
    assert.match((await run(as('Chanda'), ...close)).out, /^Incident closed by Chanda/);
    assert.equal((await run(as('Chanda'), ...close)).exitCode, 1);
    assert.equal(await countOpenIncidents(test.database), 1);
    const { out } = await run({}, 'incidents', 'list');
    assert.match(out, new RegExp(`^OPEN ${ids[1]}[\\s\\S]*closed ${ids[0]}`));
    assert.match(out, /by Chanda: A mistake of theirs, ticket 9/);
    const { json } = await runJson({}, 'incidents', 'list');
    assert.equal((json.incidents as unknown as unknown[]).length, 2);
    assert.match(
      (await run({}, 'transfers', 'show', paid.id)).out,
      /INCIDENT mismatch_after_success: The operator reports another payout/,
    );
  });

  it('lists open payments without a transfer before closed incidents', async () => {
    const id = newTestId();
    const text = `insert into unmatched_payments (operator_reference, id, route, opened_at)
                  values ($1, $2, 'zamtel-zm', now())`;
    await test.database.query({ name: '', text }, [randomUUID(), id]);
    const { out } = await run({}, 'incidents', 'list');
    assert.match(out, new RegExp(`OPEN ${id}[\\s\\S]*\nclosed `));
  });

  it('says that closing an incident lets a queued payout be sent', async () => {
    const help = (await run({}, 'incidents', 'close', '--help')).out;
    assert.match(help.replaceAll(/\s+/g, ' '), /is sent once it is closed/);
    const transfer = await storeDoubt(test.database);
    const incident = { id: newTestId(), at: new Date(), transfer };
    await openIncident(test.database, { ...incident, kind: 'paid_before_sent' });
    const close = ['incidents', 'close', incident.id, '--note', 'settled'];
    assert.match(
      (await run(as('Chanda'), ...close)).out,
      /If the transfer is still queued, it is sent/,
    );
  });

  it('asks no operator about a number that is none of its country', async () => {
    const env = { ROUTES_FILE: routesFile };
    for (const phone of ['0977-43357', '+2348031234567']) {
      const { exitCode, error } = await run(env, 'routes', 'check', '--phone', phone);
      assert.equal(exitCode, 1);
      assert.match(error, /^--phone is not a mobile number .*\(zm\)\. No operator was asked/);
    }
  });

  it('sends no recall where the operator cannot take a payout back', async () => {
    const doubt = await storeDoubt(test.database, { route: 'zamtel-zm', operator: 'zamtel' });
    const env = { ...as('Chanda'), ROUTES_FILE: routesFile };
    const refused = await run(env, 'transfers', 'recall', doubt.id);
    assert.equal(refused.exitCode, 1);
    assert.match(refused.error, /^The operator behind zamtel-zm has no way/);
    const nowhere = await run(as('Chanda'), 'transfers', 'recall', doubt.id);
    assert.match(nowhere.error, /not in ROUTES_FILE/);
  });

  it('asks an operator that can to take a payout back, and keeps its answer', async () => {
    const doubt = await storeDoubt(test.database, { route: 'pawapay-zm', operator: 'mtn' });
    const body = JSON.stringify({ payoutId: doubt.operatorReference, status: 'ACCEPTED' });
    const pawapay = await startFakeServer(() => ({ status: 200, body }));
    const file = join(folder, 'pawapay.json');
    const settings = { baseUrl: pawapay.baseUrl, apiToken: 'token-that-must-stay-hidden' };
    const pair = { operator: 'mtn', country: 'zm' };
    const route = { name: 'pawapay-zm', connector: 'pawapay', ...pair, settings };
    await writeFile(file, JSON.stringify({ routes: [route] }));
    try {
      const env = { ...as('Chanda'), ROUTES_FILE: file };
      const asked = await run(env, 'transfers', 'recall', doubt.id);
      assert.equal(asked.exitCode, 0, asked.error);
      assert.match(asked.out, /^The operator was asked: HTTP 200, which means pending\./);
      assert.match(asked.out, /The transfer is in_doubt as before/);
      const shown = await run({}, 'transfers', 'show', doubt.id);
      const path = `/v2/payouts/fail-enqueued/${doubt.operatorReference}`;
      assert.ok(shown.out.includes(`recall by pawapay-zm: POST ${path}, HTTP 200`), shown.out);
      assert.ok(!shown.out.includes('not-to-be-shown'));
      assert.equal(pawapay.requests.length, 1);
    } finally {
      await pawapay.close();
    }
  });

  it('keeps a list of administrators, with a key shown once', async () => {
    const added = await run(as('Chanda'), 'administrators', 'add', 'Bwalya');
    assert.match(added.out, /key +adm_[0-9a-f]{48}\n[\s\S]*only time the key is shown/);
    assert.match((await run(as('Chanda'), 'administrators', 'remove', 'bwalya')).out, /no longer/);
    const listed = await run({}, 'administrators', 'list');
    assert.match(listed.out, /Bwalya +\S+ \S+ +\d{4}-/);
    assert.doesNotMatch(listed.out, /adm_/);
    assert.doesNotMatch((await run({}, 'administrators', 'acts', '--json')).out, /adm_/);
  });

  it('refuses what it does not understand with 64 before it opens the database', async () => {
    const id = newTestId();
    for (const argv of [
      ['transfers', 'resolve', id, '--evidence', 'x'],
      ['transfers', 'resolve', id, '--paid', 'R', '--not-paid', '--evidence', 'x'],
      ['transfers', 'resolve', id, '--paid', 'R'],
      ['transfers', 'resolve', id, '--paid', ' ', '--evidence', 'x'],
      ['transfers', 'resolve', id, '--not-paid', '--evidence', 'a\u001bb'],
      ['transfers', 'reverse', id],
      ['transfers', 'show'],
      ['incidents', 'close', id],
      ['administrators', 'add', ' '],
    ]) {
      const { exitCode, opened, error } = await run(as('Chanda'), ...argv);
      assert.equal(exitCode, 64, argv.join(' '));
      assert.equal(opened, 0, argv.join(' '));
      assert.match(error, /^[A-Z].*[.)]\nSee: npm run admin -- .*--help\n$/);
    }
  });
});
