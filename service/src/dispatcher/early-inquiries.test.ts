import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { createDispatchProcess } from '../../test/dispatch-process.ts';
import { scriptRoute } from '../../test/fake-route.ts';
import { storeTestTransfer } from '../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { Outcome } from '../domain/outcome.ts';
import { claimOne } from '../transfers/move/claim-one.ts';
import { findTransfer } from '../transfers/read/find-transfer.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

it('keeps the schedule of inquiries by the age of the doubt, however often people ask', async () => {
  const silence: Outcome = { kind: 'unanswered', cause: 'timeout', retryInMs: null };
  const operator = scriptRoute({
    submit: () => ({ kind: 'unknown', cause: 'timeout' }),
    inquire: () => silence,
    timeScale: 1,
  });
  const { database } = test;
  const { leaseOwner, dispatcher, dispatch } = createDispatchProcess(test, operator);
  const book = await createTestBook(database, { mode: 'live' });
  const walletId = await createTestWallet(database, { bookId: book.id, fundedMinor: 1_000n });
  const transfer = await storeTestTransfer(database, { book, walletId, leaseOwner });
  dispatch(transfer);
  await dispatcher.idle();
  for (let clicks = 0; clicks < 8; clicks += 1) {
    // A doubt that is ten seconds older at each click.
    const text = `update transfers set first_doubt_at = first_doubt_at - interval '10 s' where id = $1`;
    await database.query({ name: '', text }, [transfer.id]);
    const claimed = await claimOne(database, { ...transfer, leaseOwner, pauseMs: 0 });
    assert.ok(claimed !== undefined);
    await dispatcher.askOnce(claimed);
  }
  const { state, nextActionAt } = (await findTransfer(database, transfer)) ?? {};
  assert.equal(state, 'in_doubt');
  assert.ok((nextActionAt?.getTime() ?? 0) <= Date.now() + 60_000, 'within a minute');
});
