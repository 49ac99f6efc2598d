import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { volume } from '../../../scripts/test-volume.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { expireFileLeases } from '../../src/payout-files/claim-files.ts';
import { expireLeases } from '../../src/transfers/move/claim-due.ts';
import { pollUntil } from '../poll.ts';
import { type RunningService, ServiceEnded, startService } from '../running-service.ts';
import { storedReference, storeFile } from '../stored-file.ts';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';
import { createTestMerchant, type TestMerchant } from '../test-merchant.ts';

/** More than two batches, so that each process that is killed leaves rows before, in and after its own. */
const ROWS = 500;
/** In the order in which a file comes by them. The process dies at its first visit. */
const ALL_POINTS = [
  'file-claimed',
  'file-rows-taken',
  'before-store-commit',
  'after-store-commit',
  'file-rows-paid',
  'file-rows-recorded',
  'file-ending',
] as const;
/** Those after which most is left undone; a full run has all. */
const MAIN_POINTS = ['file-rows-taken', 'after-store-commit', 'file-ending'] as const;
const POINTS = volume<readonly string[]>({ usual: MAIN_POINTS, full: ALL_POINTS });
const LIFE_MAX_MS = 60_000;

let test: TestDatabase;
let merchant: TestMerchant;
let service: RunningService | undefined;
before(async () => {
  test = await createTestDatabase();
  merchant = await createTestMerchant(test.database);
});
after(async () => {
  await service?.end('SIGKILL');
  await test.drop();
});

const start = (failpoints?: string) =>
  startService({
    databaseUrl: test.connectionString,
    env: { SANDBOX_DELAY_MS: '5', ...(failpoints === undefined ? {} : { FAILPOINTS: failpoints }) },
  });

async function isDead({ pid }: RunningService): Promise<boolean> {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

async function stateOf(id: string): Promise<string> {
  const text = 'select state from payout_files where id = $1';
  const [row] = await test.database.query<{ state: string }>({ name: '', text }, [id]);
  return row?.state ?? '';
}

describe('kill -9 at every point of paying a file', () => {
  it('pays each row once and forgets none', async (t) => {
    const id = await storeFile(test.database, {
      bookId: merchant.books.test,
      walletId: merchant.wallets.test.ZMW,
      rows: Array.from({ length: ROWS }, (_, index) => ({ amountMinor: BigInt(index + 1) })),
    });
    service = await start();
    const submitted = await fetch(`${service.baseUrl}/api/v1/payments/payout-files/${id}/submit`, {
      method: 'POST',
      headers: { 'x-api-key': merchant.keys.test, 'content-type': 'application/json' },
      body: '{}',
    });
    assert.equal(submitted.status, 200, await submitted.text());
    await service.end('SIGKILL');
    for (const point of POINTS) {
      const before = await countTransfers(id);
      await expireFileLeases(test.database);
      await expireLeases(test.database);
      // It may be dead before it listens.
      const dying = await start(`${point}:kill:1;7`).catch((error: unknown) => {
        assert.ok(error instanceof ServiceEnded, String(error));
        return undefined;
      });
      if (dying !== undefined) {
        service = dying;
        await pollUntil(`it died at ${point}`, () => isDead(dying), LIFE_MAX_MS);
      }
      assert.equal(await stateOf(id), 'paying', `it did not die at ${point}`);
      t.diagnostic(`${point}: ${before} transfers before, ${await countTransfers(id)} after`);
    }
    await expireFileLeases(test.database);
    await expireLeases(test.database);
    service = await start();
    await pollUntil('it is done', async () => (await stateOf(id)) === 'done', LIFE_MAX_MS);
    await assertEachPaidOnce(id);
  });
});

async function countTransfers(id: string): Promise<number> {
  const text = 'select count(*)::integer as count from transfers where file_id = $1';
  const [row] = await test.database.query<{ count: number }>({ name: '', text }, [id]);
  return row?.count ?? 0;
}

async function assertEachPaidOnce(id: string): Promise<void> {
  const text = `
    select r.number, r.transfer_id, t.reference, t.state, t.amount_minor
    from payout_file_rows r left join transfers t on t.id = r.transfer_id
    where r.file_id = $1 order by r.number`;
  const rows = await test.database.query<{
    number: number;
    reference: string;
    state: string;
    amount_minor: bigint;
  }>({ name: '', text }, [id]);
  assert.deepEqual(
    rows.map(({ reference, state, amount_minor }) => [reference, state, amount_minor]),
    Array.from({ length: ROWS }, (_, index) => [
      storedReference(id, index + 1),
      'succeeded',
      BigInt(index + 1),
    ]),
  );
  assert.equal(await countTransfers(id), ROWS);
  const wallet = `select available_minor, held_minor from wallets where id = $1`;
  const [balance] = await test.database.query<{ available_minor: bigint; held_minor: bigint }>(
    { name: '', text: wallet },
    [merchant.wallets.test.ZMW],
  );
  const paidMinor = BigInt((ROWS * (ROWS + 1)) / 2);
  assert.deepEqual(balance, { available_minor: 100_000_000n - paidMinor, held_minor: 0n });
  assert.deepEqual((await verifyLedger(test.database)).problems, []);
}
