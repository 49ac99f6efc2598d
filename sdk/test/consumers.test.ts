import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type PackedSdk, packSdk } from './consumer-project.ts';
import { findNodes, runProgram, runToEnd } from './run-program.ts';
import { refusal, type ScriptedServer, startScriptedServer, success } from './scripted-server.ts';

/** A program that pays, lists, is refused, and verifies a webhook; both module systems take it. */
const PROGRAM = `
async function main() {
  const kafue = new Kafue({ apiKey: 'sk_test_key', baseUrl: process.env.KAFUE_URL, maxRetries: 0 });
  const order = { amount: 25.5, reference: 'r-1', phone: '0977433571', operator: 'airtel', country: 'zm', walletId: 'w1' };
  const seen = [(await kafue.transfers.create(order)).id];
  for await (const { id } of kafue.transfers.list()) seen.push(id);
  await kafue.transfers.get('t9').catch((error) => seen.push(error instanceof KafueError, error.code));
  const payload = JSON.stringify({ id: 'evt_1', type: 'transfer.successful', data: {} });
  const secret = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz';
  const headers = await signWebhookForTests({ payload, secret });
  seen.push((await verifyWebhook({ payload, headers, secret })).type);
  console.log(JSON.stringify(seen));
}
main();
`;
const EXPECTED = '["t1","t2","t3",true,"TRANSFER_NOT_FOUND","transfer.successful"]\n';
const NAMES = '{ Kafue, KafueError, signWebhookForTests, verifyWebhook }';

/** What a strict compiler must take, and what it must refuse. */
const TYPED_PROGRAM = `
import { Kafue, KafueError, type KafueEvent, type Transfer, verifyWebhook } from 'kafue';

const kafue = new Kafue({ apiKey: 'sk_test_key', baseUrl: undefined, fetch });

export function describeTransfer(transfer: Transfer): string {
  // @ts-expect-error: only a transfer that is in doubt has it.
  void transfer.inDoubtSince;
  // @ts-expect-error: nothing of it can be changed.
  transfer.amount = 1;
  switch (transfer.status) {
    case 'pending':
      return transfer.state === 'in_doubt' ? transfer.inDoubtSince : transfer.state;
    case 'failed':
      return transfer.failure.code;
    case 'successful':
    case 'cancelled':
    case 'reversed':
      return transfer.completedAt;
    default: {
      const unhandled: never = transfer;
      return unhandled;
    }
  }
}

export function describeEvent(event: KafueEvent): string {
  if (event.type === 'recipient.resolved') return event.data.accountName ?? '';
  if (event.type === 'wallet.low_balance') return event.data.available;
  if (event.type === 'webhook.disabled') return event.data.url;
  if (event.type === 'webhook.test') return event.data.reference;
  return event.type === 'transfer.failed' ? describeTransfer(event.data) : event.id;
}

export async function pay(walletId: string): Promise<string> {
  const order = { amount: 1, reference: 'r', phone: '0977433571', country: 'zm', walletId } as const;
  // @ts-expect-error: there is no such operator.
  void kafue.transfers.create({ ...order, operator: 'orange' });
  // @ts-expect-error: amounts are numbers.
  void kafue.transfers.create({ ...order, operator: 'mtn', amount: '1.00' });
  // @ts-expect-error: the service does not read it there.
  void kafue.webhooks.create({ url: 'https://shop.example' }, { idempotencyKey: 'k' });
  // @ts-expect-error: a secret is needed.
  void verifyWebhook({ payload: '', headers: {} });
  try {
    const { results } = await kafue.transfers.bulk([{ ...order, operator: 'mtn', narration: undefined }]);
    const [first] = results;
    if (first?.status === false) return first.data.error.code;
    const page = await kafue.transfers.list({ from: new Date(), status: 'pending' }).page();
    for await (const { kind } of kafue.wallets.postings(walletId)) if (kind === 'fund') break;
    const final = await kafue.transfers.waitUntilFinal('t1', { timeoutMs: 1 });
    if (final.status === 'failed') return final.completedAt + final.failure.code;
    return page.nextCursor ?? '';
  } catch (error) {
    if (!(error instanceof KafueError)) throw error;
    return error.data.transfer?.id ?? error.data.problem ?? error.rule ?? error.fields[0]?.field ?? error.code;
  }
}
`;
const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  skipLibCheck: false,
  noEmit: true,
  target: 'es2022',
};

let server: ScriptedServer;
let sdk: PackedSdk;
before(async () => {
  server = await startScriptedServer();
  sdk = await packSdk();
});
after(async () => {
  await server.close();
  await sdk.remove();
});

async function runEverywhere(files: Readonly<Record<string, string>>): Promise<void> {
  const folder = await sdk.createProject(files);
  for (const program of findNodes()) {
    server.play(
      success({ id: 't1' }, 201),
      success({ items: [{ id: 't2' }, { id: 't3' }], nextCursor: null }),
      refusal(404, 'TRANSFER_NOT_FOUND'),
    );
    const env = { KAFUE_URL: server.baseUrl };
    assert.equal(await runProgram({ program, args: ['main.js'], folder, env }), EXPECTED, program);
  }
}

type ModuleType = 'module' | 'commonjs';

const typedProject = (compilerOptions: object, type: ModuleType, program = TYPED_PROGRAM) => ({
  'package.json': JSON.stringify({ type }),
  'tsconfig.json': JSON.stringify({ compilerOptions: { ...STRICT, ...compilerOptions } }),
  'main.ts': program,
});

async function typeCheck(compilerOptions: object, type: ModuleType): Promise<void> {
  const folder = await sdk.createProject(typedProject(compilerOptions, type));
  await runProgram({ program: 'tsc', args: ['-p', '.'], folder });
}

/** The errors of the compiler with the first types of Node.js 20. Errors inside these types are left out. */
async function errorsBesideNode20(compilerOptions: object, type: ModuleType) {
  // Node.js 20 has fetch, but its first types do not.
  const program = TYPED_PROGRAM.replace(', fetch }', ' }');
  const folder = await sdk.createProject(typedProject(compilerOptions, type, program), 20);
  const { output, errors } = await runToEnd({ program: 'tsc', args: ['-p', '.'], folder });
  // The lines below an error that explain it are indented.
  const found = `${output}${errors}`.split('\n').filter((line) => /^\S/.test(line));
  return found.filter((line) => !/^[^(]*\btypes-node-20\/[^(]*\(\d+,\d+\): error /.test(line));
}

describe('the package', () => {
  it('holds what was built, the licence and the README, and no sources or tests', () => {
    const outside = sdk.files.filter((name) => !name.startsWith('dist'));
    assert.deepEqual(outside.sort(), ['LICENSE', 'README.md', 'package.json']);
    const inside = sdk.files.filter((name) => /\.(test|ts|map|tsbuildinfo)\b/.test(name));
    assert.ok(inside.length > 0 && inside.every((name) => /[^.]+(?<!\.test)\.d\.ts$/.test(name)));
  });

  it('runs in a CommonJS project', () =>
    runEverywhere({
      'package.json': '{ "type": "commonjs" }',
      'main.js': `const ${NAMES} = require('kafue');${PROGRAM}`,
    }));

  it('runs in an ESM project', () =>
    runEverywhere({
      'package.json': '{ "type": "module" }',
      'main.js': `import ${NAMES} from 'kafue';${PROGRAM}`,
    }));
});

describe('the types', () => {
  it('hold in a strict project of modules on Node.js', () =>
    typeCheck({ module: 'nodenext', types: ['node'], lib: ['es2022'] }, 'module'));

  it('hold in a strict CommonJS project on Node.js', () =>
    typeCheck({ module: 'nodenext', types: ['node'], lib: ['es2022'] }, 'commonjs'));

  // These types are older than the compiler, which finds errors in them. skipLibCheck would hide those of the package too.
  it('hold in a strict project with the first types of Node.js 20', async () => {
    const options = { module: 'nodenext', types: ['node'], lib: ['es2022'] };
    for (const type of ['module', 'commonjs'] as const) {
      assert.deepEqual(await errorsBesideNode20(options, type), [], type);
    }
  });

  it('hold in a strict project for browsers with a bundler', () => {
    const bundled = { module: 'esnext', moduleResolution: 'bundler' };
    return typeCheck({ ...bundled, types: [], lib: ['es2022', 'dom'] }, 'module');
  });
});
