import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pollUntil } from '../../service/test/poll.ts';
import { type RunningService, startService } from '../../service/test/running-service.ts';
import { createTestDatabase, type TestDatabase } from '../../service/test/test-database.ts';
import { createTestMerchant } from '../../service/test/test-merchant.ts';
import { type PackedSdk, packSdk } from './consumer-project.ts';
import { runProgram } from './run-program.ts';
import { startScriptedServer, success } from './scripted-server.ts';

const README = new URL('../README.md', import.meta.url);
const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz';
const COMPILER_OPTIONS = {
  module: 'nodenext',
  target: 'es2022',
  types: ['node'],
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
};

/** Every example, by the file name in its first line. */
function readExamples(markdown: string): Readonly<Record<string, string>> {
  const blocks = [...markdown.matchAll(/```ts\n(?<code>.*?)```/gs)];
  return Object.fromEntries(
    blocks.map(({ groups }) => {
      const code = groups?.code ?? '';
      const name = /^\/\/ (?<name>\S+\.ts)\n/.exec(code)?.groups?.name;
      assert.ok(name !== undefined, `an example without a file name:\n${code}`);
      return [name, code];
    }),
  );
}

let test: TestDatabase;
let service: RunningService;
let sdk: PackedSdk;
let folder: string;
let env: Readonly<Record<string, string>>;
before(async () => {
  test = await createTestDatabase();
  service = await startService({ databaseUrl: test.connectionString });
  const { keys, wallets } = await createTestMerchant(test.database);
  env = {
    KAFUE_URL: service.baseUrl,
    KAFUE_API_KEY: keys.test,
    KAFUE_WALLET: wallets.test.ZMW,
    KAFUE_WEBHOOK_SECRET: SECRET,
  };
  sdk = await packSdk();
  folder = await sdk.createProject({
    ...readExamples(await readFile(README, 'utf8')),
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({ compilerOptions: COMPILER_OPTIONS }),
    'try-pay-once.ts': TRY_PAY_ONCE,
  });
});
after(async () => {
  await service.end();
  await test.drop();
  await sdk.remove();
});

const TRY_PAY_ONCE = `
import { payOnce } from './pay-once.ts';
const order = { amount: 1, reference: 'twice', phone: '0977433571', operator: 'mtn', country: 'zm' } as const;
const pay = () => payOnce({ ...order, walletId: process.env.KAFUE_WALLET ?? '' });
console.log((await pay()).id === (await pay()).id);
`;

const run = (name: string, changes: Readonly<Record<string, string>> = {}) =>
  runProgram({ program: process.execPath, args: [name], folder, env: { ...env, ...changes } });

describe('the examples of the README', () => {
  it('hold in a strict project', async () => {
    assert.equal(await runProgram({ program: 'tsc', args: ['-p', '.'], folder }), '');
  });

  it('hold in a strict project with the first types of Node.js 20', async () => {
    // Those types are older than the compiler, which finds errors in them; consumers.test.ts checks those of the package.
    const compilerOptions = { ...COMPILER_OPTIONS, skipLibCheck: true };
    const files = {
      ...readExamples(await readFile(README, 'utf8')),
      'package.json': '{ "type": "module" }',
      'tsconfig.json': JSON.stringify({ compilerOptions }),
    };
    const older = await sdk.createProject(files, 20);
    assert.equal(await runProgram({ program: 'tsc', args: ['-p', '.'], folder: older }), '');
  });

  it('pay, ask, list and write a statement on the running service', async () => {
    assert.equal(await run('pay.ts'), '+260977433571 pending\n');
    assert.match(await run('ask.ts'), /^(paid|not decided yet) \S+\n$/);
    assert.equal(await run('wait.ts'), 'final: successful\n');
    assert.match(await run('list.ts'), /1 null\n$/);
    assert.equal(await run('try-pay-once.ts'), 'true\n');
    assert.equal(await run('pay-many.ts'), '3 accepted, 0 refused\n');
    await run('statement.ts');
    const statement = await readFile(join(folder, 'statement.csv'), 'utf8');
    assert.ok(statement.startsWith('sequence,kind,') && statement.includes('salary-2026-11-0042'));
  });

  it('create an endpoint, and catch up from where they were', async () => {
    const server = await startScriptedServer();
    const double = { KAFUE_URL: server.baseUrl };
    try {
      server.play(success({ id: 'e1', secret: SECRET }, 201));
      assert.equal(await run('listen.ts', double), `${SECRET}\n`);
      const event = { id: 'evt_1', type: 'transfer.created' };
      server.play(
        success({ items: [event], nextCursor: 'n1' }),
        success({ items: [], nextCursor: 'n1' }),
      );
      assert.equal(await run('catch-up.ts', double), 'transfer.created evt_1\n');
      assert.equal(await run('catch-up.ts', double), '');
      const cursors = server.requests.map(({ url }) => url.split('?')[1]);
      assert.deepEqual(cursors, ['limit=50', 'cursor=n1&limit=50']);
    } finally {
      await server.close();
    }
  });

  it('receive what is signed, and refuse what is not', async () => {
    const spare = await startScriptedServer();
    const { port } = new URL(spare.baseUrl);
    await spare.close();
    const receiver = spawn(process.execPath, ['receive.ts'], {
      cwd: folder,
      env: { ...process.env, ...env, PORT: port },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    receiver.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    try {
      await pollUntil('the receiver listens', () => isListening(spare.baseUrl));
      assert.equal(await run('try-receiver.ts', { PORT: port }), '204\n');
      const unsigned = await fetch(spare.baseUrl, { method: 'POST', body: '{}' });
      assert.equal(unsigned.status, 400);
      await pollUntil('it says so', () => output === 'salary-2026-11-0042 is paid\n');
    } finally {
      await endProcess(receiver);
    }
  });
});

async function isListening(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}
