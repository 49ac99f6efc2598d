import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { scriptRoute } from '../../test/fake-route.ts';
import { pollUntil } from '../../test/poll.ts';
import { storeTestTransfer } from '../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { findTransfer } from '../transfers/read/find-transfer.ts';
import { createRemovedRouteFinder } from './removed-route-finder.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

it('finds what another process queues on a removed route, and reports once what was sent by it', async (t) => {
  const said: string[] = [];
  const finder = createRemovedRouteFinder({
    database: test.database,
    routes: scriptRoute({ name: 'new' }).routes,
    logger: {
      error: (fields: object) => void said.push(JSON.stringify(fields)),
      warn: () => undefined,
    },
    intervalMs: 5,
  });
  t.after(() => finder.stop());
  await finder.look();
  finder.start();
  const book = await createTestBook(test.database, { mode: 'live' });
  const walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 1_000n });
  const store = (reserved: boolean) => {
    const route = reserved ? 'sent' : 'queue';
    const given = { book, walletId, leaseOwner: randomUUID(), route, reserved };
    return storeTestTransfer(test.database, given);
  };
  const routeOf = async (one: Awaited<ReturnType<typeof store>>) =>
    (await findTransfer(test.database, one))?.route;
  const sent = await store(true);
  for (let looks = 0; looks < 2; looks += 1) {
    const queued = await store(false);
    await pollUntil('the next route', async () => (await routeOf(queued)) === 'new');
  }
  const reportsOfSent = () => said.filter((line) => line.includes('sent'));
  await pollUntil('the report of what was sent', () => reportsOfSent().length > 0);
  assert.equal(await routeOf(sent), 'sent');
  await finder.stop();
  assert.deepEqual(reportsOfSent(), ['{"route":"sent","count":1}']);
});
