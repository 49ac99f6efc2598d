import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { link, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readBlocks, readTable } from '../../docs/guides/checking/read-blocks.ts';
import { findFreePort } from '../../service/src/postgres/embedded/free-port.ts';
import { pollUntil } from '../../service/test/poll.ts';
import { type RunningService, startService } from '../../service/test/running-service.ts';
import { createTestDatabase, type TestDatabase } from '../../service/test/test-database.ts';
import { createTestMerchant } from '../../service/test/test-merchant.ts';
import { Kafue, signWebhookForTests } from '../src/index.ts';
import { runProgram } from './run-program.ts';
import { type ScriptedServer, startScriptedServer, success } from './scripted-server.ts';

const README = await readFile(new URL('../README.md', import.meta.url), 'utf8');
const SDK_SOURCE = new URL('../src/index.ts', import.meta.url).href;
const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz';

let folder: string;
let server: ScriptedServer;
let env: Readonly<Record<string, string>>;
before(async () => {
  folder = await createProject();
  server = await startScriptedServer();
  env = { KAFUE_URL: server.baseUrl, KAFUE_API_KEY: 'sk_test_x', KAFUE_WALLET: 'w1' };
});
after(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** The programs of the README beside a package that is the SDK's source: readme.test.ts has the packed one. */
async function createProject(): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'kafue-readme-'));
  const sdk = join(project, 'sdk');
  await mkdir(sdk);
  await writeFile(
    join(sdk, 'package.json'),
    '{ "name": "kafue", "type": "module", "exports": "./index.ts" }',
  );
  await writeFile(join(sdk, 'index.ts'), `export * from '${SDK_SOURCE}';\n`);
  await mkdir(join(project, 'node_modules'));
  await symlink(sdk, join(project, 'node_modules', 'kafue'), 'junction');
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  for (const { language, text } of readBlocks(README)) {
    const name = /^\/\/ (?<name>\S+\.ts)\n/.exec(text)?.groups?.name;
    if (language === 'ts' && name !== undefined) await writeFile(join(project, name), text);
  }
  return project;
}

const run = (name: string, changes: Readonly<Record<string, string>> = {}) =>
  runProgram({ program: process.execPath, args: [name], folder, env: { ...env, ...changes } });

describe('the table of all calls', () => {
  it('names every call of the client', () => {
    const rows = readTable(README, '').map(([resource = '', calls = '']) => [
      resource.replaceAll('`', ''),
      [...calls.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    ]);
    const named = new Map(rows as [string, string[]][]);
    const client = new Kafue({ apiKey: 'sk_test_x' });
    for (const [resource, calls] of Object.entries(client)) {
      const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(calls));
      const missing = methods.filter(
        (name) => name !== 'constructor' && named.get(resource)?.includes(name) !== true,
      );
      assert.deepEqual(missing, [], resource);
    }
  });
});

describe('the program that asks', () => {
  const failure = { code: 'CANCELLED', message: 'It was cancelled.' };
  for (const [transfer, said] of [
    [{ status: 'successful', completedAt: 'at noon' }, /^paid at noon\n$/],
    [{ status: 'failed', failure }, /^not paid.*It was cancelled\.\n$/],
    [{ status: 'cancelled', failure }, /^not paid.*It was cancelled\.\n$/],
    [{ status: 'reversed', completedAt: 'at noon' }, /returned/],
    [{ status: 'pending', state: 'in_doubt' }, /^not decided yet in_doubt\n$/],
  ] as const) {
    it(`says what ${transfer.status} means`, async () => {
      server.play(success(transfer));
      assert.match(await run('ask.ts'), said);
    });
  }
});

describe('the program that pays many', () => {
  it('tells what is not known yet and what was sent before from what was refused', async () => {
    const refused = (code: string, retryable: boolean, more: object = {}) => ({
      status: false,
      message: '',
      data: { error: { code, retryable, requestId: 'r1' }, ...more },
    });
    const results = [
      refused('UNAVAILABLE', true),
      refused('DUPLICATE_REFERENCE', false, { transfer: { id: 't1' }, samePayload: true }),
      refused('DUPLICATE_REFERENCE', false, { transfer: { id: 't1' }, samePayload: false }),
    ];
    server.play(success({ results, accepted: 0, refused: 3 }));
    const [, ...lines] = (await run('pay-many.ts')).trim().split('\n');
    assert.match(lines[0] ?? '', /^0977433571 not known yet: send the same call again$/);
    assert.match(lines[1] ?? '', /^0977433572 was sent before$/);
    assert.match(lines[2] ?? '', /^0977433573 refused: DUPLICATE_REFERENCE$/);
  });
});

describe('the program that listens', () => {
  it('hears of every way in which a transfer ends', async () => {
    server.play(success({ id: 'e1', secret: SECRET }, 201));
    await run('listen.ts');
    const { events } = JSON.parse(server.requests[0]?.body ?? '') as { events: string[] };
    const ends = ['successful', 'failed', 'cancelled', 'reversed'];
    assert.deepEqual(events.sort(), ends.map((end) => `transfer.${end}`).sort());
  });
});

describe('the program that catches up', () => {
  it('begins anew after a crash that left an empty cursor, and replaces a cursor as a whole', async () => {
    const cursor = join(folder, 'cursor');
    await writeFile(cursor, '');
    server.play(success({ items: [], nextCursor: null }));
    await run('catch-up.ts');
    assert.doesNotMatch(server.requests[0]?.url ?? 'cursor', /cursor/);

    await writeFile(cursor, 'n1');
    // The other name still has what was there before, unless it was written over.
    await link(cursor, join(folder, 'before'));
    const event = { id: 'evt_1', type: 'transfer.created' };
    const plays = [
      success({ items: [event], nextCursor: 'n2' }),
      success({ items: [], nextCursor: 'n2' }),
    ] as const;
    server.play(...plays);
    assert.equal(await run('catch-up.ts'), 'transfer.created evt_1\n');
    assert.equal(await readFile(cursor, 'utf8'), 'n2');
    assert.equal(await readFile(join(folder, 'before'), 'utf8'), 'n1');
  });
});

describe('the program that receives', () => {
  it('answers 500 and names the code where its own secret is none', async () => {
    const port = String(await findFreePort());
    const url = `http://127.0.0.1:${port}/`;
    const receiver = spawn(process.execPath, ['receive.ts'], {
      cwd: folder,
      env: { ...process.env, KAFUE_WEBHOOK_SECRET: 'whsec_', PORT: port },
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    let errors = '';
    receiver.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    try {
      await pollUntil('it listens', () => fetch(url).then(Boolean, () => false));
      const payload = JSON.stringify({ id: 'evt_1', type: 'webhook.test', data: {} });
      const headers = { ...(await signWebhookForTests({ payload, secret: SECRET })) };
      assert.equal((await fetch(url, { method: 'POST', headers, body: payload })).status, 500);
      assert.match(errors, /INVALID_SECRET/);
    } finally {
      receiver.kill();
    }
  });
});

describe('the program that pays a file', () => {
  let test: TestDatabase;
  let service: RunningService;
  let real: Readonly<Record<string, string>>;
  before(async () => {
    test = await createTestDatabase();
    service = await startService({ databaseUrl: test.connectionString });
    const { keys, wallets } = await createTestMerchant(test.database);
    real = {
      KAFUE_URL: service.baseUrl,
      KAFUE_API_KEY: keys.test,
      KAFUE_WALLET: wallets.test.ZMW,
    };
  });
  after(async () => {
    await service.end();
    await test.drop();
  });

  it('pays each row once, however often it runs, and stops where the file came under another key', async () => {
    const csv = 'phone,amount\n0977433571,100\n0977433572,150.50\n';
    await writeFile(join(folder, 'salaries-2026-11.csv'), csv);
    assert.equal(await run('pay-file.ts', real), 'salaries-2026-11 paying 250.50 ZMW\n');
    assert.match(await run('pay-file.ts', real), /^salaries-2026-11 (paying|done) 250\.50 ZMW\n$/);

    const program = await readFile(join(folder, 'pay-file.ts'), 'utf8');
    const other = program.replace('idempotencyKey: payroll', "idempotencyKey: 'another'");
    assert.notEqual(other, program);
    await writeFile(join(folder, 'pay-other-key.ts'), other);
    await assert.rejects(run('pay-other-key.ts', real), /uploaded before/);

    await writeFile(join(folder, 'salaries-2026-11.csv'), `${csv}0977433573,1\n`);
    await assert.rejects(run('pay-file.ts', real), /IDEMPOTENCY_KEY_REUSED/);

    const kafue = new Kafue({ apiKey: real.KAFUE_API_KEY ?? '', baseUrl: service.baseUrl });
    const paid = async () => (await kafue.transfers.list().page()).items.length;
    await pollUntil('both are paid', async () => (await paid()) === 2);
    const states = (await kafue.payoutFiles.list().page()).items.map(({ state }) => state);
    assert.deepEqual(states.filter((state) => state !== 'draft').length, 1);
  });
});
