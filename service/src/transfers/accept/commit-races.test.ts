import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { pollUntil } from '../../../test/poll.ts';
import { prepareTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, TEST_CELL, type TestDatabase } from '../../../test/test-database.ts';
import { createControlSnapshots } from '../../controls/control-snapshots.ts';
import { openDatabase } from '../../postgres/database.ts';
import { retryConflicts } from '../../postgres/retry-conflicts.ts';
import { commitTransfers } from './commit-transfers.ts';
import type { AcceptResult } from './decide-in-order.ts';
import { acceptTransfer, type PreparedTransfer } from './prepared-transfer.ts';
import { storeTransfers } from './store-transfers.ts';

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

function verdictOf(decision: AcceptResult): string {
  return decision.kind === 'refused' ? decision.refusal.code : decision.kind;
}

function createWallets(bookId: string, count: number): Promise<string[]> {
  const wallet = () => createTestWallet(test.database, { bookId, fundedMinor: 1_000_000n });
  return Promise.all(Array.from({ length: count }, wallet));
}

async function untilWaiting(statements: number): Promise<void> {
  await pollUntil('statements to wait for a lock', async () => {
    const [row] = await test.database.query<{ waiting: number }>({
      name: '',
      text: `
        select count(*)::integer as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    });
    return row?.waiting === statements;
  });
}

/** Connections to the same database whose clock already shows tomorrow. */
async function openAfterMidnight() {
  const change = (text: string) => test.database.query({ name: '', text });
  await change('create schema tomorrow');
  await change(`
    create function tomorrow.now() returns timestamptz stable language sql
    return pg_catalog.now() + interval '1 day'`);
  const url = new URL(test.connectionString);
  url.searchParams.set('options', `-c search_path=tomorrow,pg_catalog,${TEST_CELL.schema}`);
  return openDatabase({
    connectionString: url.href,
    applicationName: 'kafue-test-tomorrow',
    connectionsMax: 1,
    onError: () => undefined,
  });
}

describe('concurrent groups of transfers', () => {
  it('keep the total of the new day when one that began before midnight gets the wallet later', async () => {
    const book = await createTestBook(test.database);
    const [walletId = ''] = await createWallets(book.id, 1);
    const limit = `update wallets set daily_limit_minor = 150 where id = '${walletId}'`;
    await test.database.query({ name: '', text: limit });
    const afterMidnight = await openAfterMidnight();
    let late: Promise<readonly AcceptResult[]> | undefined;
    try {
      await afterMidnight.transaction(async (tx) => {
        const accepted = [acceptTransfer(prepareTransfer(book, { walletId }), now())];
        const group = { accepted, at: now(), leaseOwner: randomUUID() };
        assert.equal(await storeTransfers(tx, group), true);
        // Began before midnight by its own clock; it gets the wallet when the other has committed.
        late = commit([prepareTransfer(book, { walletId })]);
        await untilWaiting(1);
      });
      assert.deepEqual((await late)?.map(verdictOf), ['LIMIT_EXCEEDED']);
      const small = await commit([prepareTransfer(book, { walletId, amountMinor: 30n })]);
      assert.deepEqual(small.map(verdictOf), ['accepted']);
      const controls = createControlSnapshots(test);
      const deps = { database: afterMidnight, leaseOwner: randomUUID(), now, controls };
      const next = await commitTransfers(deps, [
        prepareTransfer(book, { walletId, amountMinor: 30n }),
        prepareTransfer(book, { walletId, amountMinor: 20n }),
      ]);
      assert.deepEqual(next.map(verdictOf), ['LIMIT_EXCEEDED', 'accepted']);
    } finally {
      await afterMidnight.close();
    }
  });

  it('never deadlock over the same references in opposite orders', async () => {
    const book = await createTestBook(test.database);
    const wallets = await createWallets(book.id, 2);
    for (let round = 0; round < 10; round += 1) {
      const references = Array.from({ length: 400 }, (_, index) => `salary-${round}-${index}`);
      const groups = wallets.map((walletId, turn) =>
        (turn === 0 ? references : references.toReversed()).map((reference) =>
          prepareTransfer(book, { walletId, amountMinor: 1n, reference }),
        ),
      );
      const verdicts = (await Promise.all(groups.map(commit))).flat().map(verdictOf);
      assert.equal(verdicts.filter((verdict) => verdict === 'accepted').length, 400);
      assert.equal(verdicts.filter((verdict) => verdict === 'DUPLICATE_REFERENCE').length, 400);
    }
  });

  it('are decided again when a deadlock over Idempotency-Keys was broken', async () => {
    const book = await createTestBook(test.database);
    const wallets = await createWallets(book.id, 3);
    const order = (wallet: number, reference: string, idempotencyKey: string | null) =>
      prepareTransfer(book, { walletId: wallets[wallet] ?? '', reference, idempotencyKey });
    // Each stores its first key, waits in the middle, and then needs the key of the other.
    const groups = [
      [order(0, 'a1', 'key-1'), order(0, 'm1', null), order(0, 'z1', 'key-2')],
      [order(1, 'a2', 'key-2'), order(1, 'm2', null), order(1, 'z2', 'key-1')],
    ];
    const deps = { wait: (ms: number) => wait(ms), random: Math.random };
    let decided: Promise<(readonly AcceptResult[])[]> | undefined;
    const blocked = test.database.transaction(async (tx) => {
      const held = [order(2, 'm1', null), order(2, 'm2', null)];
      const accepted = held.map((prepared) => acceptTransfer(prepared, now()));
      await storeTransfers(tx, { accepted, at: now(), leaseOwner: randomUUID() });
      decided = Promise.all(groups.map((group) => retryConflicts(deps, () => commit(group))));
      await untilWaiting(groups.length);
      throw new Error('rolled back');
    });
    await assert.rejects(blocked, /rolled back/);
    const verdicts = ((await decided) ?? []).flat().map(verdictOf).toSorted();
    const reused = Array.from({ length: 2 }, () => 'IDEMPOTENCY_KEY_REUSED');
    assert.deepEqual(verdicts, [...reused, ...Array.from({ length: 4 }, () => 'accepted')]);
  });
});
