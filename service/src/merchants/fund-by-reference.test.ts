import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { TEST_ACTOR } from '../../test/test-actor.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import { createUuidV7Source } from '../domain/uuid.ts';
import { createMerchant } from './create-merchant.ts';
import { createWallet, WALLETS_MAX } from './create-wallet.ts';
import { findWalletForStaff } from './find-wallet-for-staff.ts';
import { freezeWallet, unfreezeWallet } from './freeze-wallet.ts';
import { fundByReference } from './fund-by-reference.ts';
import { listWalletsForStaff } from './list-wallets-for-staff.ts';
import { setWalletLimit } from './set-wallet-limit.ts';

describe('wallets', () => {
  let test: TestDatabase;
  const newId = createUuidV7Source(Date.now, (bytes) => randomFillSync(bytes));
  const deps = () => ({
    database: test.database,
    directory: test.directory,
    cells: test.cells,
    now: () => new Date(),
    newId,
  });

  async function createBook() {
    const feeTerms = { fixedMinor: 0n, basisPoints: 0 };
    const merchant = await createMerchant(deps(), {
      actor: TEST_ACTOR,
      name: `M ${newId()}`,
      feeTerms,
    });
    return { merchantId: merchant.id, bookId: merchant.books.test.id };
  }

  async function createOne(): Promise<string> {
    const { bookId } = await createBook();
    return (
      await createWallet(deps(), { actor: TEST_ACTOR, bookId, currency: 'ZMW', name: 'Till' })
    ).id;
  }

  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.drop());

  it('start empty, active and without a limit', async () => {
    const wallet = await findWalletForStaff(test.database, await createOne());
    assert.equal(wallet.availableMinor, 0n);
    assert.equal(wallet.heldMinor, 0n);
    assert.equal(wallet.status, 'active');
    assert.equal(wallet.dailyLimitMinor, null);
    assert.equal(wallet.mode, 'test');
  });

  it('are listed for one merchant or for all', async () => {
    const { merchantId, bookId } = await createBook();
    const { id } = await createWallet(deps(), {
      actor: TEST_ACTOR,
      bookId,
      currency: 'NGN',
      name: 'Lagos',
    });
    const own = await listWalletsForStaff(test.database, { merchantId });
    assert.deepEqual(
      own.wallets.map((wallet) => wallet.id),
      [id],
    );
    const all = await listWalletsForStaff(test.database, { merchantId: null });
    assert.ok(all.wallets.length > 1);
  });

  it('are at most 100 in a book, also when created at once', async () => {
    const { merchantId, bookId } = await createBook();
    const results = await Promise.allSettled(
      Array.from({ length: WALLETS_MAX + 3 }, () =>
        createWallet(deps(), { actor: TEST_ACTOR, bookId, currency: 'ZMW', name: 'x' }),
      ),
    );
    assert.equal(results.filter(({ status }) => status === 'rejected').length, 3);
    const { wallets } = await listWalletsForStaff(test.database, { merchantId });
    assert.equal(wallets.length, WALLETS_MAX);
  });

  it('are funded once per reference, however often and however many at once', async () => {
    const walletId = await createOne();
    const request = { walletId, amountMinor: 12_345n, fundingReference: 'bank 2026/114' };
    const results = await Promise.all(
      Array.from({ length: 8 }, () => fundByReference(deps(), { actor: TEST_ACTOR, ...request })),
    );
    assert.equal(results.filter(({ already }) => !already).length, 1);
    assert.equal((await findWalletForStaff(test.database, walletId)).availableMinor, 12_345n);
  });

  it('refuse a funding reference that meant another amount or wallet', async () => {
    const { bookId } = await createBook();
    const one = await createWallet(deps(), {
      actor: TEST_ACTOR,
      bookId,
      currency: 'ZMW',
      name: 'one',
    });
    const two = await createWallet(deps(), {
      actor: TEST_ACTOR,
      bookId,
      currency: 'ZMW',
      name: 'two',
    });
    const request = { walletId: one.id, amountMinor: 100n, fundingReference: 'R1' };
    await fundByReference(deps(), { actor: TEST_ACTOR, ...request });
    await assert.rejects(
      fundByReference(deps(), { actor: TEST_ACTOR, ...request, amountMinor: 101n }),
      AdminRefused,
    );
    await assert.rejects(
      fundByReference(deps(), { actor: TEST_ACTOR, ...request, walletId: two.id }),
      AdminRefused,
    );
    assert.equal((await findWalletForStaff(test.database, one.id)).availableMinor, 100n);
    assert.equal((await findWalletForStaff(test.database, two.id)).availableMinor, 0n);
  });

  it('refuse funding references that are empty, too long or hold control characters', async () => {
    const walletId = await createOne();
    for (const fundingReference of ['', '  ', 'x'.repeat(101), 'a\nb']) {
      const request = { walletId, amountMinor: 1n, fundingReference };
      await assert.rejects(
        fundByReference(deps(), { actor: TEST_ACTOR, ...request }),
        AdminRefused,
      );
    }
  });

  it('can be frozen and unfrozen, twice is once, and can be funded while frozen', async () => {
    const id = await createOne();
    await freezeWallet(deps(), { actor: TEST_ACTOR, id });
    await freezeWallet(deps(), { actor: TEST_ACTOR, id });
    assert.equal((await findWalletForStaff(test.database, id)).status, 'frozen');
    await fundByReference(deps(), {
      actor: TEST_ACTOR,
      walletId: id,
      amountMinor: 5n,
      fundingReference: 'F',
    });
    assert.equal((await unfreezeWallet(deps(), { actor: TEST_ACTOR, id })).status, 'active');
    assert.equal((await findWalletForStaff(test.database, id)).availableMinor, 5n);
  });

  it('take a daily limit and lose it again', async () => {
    const id = await createOne();
    await setWalletLimit(deps(), { actor: TEST_ACTOR, id, dailyLimitMinor: 500_00n });
    assert.equal((await findWalletForStaff(test.database, id)).dailyLimitMinor, 500_00n);
    await setWalletLimit(deps(), { actor: TEST_ACTOR, id, dailyLimitMinor: null });
    assert.equal((await findWalletForStaff(test.database, id)).dailyLimitMinor, null);
  });

  it('are refused with a hint at the list when unknown', async () => {
    for (const id of [newId(), 'till', '']) {
      await assert.rejects(freezeWallet(deps(), { actor: TEST_ACTOR, id }), {
        code: 'WALLET_NOT_FOUND',
      });
      await assert.rejects(setWalletLimit(deps(), { actor: TEST_ACTOR, id, dailyLimitMinor: 1n }), {
        code: 'WALLET_NOT_FOUND',
      });
      const request = { walletId: id, amountMinor: 1n, fundingReference: 'F' };
      await assert.rejects(fundByReference(deps(), { actor: TEST_ACTOR, ...request }), {
        code: 'WALLET_NOT_FOUND',
      });
    }
  });
});
