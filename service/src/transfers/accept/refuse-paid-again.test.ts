import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { prepareTransfer, storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { createControlSnapshots } from '../../controls/control-snapshots.ts';
import type { Book } from '../../domain/book.ts';
import { retryReference } from '../../domain/retry-reference.ts';
import { openIncident } from '../move/open-incident.ts';
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

const FAIL = `
  update transfers set state = 'failed', failure_code = 'OPERATOR_REJECTED', completed_at = now(),
    lease_owner = null, next_action_at = case when $2 then now() end
  where id = $1`;

async function storeFailed(reference: string, isAsked = false): Promise<string> {
  const order = { book, walletId, reference, leaseOwner: randomUUID() };
  const { id } = await storeTestTransfer(test.database, order);
  await test.database.query({ name: '', text: FAIL }, [id, isAsked]);
  return id;
}

const sayPaid = (transferId: string) =>
  openIncident(test.database, {
    id: randomUUID(),
    transfer: { bookId: book.id, id: transferId },
    kind: 'paid_after_failure',
    detail: 'The operator says that it paid it.',
    at: new Date(),
  });

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
    await sayPaid(await storeFailed('a'));
    await storeFailed('b');
    assert.deepEqual(await pay(['a.retry-1', 'b.retry-1', 'c', 'a.retry-2', 'ab.retry-1']), [
      REFUSED,
      'accepted',
      'accepted',
      REFUSED,
      'accepted',
    ]);
  });

  it('is not paid again while the operator is being asked about it', async () => {
    await storeFailed('a', true);
    assert.deepEqual(await pay(['a.retry-1']), [REFUSED]);
  });

  it('is not paid again under the hash of a long reference', async () => {
    const reference = 'x'.repeat(90);
    await sayPaid(await storeFailed(reference));
    const first = retryReference(reference);
    assert.deepEqual(await pay([first, retryReference(first), `retry-${'0'.repeat(64)}`]), [
      REFUSED,
      REFUSED,
      'accepted',
    ]);
  });

  it('is not paid again by what replaces it under another reference', async () => {
    const id = await storeFailed('a');
    assert.deepEqual(await pay(['again'], id), ['accepted']);
    await sayPaid(id);
    assert.deepEqual(await pay(['once-more'], id), [REFUSED]);
  });

  it('is found by what was stored before the operator said so', async () => {
    const id = await storeFailed('a');
    assert.deepEqual(await pay(['a.retry-1']), ['accepted']);
    await sayPaid(id);
    assert.deepEqual(await pay(['a.retry-1']), ['DUPLICATE_REFERENCE']);
  });
});
