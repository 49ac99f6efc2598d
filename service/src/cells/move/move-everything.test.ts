import assert from 'node:assert/strict';
import { randomBytes, randomFillSync } from 'node:crypto';
import { it } from 'node:test';
import { TEST_ACTOR } from '../../../test/test-actor.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { createTwoCells } from '../../../test/two-cells.ts';
import { fillHistory } from '../../demo-history/fill-history.ts';
import { createUuidV7Source } from '../../domain/uuid.ts';
import { placeEvents } from '../../events/place-events.ts';
import { verifyLedger } from '../../ledger/verify-ledger.ts';
import { createDemoMerchant, findDemoBook } from '../../merchants/demo-merchant.ts';
import { makeDemoPeople } from '../../people/demo-people.ts';
import type { Database } from '../../postgres/database.ts';
import { createSealer } from '../../webhooks/seal-secret.ts';
import { listMerchantTables } from './merchant-tables.ts';
import { forgetMoved, moveMerchant } from './move-merchant.ts';

const PAYOUTS = 150;
const now = (): Date => new Date();
const newId = createUuidV7Source(Date.now, (bytes) => randomFillSync(bytes));
const sealer = createSealer([{ id: 'test', key: Buffer.alloc(32, 1) }]);

/** A merchant with three weeks of payouts, files, approvals, policies, people and webhooks. */
async function createHistory(database: Database): Promise<string> {
  const deps = { database, directory: database, sealer, now, newId, randomBytes };
  assert.ok((await createDemoMerchant(deps)) !== undefined);
  const book = await findDemoBook(database, 'test');
  assert.ok(book !== undefined);
  const passwords = {
    hash: () => Promise.resolve('no password opens it'),
    verify: () => Promise.resolve(false),
  };
  await makeDemoPeople({ ...deps, passwords }, { id: book.merchantId, name: 'Demo' });
  const filled = await fillHistory(
    {
      ...deps,
      randomFill: (bytes) => void randomFillSync(bytes),
      onProgress: () => undefined,
    },
    { payouts: PAYOUTS },
  );
  assert.equal(filled.kind, 'filled');
  await database.transaction(placeEvents);
  return book.merchantId;
}

it('everything that a merchant can have moves to another server and back', async () => {
  const cells = await createTwoCells();
  const far = await createTestDatabase();
  try {
    const merchantId = await createHistory(cells.main.database);
    const list = `insert into cells (name, schema, url_variable, created_at) values ('far', 'public', 'FAR_URL', now())`;
    await cells.directory.query({ name: '', text: list });
    const deps = {
      ...cells.deps,
      cellNamed: (name: string) =>
        name === 'far' ? { name, database: far.database } : cells.deps.cellNamed(name),
    };
    const count = async (database: Database) => {
      const counts = new Map<string, number>();
      for (const { name } of await listMerchantTables(database)) {
        // What the staff did to no merchant stays.
        const condition = name === 'acts' ? 'merchant_id is not null' : 'true';
        const text = `select count(*)::integer as count from ${name} where ${condition}`;
        const [row] = await database.query<{ count: number }>({ name: '', text });
        counts.set(name, row?.count ?? 0);
      }
      return counts;
    };
    const before = await count(cells.main.database);
    const filled = [...before].filter(([, rows]) => rows > 0).map(([name]) => name);
    for (const name of ['approvals', 'deliveries', 'payout_files', 'policies', 'feed_batches']) {
      assert.ok(filled.includes(name), `the history has no ${name}`);
    }
    const request = { actor: TEST_ACTOR, merchant: merchantId, reason: null };
    const moved = await moveMerchant(deps, { ...request, to: 'far' });
    assert.deepEqual(await count(far.database), before);
    assert.ok((moved.rows ?? 0) > PAYOUTS * 5);
    assert.deepEqual((await verifyLedger(far.database)).problems, []);
    await forgetMoved(deps, request);
    for (const [name, rows] of await count(cells.main.database)) assert.equal(rows, 0, name);
    await moveMerchant(deps, { ...request, to: 'main' });
    assert.deepEqual(await count(cells.main.database), before);
    assert.deepEqual((await verifyLedger(cells.main.database)).problems, []);
    await forgetMoved(deps, request);
    for (const [name, rows] of await count(far.database)) assert.equal(rows, 0, name);
  } finally {
    await cells.drop();
    await far.drop();
  }
});
