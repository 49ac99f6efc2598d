import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { verifyLedger } from '../service/src/ledger/verify-ledger.ts';
import { type RunningService, startService } from '../service/test/running-service.ts';
import { createTestDatabase, type TestDatabase } from '../service/test/test-database.ts';
import { createTestMerchant, type TestMerchant } from '../service/test/test-merchant.ts';
import { readResult } from './test/read-result.ts';
import { runHere } from './test/run-here.ts';
import { startKafue } from './test/run-kafue.ts';

const LINES = 300;

let test: TestDatabase;
let service: RunningService;
let merchant: TestMerchant;
let folder: string;
before(async () => {
  test = await createTestDatabase();
  service = await startService({ databaseUrl: test.connectionString });
});
beforeEach(async () => {
  merchant = await createTestMerchant(test.database);
  folder = await mkdtemp(join(tmpdir(), 'kafue-cli-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
after(async () => {
  await service?.end();
  await test?.drop();
});

const environment = () => ({ KAFUE_API_KEY: merchant.keys.test, KAFUE_URL: service.baseUrl });
const args = (...more: readonly string[]) => {
  const from = ['--wallet', merchant.wallets.test.ZMW];
  return ['pay', 'payouts.csv', '--as-file', ...from, '--yes', ...more];
};
const pay = (...more: readonly string[]) => runHere(args(...more), { env: environment(), folder });
const write = (lines: readonly string[]) =>
  writeFile(join(folder, 'payouts.csv'), ['phone,amount,name', ...lines, ''].join('\n'));

function storedTransfers() {
  return test.database.query<{ state: string; phone: string; replaces: string | null }>(
    { name: '', text: 'select state, phone, replaces from transfers where book_id = $1' },
    [merchant.books.test],
  );
}

describe('kafue pay --as-file', () => {
  it('pays each line once although it is killed, and run again', async () => {
    const numbers = Array.from({ length: LINES }, (_, n) => `0977${String(500_000 + n)}`);
    await write(numbers.map((number) => `${number},1.50,Person`));
    const run = startKafue(args(), { env: environment(), folder });
    await new Promise<void>((resolve) => {
      run.child.stderr?.on('data', () => run.error().includes('Sent ') && resolve());
    });
    run.child.kill('SIGKILL');
    assert.equal(await run.ended, null);
    for (let again = 0; again < 2; again += 1) {
      const { code, out, error } = await pay('--watch');
      assert.equal(code, 0, error + out);
      assert.match(out, /It was submitted before, .*no row is paid twice/);
    }
    const stored = await storedTransfers();
    assert.deepEqual(
      stored.map(({ phone }) => phone).sort(),
      numbers.map((number) => `+260${number.slice(1)}`).sort(),
    );
    assert.ok(stored.every(({ state }) => state === 'succeeded'));
    assert.deepEqual((await verifyLedger(test.database)).problems, []);
    const result = await readResult(join(folder, 'payouts.result.csv'));
    assert.equal(result.length, LINES);
    assert.ok(result.every(({ status }) => status === 'successful'));
  });

  it('names lines that cannot be paid, and sends nothing', async () => {
    await write(['0977433571,1,Fine', '12,1,Bad number', '0977433572,x,Bad amount']);
    const { code, out } = await pay();
    assert.equal(code, 65);
    assert.match(out, /^line 3, phone: /m);
    assert.match(out, /^line 4, amount: /m);
    assert.deepEqual(await storedTransfers(), []);
  });

  it('pays failed lines again, and no others', async () => {
    await write(['0977433571,1,Paid', '0977433901,1,Fails']);
    assert.equal((await pay('--watch')).code, 1);
    for (let again = 0; again < 2; again += 1) await pay('--watch', '--retry-failed');
    const stored = await storedTransfers();
    const again = stored.filter(({ replaces }) => replaces !== null);
    assert.deepEqual(
      [stored.length, again.map(({ phone }) => phone)],
      [4, ['+260977433901', '+260977433901']],
    );
  });
});
