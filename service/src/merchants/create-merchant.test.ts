import assert from 'node:assert/strict';
import { randomBytes, randomFillSync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import * as fc from 'fast-check';
import { TEST_ACTOR } from '../../test/test-actor.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { explainRefusal } from '../admin/explain-refusal.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import { createUuidV7Source } from '../domain/uuid.ts';
import { createMerchant } from './create-merchant.ts';
import { findMerchant } from './find-merchant.ts';
import { listMerchants } from './list-merchants.ts';
import { formatPercent, readFeeFixed, readFeePercent } from './read-fee.ts';
import { setFees } from './set-fees.ts';

const FREE = { fixedMinor: 0n, basisPoints: 0 };

describe('merchants', () => {
  let test: TestDatabase;
  const newId = createUuidV7Source(Date.now, (bytes) => randomFillSync(bytes));
  const deps = () => ({
    database: test.database,
    directory: test.directory,
    cells: test.cells,
    now: () => new Date(),
    newId,
    randomBytes,
  });

  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.drop());

  it('have a book in each mode with the fee terms given', async () => {
    const feeTerms = { fixedMinor: 50n, basisPoints: 150 };
    const created = await createMerchant(deps(), {
      actor: TEST_ACTOR,
      name: '  Zambezi Tours ',
      feeTerms,
    });
    assert.equal(created.name, 'Zambezi Tours');
    assert.deepEqual(await findMerchant(test.database, created.id.toUpperCase()), created);
    assert.deepEqual(await findMerchant(test.database, 'zambezi tours'), created);
    assert.notEqual(created.books.test.id, created.books.live.id);
    assert.deepEqual(created.books.live.feeTerms, feeTerms);
  });

  it('cannot share a name in any case, also when created at once', async () => {
    const names = ['Kariba', 'KARIBA', 'kariba', ' Kariba '];
    const results = await Promise.allSettled(
      names.map((name) => createMerchant(deps(), { actor: TEST_ACTOR, name, feeTerms: FREE })),
    );
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const result of results) {
      if (result.status === 'rejected') assert.ok(result.reason instanceof AdminRefused);
    }
  });

  it('cannot have a name that is empty, too long, an id or holds control characters', async () => {
    for (const name of ['', '   ', 'x'.repeat(101), 'a\u0007b', newId(), 'a\u202eb']) {
      await assert.rejects(
        createMerchant(deps(), { actor: TEST_ACTOR, name, feeTerms: FREE }),
        AdminRefused,
      );
    }
  });

  it('are refused with a hint at the list when unknown', async () => {
    for (const name of ['unknown', newId(), '']) {
      await assert.rejects(findMerchant(test.database, name), (error) => {
        return (
          error instanceof AdminRefused && explainRefusal(error).advice.includes('merchants list')
        );
      });
    }
  });

  it('are listed by name with their live keys and wallets counted', async () => {
    await createMerchant(deps(), { actor: TEST_ACTOR, name: 'aardvark', feeTerms: FREE });
    const { merchants, more } = await listMerchants(deps());
    assert.equal(more, false);
    assert.equal(merchants[0]?.name, 'aardvark');
    assert.equal(merchants[0]?.liveKeys, 0);
    assert.equal(merchants[0]?.wallets, 0);
  });

  it('get new fee terms in one mode and keep them in the other', async () => {
    const { id } = await createMerchant(deps(), {
      actor: TEST_ACTOR,
      name: 'Fees',
      feeTerms: FREE,
    });
    const feeTerms = { fixedMinor: readFeeFixed('0.50'), basisPoints: readFeePercent('1.5') };
    await setFees(deps(), { actor: TEST_ACTOR, merchant: id, mode: 'live', feeTerms });
    const found = await findMerchant(test.database, id);
    assert.deepEqual(found.books.live.feeTerms, { fixedMinor: 50n, basisPoints: 150 });
    assert.deepEqual(found.books.test.feeTerms, FREE);
  });
});

describe('fee terms', () => {
  it('are read exactly', () => {
    fc.assert(
      fc.property(fc.nat(10_000), (basisPoints) => {
        assert.equal(readFeePercent(formatPercent(basisPoints)), basisPoints);
      }),
    );
    assert.equal(readFeeFixed('0.00'), 0n);
    assert.equal(readFeeFixed('1000000000'), 100_000_000_000n);
    assert.equal(readFeePercent('100'), 10_000);
  });

  it('are refused when they are no amount or no percentage', () => {
    for (const fixed of ['', '-1', '1e2', '0.005', '0x1', '1,5', ' 1', '1000000000.01', 'NaN']) {
      assert.throws(() => readFeeFixed(fixed), AdminRefused);
    }
    for (const percent of ['', '-1', '100.01', '1.5%', '0.005', '1e1', 'none']) {
      assert.throws(() => readFeePercent(percent), AdminRefused);
    }
  });
});
