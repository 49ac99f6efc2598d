import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, it } from 'node:test';
import { putPolicy } from '../../test/put-policy.ts';
import { type StoredFileRow, storeFile } from '../../test/stored-file.ts';
import { storeTestTransfer } from '../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { storePerson } from '../../test/test-person.ts';
import { createControlSnapshots } from '../controls/control-snapshots.ts';
import type { Book } from '../domain/book.ts';
import { WEEKDAYS } from '../domain/recurrence.ts';
import { Refusal } from '../domain/refusal.ts';
import { submitFile } from './submit-file.ts';

const DAY_MS = 24 * 60 * 60_000;

let test: TestDatabase;
let book: Book;
let walletId: string;
before(async () => {
  test = await createTestDatabase();
});
beforeEach(async () => {
  const { database } = test;
  book = await createTestBook(database);
  walletId = await createTestWallet(database, { bookId: book.id, fundedMinor: 100_000_000n });
  const roles = [{ merchantId: book.merchantId, role: 'approver' }] as const;
  await Promise.all([1, 2, 3].map(() => storePerson(database, { roles })));
});
after(() => test.drop());

const approvals = (count: number) => ({ approvals: count, of: ['approver'] });
const rowsOf = (count: number, row: StoredFileRow = {}) => Array.from({ length: count }, () => row);

/** Submits rows, and returns the names of the rules whose approvals the file waits for. */
async function rulesOf(
  rows: readonly StoredFileRow[],
  payAt: Date | null = null,
): Promise<readonly string[]> {
  const { database } = test;
  const id = await storeFile(database, { bookId: book.id, walletId, rows });
  await submitFile(
    {
      database,
      controls: createControlSnapshots({ database }),
      now: () => new Date(),
      newId: randomUUID,
    },
    {
      book,
      actor: { kind: 'key', id: randomUUID() },
      id,
      contentHash: null,
      walletId: null,
      payAt,
    },
  );
  const text = 'select approvals_needed from payout_files where id = $1';
  const [row] = await database.query<{ approvals_needed: { rule: string }[] | null }>(
    { name: '', text },
    [id],
  );
  return (row?.approvals_needed ?? []).map(({ rule }) => rule);
}

async function refusalOf(rows: readonly StoredFileRow[]): Promise<readonly unknown[]> {
  try {
    await rulesOf(rows);
    return [];
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    return [error.code, error.detail.rule];
  }
}

it('refuses a file whose total exceeds a sum, together with what was paid before', async () => {
  await putPolicy(test.database, book, [
    {
      name: 'daily',
      when: { sum: { by: 'wallet', day: true, above: '100.00' } },
      require: { refuse: true },
    },
  ]);
  assert.deepEqual(await refusalOf(rowsOf(10, { amountMinor: 1_000n })), []);
  assert.deepEqual(await refusalOf(rowsOf(10, { amountMinor: 1_001n })), [
    'POLICY_REFUSED',
    'daily',
  ]);
});

it('counts every row of a file', async () => {
  await putPolicy(test.database, book, [
    {
      name: 'many',
      when: { count: { by: 'wallet', window: 'PT1H', above: 1_500 } },
      require: approvals(2),
    },
  ]);
  // Rows are read in pages of a thousand: none of these alone is too many.
  assert.deepEqual(await rulesOf(rowsOf(1_500)), []);
  assert.deepEqual(await rulesOf(rowsOf(1_501)), ['many']);
});

it('asks for the approvals of each rule once, whether rows or the total match it', async () => {
  await putPolicy(test.database, book, [
    { name: 'row', when: { amountAtLeast: '50.00' }, require: approvals(1) },
    { name: 'total', when: { amountAtLeast: '150.00' }, require: approvals(1) },
    {
      name: 'other operator',
      when: { amountAtLeast: '1.00', operator: ['mtn'] },
      require: approvals(1),
    },
  ]);
  assert.deepEqual(await rulesOf(rowsOf(2, { amountMinor: 6_000n })), ['row']);
  assert.deepEqual(await rulesOf(rowsOf(3, { amountMinor: 6_000n })), ['row', 'total']);
});

it('asks for the approvals of the hours in which it is to be paid', async () => {
  const payAt = new Date(Date.now() + 3 * DAY_MS);
  const days = [WEEKDAYS[(payAt.getUTCDay() + 6) % 7]];
  await putPolicy(test.database, book, [
    {
      name: 'day',
      when: { hours: { zone: 'UTC', days, from: '00:00', to: '24:00' } },
      require: approvals(1),
    },
  ]);
  assert.deepEqual(await rulesOf(rowsOf(2)), []);
  assert.deepEqual(await rulesOf(rowsOf(2), new Date(payAt.getTime() - DAY_MS)), []);
  assert.deepEqual(await rulesOf(rowsOf(2), payAt), ['day']);
});

it('looks at recipients row by row, and never at the recipient of a total', async () => {
  const phone = '+260977433571';
  await putPolicy(test.database, book, [
    { name: 'new', when: { firstPayment: true }, require: approvals(1) },
    { name: 'again', when: { similarWithin: 'PT24H' }, require: approvals(1) },
    {
      name: 'often',
      when: { count: { by: 'recipient', window: 'PT1H', above: 1 } },
      require: approvals(1),
    },
  ]);
  const leaseOwner = randomUUID();
  await storeTestTransfer(test.database, { book, walletId, leaseOwner, phone, amountMinor: 700n });
  assert.deepEqual(await rulesOf([{ phone, amountMinor: 701n }]), ['new', 'often']);
  const text = `update transfers set state = 'succeeded', completed_at = now() where book_id = $1`;
  await test.database.query({ name: '', text }, [book.id]);
  assert.deepEqual(await rulesOf([{ phone, amountMinor: 701n }]), ['often']);
  assert.deepEqual(await rulesOf([{ phone, amountMinor: 700n }]), ['again', 'often']);
  // The second row to a number is similar to the first.
  const two = rowsOf(2, { phone: '+260977433572', amountMinor: 5n });
  assert.deepEqual(await rulesOf(two), ['new', 'again', 'often']);
});

it('is refused when the people who did not make it cannot approve it', async () => {
  await putPolicy(test.database, book, [
    { name: 'four', when: { amountAtLeast: '1.00' }, require: approvals(4) },
  ]);
  assert.deepEqual((await refusalOf(rowsOf(1)))[0], 'APPROVAL_IMPOSSIBLE');
});
