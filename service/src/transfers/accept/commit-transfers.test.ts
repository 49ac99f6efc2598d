import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import * as fc from 'fast-check';
import { pollUntil } from '../../../test/poll.ts';
import { prepareTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { createControlSnapshots } from '../../controls/control-snapshots.ts';
import { commitTransfers } from './commit-transfers.ts';
import type { AcceptResult } from './decide-in-order.ts';
import type { PreparedTransfer } from './prepared-transfer.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

const now = () => new Date();

function commit(group: readonly PreparedTransfer[]): Promise<readonly AcceptResult[]> {
  const controls = createControlSnapshots(test);
  const deps = { database: test.database, leaseOwner: randomUUID(), now, controls };
  return commitTransfers(deps, group);
}

function verdictOf(decision: AcceptResult | undefined): string {
  if (decision === undefined) return 'missing';
  return decision.kind === 'refused' ? decision.refusal.code : decision.kind;
}

async function readWallet(bookId: string, walletId: string) {
  const [row] = await test.database.query<{
    available: bigint;
    held: bigint;
    seq: bigint;
    sum_available: bigint;
    sum_held: bigint;
    postings: bigint;
    lowest: bigint;
  }>(
    {
      name: '',
      text: `
        select w.available_minor as available, w.held_minor as held, w.posting_seq as seq,
               coalesce(sum(case when p.to_account = 'available' then p.amount_minor
                                 when p.from_account = 'available' then -p.amount_minor end), 0)::bigint
                 as sum_available,
               coalesce(sum(case when p.to_account = 'held' then p.amount_minor
                                 when p.from_account = 'held' then -p.amount_minor end), 0)::bigint
                 as sum_held,
               count(p.seq) as postings,
               coalesce(min(p.available_after_minor), 0) as lowest
        from wallets w
        left join postings p on p.book_id = w.book_id and p.wallet_id = w.id
        where w.book_id = $1 and w.id = $2
        group by w.available_minor, w.held_minor, w.posting_seq`,
    },
    [bookId, walletId],
  );
  assert.ok(row);
  return row;
}

/** The rules in their simplest form: one command after the other, each alone. */
function decideAlone(groups: readonly (readonly Wish[])[], funds: readonly bigint[]): string[][] {
  const left = [...funds];
  const references = new Map<string, Wish>();
  const keys = new Map<string, Wish>();
  return groups.map((group) =>
    group.map((wish) => {
      const first = wish.key === null ? undefined : keys.get(wish.key);
      if (first !== undefined) return same(first, wish) ? 'replayed' : 'IDEMPOTENCY_KEY_REUSED';
      if (references.has(wish.reference)) return 'DUPLICATE_REFERENCE';
      const available = left[wish.wallet];
      if (available === undefined) return 'WALLET_NOT_FOUND';
      if (available < wish.amountMinor) return 'INSUFFICIENT_BALANCE';
      left[wish.wallet] = available - wish.amountMinor;
      references.set(wish.reference, wish);
      if (wish.key !== null) keys.set(wish.key, wish);
      return 'accepted';
    }),
  );
}

type Wish = { wallet: number; amountMinor: bigint; reference: string; key: string | null };

function same(one: Wish, other: Wish): boolean {
  return (
    one.wallet === other.wallet &&
    one.amountMinor === other.amountMinor &&
    one.reference === other.reference
  );
}

const wishes: fc.Arbitrary<Wish> = fc.record({
  // The third wallet does not exist.
  wallet: fc.nat(2),
  amountMinor: fc.bigInt({ min: 1n, max: 60n }),
  reference: fc.nat(15).map((n) => `ref-${n}`),
  key: fc.option(
    fc.nat(4).map((n) => `key-${n}`),
    { freq: 4 },
  ),
});

describe('a group of transfers', () => {
  it('is decided in order exactly as if each command had come alone', async () => {
    const groups = fc.array(fc.array(wishes, { minLength: 1, maxLength: 12 }), { maxLength: 4 });
    const funds = fc.tuple(fc.bigInt(0n, 200n), fc.bigInt(0n, 200n));
    await fc.assert(
      fc.asyncProperty(groups, funds, async (wished, funded) => {
        const book = await createTestBook(test.database);
        const walletIds = [
          ...(await Promise.all(
            funded.map((fundedMinor) =>
              createTestWallet(test.database, { bookId: book.id, fundedMinor }),
            ),
          )),
          randomUUID(),
        ];
        const actual: string[][] = [];
        for (const group of wished) {
          const prepared = group.map((wish) =>
            prepareTransfer(book, {
              walletId: walletIds[wish.wallet] ?? '',
              amountMinor: wish.amountMinor,
              reference: wish.reference,
              idempotencyKey: wish.key,
            }),
          );
          actual.push((await commit(prepared)).map(verdictOf));
        }
        assert.deepEqual(actual, decideAlone(wished, funded));
        for (const walletId of walletIds.slice(0, 2)) {
          const wallet = await readWallet(book.id, walletId);
          assert.equal(wallet.available, wallet.sum_available);
          assert.equal(wallet.held, wallet.sum_held);
          assert.equal(wallet.seq, wallet.postings);
          assert.ok(wallet.lowest >= 0n);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('accepts a smaller command after one that the wallet cannot pay', async () => {
    const book = await createTestBook(test.database);
    const walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 100n });
    const amounts = [80n, 50n, 20n, 1n];
    const group = amounts.map((amountMinor) => prepareTransfer(book, { walletId, amountMinor }));
    const verdicts = (await commit(group)).map(verdictOf);
    assert.deepEqual(verdicts, [
      'accepted',
      'INSUFFICIENT_BALANCE',
      'accepted',
      'INSUFFICIENT_BALANCE',
    ]);
  });

  it('uses the balance when the wallet is locked, not the one when the statement began', async () => {
    const book = await createTestBook(test.database);
    const walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 10n });
    let waiting: Promise<readonly AcceptResult[]> | undefined;
    await test.database.transaction(async (tx) => {
      const text = `update wallets set available_minor = available_minor + 100 where id = '${walletId}'`;
      await tx.query({ name: '', text });
      waiting = commit([prepareTransfer(book, { walletId, amountMinor: 60n })]);
      await pollUntil('the group to wait for the wallet', async () => {
        const [row] = await tx.query<{ waits: boolean }>({
          name: '',
          text: `select exists (select from pg_locks where not granted) as waits`,
        });
        return row?.waits === true;
      });
    });
    assert.deepEqual((await waiting)?.map(verdictOf), ['accepted']);
  });

  it('reports frozen wallets, wrong currencies, daily limits and missing routes', async () => {
    const book = await createTestBook(test.database);
    const wallet = (currency: 'ZMW' | 'NGN') =>
      createTestWallet(test.database, { bookId: book.id, currency, fundedMinor: 1_000n });
    const [frozen, naira, limited] = [
      await wallet('ZMW'),
      await wallet('NGN'),
      await wallet('ZMW'),
    ];
    const change = (text: string) => test.database.query({ name: '', text });
    await change(`update wallets set status = 'frozen' where id = '${frozen}'`);
    await change(`update wallets set daily_limit_minor = 150 where id = '${limited}'`);
    const unroutable = prepareTransfer(book, { walletId: limited });
    const verdicts = await commit([
      prepareTransfer(book, { walletId: frozen }),
      prepareTransfer(book, { walletId: naira }),
      prepareTransfer(book, { walletId: limited, amountMinor: 100n }),
      prepareTransfer(book, { walletId: limited, amountMinor: 100n }),
      prepareTransfer(book, { walletId: limited, amountMinor: 50n }),
      { ...unroutable, unroutable: 'OPERATOR_NOT_AVAILABLE' },
    ]);
    assert.deepEqual(verdicts.map(verdictOf), [
      'WALLET_INACTIVE',
      'CURRENCY_MISMATCH',
      'accepted',
      'LIMIT_EXCEEDED',
      'accepted',
      'OPERATOR_NOT_AVAILABLE',
    ]);
  });

  it('spans books without mixing them: the same reference in two books is two transfers', async () => {
    const books = [await createTestBook(test.database), await createTestBook(test.database)];
    const group = await Promise.all(
      books.map(async (book) => {
        const walletId = await createTestWallet(test.database, {
          bookId: book.id,
          fundedMinor: 100n,
        });
        return prepareTransfer(book, { walletId, reference: 'salary-1' });
      }),
    );
    assert.deepEqual((await commit(group)).map(verdictOf), ['accepted', 'accepted']);
    const [first, second] = group;
    assert.ok(first && second);
    const foreign = prepareTransfer(second.book, { walletId: first.command.walletId });
    assert.deepEqual((await commit([foreign])).map(verdictOf), ['WALLET_NOT_FOUND']);
  });

  it('creates one transfer when many groups race for the same reference', async () => {
    const book = await createTestBook(test.database);
    const wallets = await Promise.all(
      Array.from({ length: 8 }, () =>
        createTestWallet(test.database, { bookId: book.id, fundedMinor: 1_000n }),
      ),
    );
    const races = wallets.flatMap((walletId) => [
      commit([
        prepareTransfer(book, { walletId, reference: 'race' }),
        prepareTransfer(book, { walletId }),
      ]),
    ]);
    const verdicts = (await Promise.all(races)).map(([first]) => verdictOf(first));
    assert.equal(verdicts.filter((verdict) => verdict === 'accepted').length, 1);
    assert.equal(verdicts.filter((verdict) => verdict === 'DUPLICATE_REFERENCE').length, 7);
  });

  it('never deadlocks when groups use the same wallets in different orders', async () => {
    const book = await createTestBook(test.database);
    const wallets = await Promise.all(
      Array.from({ length: 30 }, () =>
        createTestWallet(test.database, { bookId: book.id, fundedMinor: 10_000n }),
      ),
    );
    for (let round = 0; round < 5; round += 1) {
      const groups = Array.from({ length: 8 }, (_, turn) =>
        wallets.map((_, index) => {
          const walletId = wallets[(index * 7 + turn * 11) % wallets.length] ?? '';
          return prepareTransfer(book, { walletId });
        }),
      );
      const decisions = (await Promise.all(groups.map(commit))).flat();
      assert.ok(decisions.every(({ kind }) => kind === 'accepted'));
    }
  });
});
