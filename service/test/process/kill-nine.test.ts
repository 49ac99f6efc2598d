import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { volume } from '../../../scripts/test-volume.ts';
import type { DemoFile } from '../../src/demo.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { openEmbeddedPostgres } from '../../src/postgres/embedded/open-embedded-postgres.ts';
import { createDataDir, removeDataDir } from '../data-dir.ts';
import { type Asked, startPayoutLoad } from '../payout-load.ts';
import { pollUntil } from '../poll.ts';
import { type RunningService, startService } from '../running-service.ts';

const ROUNDS = volume({ usual: 6, full: 20 });
const CLIENTS = 16;
/** How long a service lives, at least and at most, so that it dies at a different point each time. */
const LIFE_MIN_MS = 100;
const LIFE_SPREAD_MS = 500;

let dataDir: string;
let service: RunningService | undefined;

before(async () => {
  dataDir = await createDataDir();
});
after(async () => {
  await service?.end('SIGKILL');
  await removeDataDir(dataDir);
});

async function readDemo(): Promise<DemoFile> {
  return JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as DemoFile;
}

/** Every row of the demo's wallet, read from the database. */
async function readTransfers(walletId: string) {
  const server = await openEmbeddedPostgres(
    { say: () => undefined },
    { dataDir, role: 'admin', description: 'kafue test' },
  );
  const database = openDatabase({
    connectionString: server.connectionString,
    applicationName: 'kafue-test',
    connectionsMax: 2,
    onError: () => undefined,
  });
  try {
    const rows = await database.query<{ id: string; reference: string; state: string }>(
      { name: '', text: 'select id, reference, state from transfers where wallet_id = $1' },
      [walletId],
    );
    return { rows, ledger: await verifyLedger(database) };
  } finally {
    await database.close();
    await server.close();
  }
}

function lostOf(asked: readonly Asked[], stored: ReadonlyMap<string, string>): readonly Asked[] {
  return asked.filter(
    ({ reference, acknowledged }) =>
      acknowledged !== undefined && stored.get(reference) !== acknowledged,
  );
}

describe(`${ROUNDS} rounds of kill -9 under load on the embedded database`, () => {
  it('loses no acknowledged transfer, creates none twice, and recovers by itself', async (t) => {
    service = await startService({ dataDir });
    const demo = await readDemo();
    const walletId = demo.wallets.test.ZMW;
    let baseUrl = service.baseUrl;
    const load = startPayoutLoad(
      { baseUrl: () => baseUrl, key: demo.testKey, walletId },
      { clients: CLIENTS, prefix: 'kill' },
    );
    t.after(() => load.stop());
    const acknowledged = () => load.asked.filter((one) => one.acknowledged !== undefined).length;
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = acknowledged();
      await pollUntil('every client to be served', () => acknowledged() >= before + CLIENTS);
      await pause(LIFE_MIN_MS + Math.random() * LIFE_SPREAD_MS);
      await service.end('SIGKILL');
      service = await startService({ dataDir });
      baseUrl = service.baseUrl;
    }
    await load.stop();
    await pollUntil(
      'every transfer to come to its end',
      async () => (await readTransfers(walletId)).rows.every(({ state }) => state === 'succeeded'),
      60_000,
    );
    const { rows, ledger } = await readTransfers(walletId);
    const stored = new Map(rows.map(({ reference, id }) => [reference, id]));
    t.diagnostic(`${load.asked.length} asked, ${rows.length} stored`);
    assert.ok(rows.length > ROUNDS * CLIENTS, 'there was hardly any load');
    assert.equal(stored.size, rows.length, 'a reference was stored twice');
    assert.deepEqual(lostOf(load.asked, stored), []);
    assert.deepEqual(ledger.problems, []);
    const answered = load.asked.flatMap(({ answers }) => answers);
    const odd = answered.filter((status) => ![201, 409, 503].includes(status));
    assert.deepEqual(odd, []);
    assert.equal(await service.end('SIGTERM'), 0);
  });
});
