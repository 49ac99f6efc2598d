import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pollUntil } from '../../../test/poll.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { createCallbackCleaner } from './callback-cleaner.ts';
import { CALLBACKS_CLEANED_AT_ONCE_MAX } from './clean-callbacks.ts';
import { type NewCallback, storeCallbacks } from './store-callbacks.ts';

/** More than the pause between two batches, and much less than the interval between two searches. */
const PAUSES_MS = 1_000;

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

function callback(): NewCallback {
  return {
    id: randomUUID(),
    route: 'mtn-zm',
    method: 'PUT',
    headers: {},
    body: Buffer.from('{}'),
    reading: 'read',
    cause: null,
    operatorReference: null,
    claims: 'paid',
    reported: null,
    verified: false,
    receivedAt: new Date(),
  };
}

async function countCallbacks(): Promise<number> {
  const text = 'select count(*)::integer as count from callbacks';
  const [row] = await test.database.query<{ count: number }>({ name: '', text }, []);
  return row?.count ?? 0;
}

it('deletes old callbacks batch after batch, and rests when none is left', async () => {
  const stored = Array.from({ length: CALLBACKS_CLEANED_AT_ONCE_MAX + 1 }, callback);
  await storeCallbacks(test.database, stored);
  const old = `update callbacks set handled_at = now() - interval '31 days', handled_as = 'INQUIRED'`;
  await test.database.query({ name: '', text: old }, []);
  let rounds = 0;
  const cleaner = createCallbackCleaner({
    database: test.database,
    logger: { warn: (_fields: object, message: string) => assert.fail(message) },
    now: () => {
      rounds += 1;
      return new Date();
    },
  });
  cleaner.start();
  try {
    await pollUntil('the second batch', async () => (await countCallbacks()) === 0);
    await pause(PAUSES_MS);
  } finally {
    await cleaner.stop();
  }
  assert.equal(rounds, 2);
});
