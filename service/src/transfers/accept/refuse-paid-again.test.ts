import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { prepareTransfer, storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { createControlSnapshots } from '../../controls/control-snapshots.ts';
import type { Book } from '../../domain/book.ts';
import type { IncidentKind } from '../../domain/incident.ts';
import { retryReference } from '../../domain/retry-reference.ts';
import { openIncident } from '../move/open-incident.ts';
import { findMayBePaid } from '../read/find-may-be-paid.ts';
import { commitTransfers } from './commit-transfers.ts';

let test: TestDatabase;
let book: Book;
let walletId: string;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());
beforeEach(async () => {
  book = await createTestBook(test.database);
  walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 100_000n });
});

const END = `
  update transfers set state = $2, failure_code = $3, completed_at = now(), lease_owner = null,
    next_action_at = case when $4 then now() end
  where id = $1`;

const FAILURES = {
  failed: 'OPERATOR_REJECTED',
  cancelled: 'CANCELLED',
  succeeded: null,
  reversed: null,
} as const;

type End = Readonly<{ state?: keyof typeof FAILURES; isAsked?: boolean }>;

async function storeEnded(
  reference: string,
  { state = 'failed', isAsked = false }: End = {},
): Promise<string> {
  const order = { book, walletId, reference, leaseOwner: randomUUID() };
  const { id } = await storeTestTransfer(test.database, order);
  await test.database.query({ name: '', text: END }, [id, state, FAILURES[state], isAsked]);
  return id;
}

const open = (transferId: string, kind: IncidentKind) =>
  openIncident(test.database, {
    id: randomUUID(),
    transfer: { bookId: book.id, id: transferId },
    kind,
    at: new Date(),
  });

const sayPaid = (transferId: string) => open(transferId, 'paid_after_failure');

const CLOSE = `
  update incidents set closed_at = now(), closed_by = 'Test', note = 'It was not paid.' where transfer_id = $1`;

async function pay(
  references: readonly string[],
  replaces: string | null = null,
): Promise<readonly string[]> {
  const controls = createControlSnapshots(test);
  const deps = { database: test.database, leaseOwner: randomUUID(), now: () => new Date() };
  const group = references.map((reference) => {
    const prepared = prepareTransfer(book, { walletId, reference });
    return { ...prepared, origin: { ...prepared.origin, replaces } };
  });
  const decisions = await commitTransfers({ ...deps, controls }, group);
  return decisions.map((one) => (one.kind === 'refused' ? one.refusal.code : one.kind));
}

const REFUSED = 'EARLIER_MAY_BE_PAID';

describe('a payout that failed', () => {
  it('is not paid again by any reference of it while the operator says that it paid it', async () => {
    await sayPaid(await storeEnded('a'));
    await storeEnded('b');
    assert.deepEqual(await pay(['a.retry-1', 'b.retry-1', 'c', 'a.retry-2', 'ab.retry-1']), [
      REFUSED,
      'accepted',
      'accepted',
      REFUSED,
      'accepted',
    ]);
  });

  it('is not paid again while the operator is being asked about it', async () => {
    await storeEnded('a', { isAsked: true });
    assert.deepEqual(await pay(['a.retry-1']), [REFUSED]);
  });

  it('is not paid again when the operator was asked for 72 hours and did not say, until a person found out', async () => {
    const id = await storeEnded('a');
    await open(id, 'unclear_after_end');
    assert.deepEqual(await pay(['a.retry-1']), [REFUSED]);
    await test.database.query({ name: '', text: CLOSE }, [id]);
    assert.deepEqual(await pay(['a.retry-1']), ['accepted']);
  });

  it('may be one that was cancelled: what asks the operator about it is a callback that says paid', async () => {
    await storeEnded('a', { state: 'cancelled', isAsked: true });
    await open(await storeEnded('b', { state: 'cancelled' }), 'unclear_after_end');
    await storeEnded('c', { state: 'cancelled' });
    assert.deepEqual(await pay(['a.retry-1', 'b.retry-1', 'c.retry-1']), [
      REFUSED,
      REFUSED,
      'accepted',
    ]);
  });

  it('is not meant by what is unclear about one that was paid: whether it came back', async () => {
    await open(await storeEnded('a', { state: 'succeeded' }), 'unclear_after_end');
    assert.deepEqual(await pay(['a.retry-1']), ['accepted']);
  });

  it('is not paid again under the hash of a long reference', async () => {
    const reference = 'x'.repeat(90);
    await sayPaid(await storeEnded(reference));
    const first = retryReference(reference);
    assert.deepEqual(await pay([first, retryReference(first), `retry-${'0'.repeat(64)}`]), [
      REFUSED,
      REFUSED,
      'accepted',
    ]);
  });

  it('is not paid again under the hash of a long reference while the operator is being asked about it', async () => {
    const [failed, cancelled] = ['x'.repeat(90), 'y'.repeat(90)];
    await storeEnded(failed, { isAsked: true });
    await storeEnded(cancelled, { isAsked: true, state: 'cancelled' });
    await storeEnded('z'.repeat(90));
    const again = [failed, cancelled, 'z'.repeat(90)].map(retryReference);
    assert.deepEqual(await pay(again), [REFUSED, REFUSED, 'accepted']);
  });

  it('is not paid again by a number after a long reference, as older command lines made it', async () => {
    const reference = 'x'.repeat(92);
    await sayPaid(await storeEnded(reference));
    await storeEnded('y'.repeat(92));
    assert.deepEqual(await pay([`${reference}.retry-1`, `${'y'.repeat(92)}.retry-1`]), [
      REFUSED,
      'accepted',
    ]);
  });

  it('is not paid again by what replaces it under another reference', async () => {
    const id = await storeEnded('a');
    assert.deepEqual(await pay(['again'], id), ['accepted']);
    await sayPaid(id);
    assert.deepEqual(await pay(['once-more'], id), [REFUSED]);
  });

  it('costs retries in a book without such a payout one statement, whatever their numbers', async () => {
    const id = await storeEnded('a');
    await sayPaid(id);
    const names: string[] = [];
    const query: typeof test.database.query = (statement, values) => {
      names.push(statement.name);
      return test.database.query(statement, values);
    };
    const retries = Array.from({ length: 1_000 }, (_, n) => `x${n}.retry-9999`);
    const inBook = (bookId: string) =>
      [...retries, 'a.retry-2'].map((reference) => ({ bookId, reference, replaces: null }));
    const other = await createTestBook(test.database);
    assert.equal((await findMayBePaid({ query }, inBook(other.id))).size, 0);
    assert.deepEqual(names, ['find-books-in-question']);
    const found = await findMayBePaid({ query }, [...inBook(other.id), ...inBook(book.id)]);
    assert.deepEqual(
      [...found].map(([{ bookId, reference }, earlier]) => [bookId, reference, earlier]),
      [[book.id, 'a.retry-2', id]],
    );
  });

  it('is found by what was stored before the operator said so', async () => {
    const id = await storeEnded('a');
    assert.deepEqual(await pay(['a.retry-1']), ['accepted']);
    await sayPaid(id);
    assert.deepEqual(await pay(['a.retry-1']), ['DUPLICATE_REFERENCE']);
  });
});

describe('a payout that was cancelled or reversed', () => {
  it('is paid again under the reference that follows from its own', async () => {
    await storeEnded('a', { state: 'cancelled' });
    await storeEnded('b', { state: 'reversed' });
    assert.deepEqual(await pay(['a.retry-1', 'b.retry-1']), ['accepted', 'accepted']);
  });

  it('is not paid again while the operator says that it paid it, or what failed before it', async () => {
    const first = await storeEnded('a');
    await storeEnded('a.retry-1', { state: 'cancelled' });
    await sayPaid(first);
    await sayPaid(await storeEnded('b', { state: 'cancelled' }));
    assert.deepEqual(await pay(['a.retry-2', 'b.retry-1']), [REFUSED, REFUSED]);
  });
});
