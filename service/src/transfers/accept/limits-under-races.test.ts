import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createPayingProcess, isAccepted, type Paid } from '../../../test/paying-process.ts';
import { putPolicy } from '../../../test/put-policy.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import {
  createTestDatabase,
  openTestPool,
  type TestDatabase,
} from '../../../test/test-database.ts';
import type { Database } from '../../postgres/database.ts';

const MAKERS = 64;
/** What fits below the limit. */
const FITS = 20;
const AMOUNT_MINOR = 10_01n;
const REFUSE = { refuse: true };

let test: TestDatabase;
let pools: readonly Database[];
before(async () => {
  test = await createTestDatabase();
  // With the rights of the service, so that a missing grant is found.
  pools = [openTestPool(test.serviceUrl), openTestPool(test.serviceUrl)];
});
after(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  await test.drop();
});

type Order = Parameters<ReturnType<typeof createPayingProcess>['pay']>[1];

/**
 * 64 orders at once over two processes. Each process pays from a wallet of its own, unless the order says otherwise: then
 * no lock of a wallet holds the processes apart.
 */
async function race(
  rule: object,
  orderOf: (maker: number, wallets: readonly string[]) => Partial<Order>,
) {
  const book = await createTestBook(test.database);
  const wallets = [
    await createTestWallet(test.database, { bookId: book.id, fundedMinor: 1_000_000_00n }),
    await createTestWallet(test.database, { bookId: book.id, fundedMinor: 1_000_000_00n }),
  ];
  await putPolicy(test.database, book, [rule]);
  const processes = pools.map((pool) => createPayingProcess(pool));
  const paid = await Promise.all(
    Array.from({ length: MAKERS }, (_, maker) => {
      const place = (maker >> 1) & 1;
      const order = {
        walletId: wallets[place] ?? '',
        amountMinor: AMOUNT_MINOR,
        phone: `+2609774${String(10_000 + maker)}`,
        ...orderOf(maker, wallets),
      };
      // A key that one process has in memory does not know of the policy yet.
      return pick(processes, place).pay(
        place === 0 ? book : { ...book, controlsVersion: 1 },
        order,
      );
    }),
  );
  return { paid, wallets };
}

/** The processes take turns. */
function pick<T>(processes: readonly T[], turn: number): T {
  const process = processes[turn % processes.length];
  assert.ok(process !== undefined);
  return process;
}

function countAccepted(paid: readonly Paid[]): number {
  for (const one of paid) {
    if (!isAccepted(one))
      assert.deepEqual([one.code, one.detail.rule], ['POLICY_REFUSED', 'limit']);
  }
  return paid.filter(isAccepted).length;
}

const person = randomUUID();
const SUBJECTS = {
  key: () => ({ actor: 'key:019a0000-0000-7000-8000-00000000000a' }),
  person: () => ({
    actor: `person:${person}`,
    origin: { source: 'console' as const, madeBy: person },
  }),
  recipient: () => ({ phone: '+260977433571' }),
  operator: () => ({ operator: 'mtn' as const }),
};
const WINDOWS = [{ day: true }, { window: 'PT1H' }];
const above = String(AMOUNT_MINOR * BigInt(FITS)).replace(/(..)$/, '.$1');

describe('64 makers at once', () => {
  for (const [by, orderOf] of Object.entries(SUBJECTS)) {
    for (const window of WINDOWS) {
      it(`never exceed a sum by ${by} in ${JSON.stringify(window)}, and reach it`, async () => {
        const rule = { name: 'limit', when: { sum: { by, ...window, above } }, require: REFUSE };
        assert.equal(countAccepted((await race(rule, orderOf)).paid), FITS);
      });
    }
    it(`never exceed a count by ${by}, and reach it`, async () => {
      const when = { count: { by, window: 'PT10M', above: FITS } };
      const { paid } = await race({ name: 'limit', when, require: REFUSE }, orderOf);
      assert.equal(countAccepted(paid), FITS);
    });
  }

  for (const window of WINDOWS) {
    it(`never exceed a sum by wallet in ${JSON.stringify(window)}, each for itself`, async () => {
      const when = { sum: { by: 'wallet', ...window, above } };
      const { paid, wallets } = await race(
        { name: 'limit', when, require: REFUSE },
        (maker, both) => ({ walletId: both[maker % 2] ?? '' }),
      );
      assert.equal(countAccepted(paid), 2 * FITS);
      for (const walletId of wallets) {
        const own = paid.filter(isAccepted).filter((one) => one.walletId === walletId);
        assert.equal(own.length, FITS);
      }
    });
  }

  it('pay one of many that are similar', async () => {
    const rule = { name: 'limit', when: { similarWithin: 'PT1H' }, require: REFUSE };
    const { paid } = await race(rule, () => ({ phone: '+260977433571' }));
    assert.equal(countAccepted(paid), 1);
  });

  it('all make a first payment to a number that was not paid yet', async () => {
    const rule = { name: 'limit', when: { firstPayment: true }, require: { warn: true } };
    const { paid } = await race(rule, () => ({ phone: '+260977433571' }));
    const first = paid.filter(isAccepted).filter(({ rules }) => rules.length > 0);
    assert.deepEqual([paid.filter(isAccepted).length, first.length], [MAKERS, MAKERS]);
  });
});

describe('publishing while payouts are accepted', () => {
  it('lets no payout through that the policy did not count', async () => {
    const book = await createTestBook(test.database);
    const walletId = await createTestWallet(test.database, {
      bookId: book.id,
      fundedMinor: 1_000_000_00n,
    });
    const processes = pools.map((pool) => createPayingProcess(pool));
    const paying = Array.from({ length: MAKERS }, (_, maker) =>
      pick(processes, maker).pay(book, { walletId, amountMinor: AMOUNT_MINOR }),
    );
    const when = { count: { by: 'wallet', day: true, above: FITS } };
    await putPolicy(test.database, book, [{ name: 'limit', when, require: REFUSE }]);
    // The book as a key in memory knows it: without controls.
    const after = await Promise.all(
      processes.map((process) => process.pay(book, { walletId, amountMinor: AMOUNT_MINOR })),
    );
    const all = [...(await Promise.all(paying)), ...after];
    const accepted = all.filter(isAccepted);
    const before = accepted.filter(({ policyVersion }) => policyVersion === null);
    assert.equal(accepted.length, Math.max(before.length, FITS));
    for (const one of after) assert.ok(!isAccepted(one) || one.policyVersion === 1);
  });
});
