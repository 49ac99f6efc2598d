import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTransfer, FEE_MINOR, WAYS, withLedger } from '../../test/every-state-ledger.ts';
import { damage } from '../../test/plant-damage.ts';
import { createTestDatabase } from '../../test/test-database.ts';
import { verifyLedger } from './verify-ledger.ts';

describe('verifying the ledger', { concurrency: 4 }, () => {
  it('finds no problem with a transfer in every state, and reports what it read', () =>
    withLedger(async ({ database }) => {
      const verification = await verifyLedger(database);
      assert.deepEqual(verification.problems, []);
      assert.equal(verification.ok, true);
      assert.equal(verification.booksChecked, 2);
      assert.equal(verification.walletsChecked, 2);
      assert.equal(verification.transfersChecked, 10);
      assert.equal(verification.postingsChecked, 1 + 5 + 3 + 2 + 2 + 5 + 3);
    }));

  it('finds no problem with an empty database', async () => {
    const test = await createTestDatabase();
    try {
      assert.equal((await verifyLedger(test.database)).ok, true);
    } finally {
      await test.drop();
    }
  });

  it('counts all problems and lists a limited number of them', () =>
    withLedger(async (ledger) => {
      const text = `
        insert into postings
        select $1, gen_random_uuid(), 1, 'fund', 'funding', 'available', 1, 'ZMW', null,
               'ghost-' || n, 1, 0, now()
        from generate_series(1, 70) n`;
      await damage(ledger, text, [ledger.bookId]);
      const { problems, problemsTotal } = await verifyLedger(ledger.database);
      assert.equal(problemsTotal, 70);
      assert.equal(problems.length, 50);
    }));

  it('reports its progress', () =>
    withLedger(async ({ database }) => {
      const seen: number[] = [];
      const onProgress = ({ checksDone }: { checksDone: number }) => seen.push(checksDone);
      await verifyLedger(database, { onProgress });
      assert.deepEqual(
        seen,
        seen.map((_, index) => index),
      );
      assert.ok(seen.length > 10);
    }));

  it('reads one snapshot, even while money moves', () =>
    withLedger(async ({ database, bookId, walletId }) => {
      const way = WAYS.succeeded;
      const moving = (async () => {
        for (let index = 0; index < 20; index += 1) {
          await createTransfer(database, { bookId, walletId, way, feeMinor: FEE_MINOR });
        }
      })();
      for (let index = 0; index < 3; index += 1) {
        assert.deepEqual((await verifyLedger(database)).problems, []);
      }
      await moving;
      assert.deepEqual((await verifyLedger(database)).problems, []);
    }));
});
