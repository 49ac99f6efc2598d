import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, it } from 'node:test';
import { claimDue } from '../../../test/claim-due.ts';
import { addTestAdministrators, newTestId } from '../../../test/stored-doubt.ts';
import { storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import type { Book } from '../../domain/book.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { startRoutes, stopRoutes } from '../../resolutions/stop-routes.ts';
import { findTransfer } from '../read/find-transfer.ts';
import { firstBook } from './claim-walk.ts';
import { reassignRemovedRoutes } from './reassign-removed-routes.ts';

let test: TestDatabase;
let book: Book;
let walletId: string;
before(async () => {
  test = await createTestDatabase();
});
beforeEach(async () => {
  book = await createTestBook(test.database, { mode: 'live' });
  walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 10_000n });
});
after(() => test.drop());

/** Runs as a process whose route file has only this route. */
const adopt = () =>
  reassignRemovedRoutes(test.database, {
    routes: ['new'],
    replacements: [{ operator: 'airtel', country: 'zm', route: 'new' }],
  });

const store = (given: { route: string; reserved: boolean; reference?: string }) =>
  storeTestTransfer(test.database, { book, walletId, leaseOwner: randomUUID(), ...given });

const routeOf = async (transfer: Transfer) => (await findTransfer(test.database, transfer))?.route;

it('moves queued transfers of a removed route to the next, and counts the others', async () => {
  const route = `old-${walletId.slice(0, 8)}`;
  const queued = await store({ route, reserved: false });
  const sent = await store({ route, reserved: true });
  const stranded = await adopt();
  assert.equal(await routeOf(queued), 'new');
  assert.equal(await routeOf(sent), route);
  assert.deepEqual(
    stranded.filter((one) => one.route === route),
    [{ route, count: 1 }],
  );
});

it('does not move transfers of a held route, which may have paid them before a restore', async () => {
  const route = `held-${walletId.slice(0, 8)}`;
  const queued = await store({ route, reserved: false });
  const deps = {
    database: test.database,
    directory: test.directory,
    cells: test.cells,
    now: () => new Date(),
    newId: newTestId,
  };
  const { Chanda: actor } = await addTestAdministrators(test.database, ['Chanda']);
  const hold = { actor, routes: [route], effect: 'held' } as const;
  await stopRoutes(deps, { ...hold, reason: 'restored' });
  const stranded = await adopt();
  assert.equal(await routeOf(queued), route);
  assert.ok(
    stranded.some((one) => one.route === route && one.count === 1),
    'it is counted',
  );
  await startRoutes(deps, { ...hold, reason: 'compared' });
  // One that is closed has paid nothing that was forgotten: another route may take it over.
  await stopRoutes(deps, { ...hold, effect: 'closed', reason: 'maintenance' });
  await adopt();
  assert.equal(await routeOf(queued), 'new');
});

it('leaves a leased transfer to the process that may be sending it, until its lease ends', async () => {
  // A retry is leased first, and leaves the queue once it was looked at.
  const queued = await store({ route: 'old', reserved: false, reference: 'a.retry-1' });
  const claim = { route: 'old', due: 'submission', afterBook: firstBook(), max: 10 } as const;
  await claimDue(test.database, { ...claim, leaseOwner: randomUUID() });
  await adopt();
  assert.equal(await routeOf(queued), 'old');
  const text = 'update transfers set next_action_at = now() where id = $1';
  await test.database.query({ name: '', text }, [queued.id]);
  await adopt();
  assert.equal(await routeOf(queued), 'new');
});

it('does not wait for transfers that another process is changing', async () => {
  const queued = await store({ route: 'old', reserved: false });
  await test.database.transaction(async (tx) => {
    const text = 'select 1 from transfers where id = $1 for update';
    await tx.query({ name: '', text }, [queued.id]);
    await adopt();
  });
  assert.equal(await routeOf(queued), 'old');
  await adopt();
  assert.equal(await routeOf(queued), 'new');
});
