import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestBook } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { Book } from '../domain/book.ts';
import type { Country, Operator } from '../domain/operator.ts';
import { createUuidV7Source } from '../domain/uuid.ts';
import { findRecipient } from './find-recipient.ts';
import { listRecipients, type RecipientFilter } from './list-recipients.ts';
import { PENDING } from './recipient.ts';
import { storeRecipient } from './store-recipient.ts';

const newId = createUuidV7Source(
  () => Date.parse('2026-11-15T00:00:00Z'),
  (bytes) => crypto.getRandomValues(bytes),
);
const EVERYTHING: RecipientFilter = {
  phone: null,
  operator: null,
  country: null,
  from: null,
  to: null,
};

let test: TestDatabase;
let book: Book;
before(async () => {
  test = await createTestDatabase();
  book = await createTestBook(test.database);
});
after(() => test.drop());

async function store(
  number: number,
  place: { operator?: Operator; country?: Country; owner?: Book } = {},
): Promise<string> {
  const id = newId();
  const { operator = 'mtn', country = 'zm', owner = book } = place;
  const recipient = {
    bookId: owner.id,
    id,
    mode: owner.mode,
    phone: `+26097740000${number}`,
    operator,
    country,
    suppliedAccountName: null,
    createdAt: new Date(`2026-11-0${number}T12:00:00Z`),
    ...PENDING,
  };
  const stored = { recipient, actor: 'test', cause: 'test', lookUpAgainInMs: null };
  assert.equal(await storeRecipient(test.database, stored), true);
  return id;
}

async function list(
  filter: Partial<RecipientFilter> = {},
  page: { limit: number; before: string | null } = { limit: 100, before: null },
) {
  const { items, nextCursor } = await listRecipients(test.database, {
    book,
    filter: { ...EVERYTHING, ...filter },
    page,
  });
  return { ids: items.map(({ id }) => id), nextCursor };
}

describe('listing recipients', () => {
  const ids: string[] = [];
  before(async () => {
    ids.push(await store(1), await store(2, { operator: 'airtel' }));
    ids.push(await store(3, { country: 'ng' }), await store(4));
    await store(5, { owner: await createTestBook(test.database) });
    ids.reverse();
  });

  it('returns those of the book, newest first', async () => {
    assert.deepEqual(await list(), { ids, nextCursor: null });
  });

  it('filters by phone, operator, country and time', async () => {
    const [four, three, two, one] = ids;
    assert.deepEqual((await list({ phone: '+260977400001' })).ids, [one]);
    assert.deepEqual((await list({ operator: 'airtel' })).ids, [two]);
    assert.deepEqual((await list({ country: 'ng' })).ids, [three]);
    const second = new Date('2026-11-02T12:00:00Z');
    const fourth = new Date('2026-11-04T12:00:00Z');
    assert.deepEqual((await list({ from: second, to: fourth })).ids, [three, two]);
    assert.deepEqual((await list({ operator: 'mtn', country: 'zm' })).ids, [four, one]);
  });

  it('accepts times at the limits of a date', async () => {
    const from = new Date('0000-01-01T00:00:00+14:00');
    const to = new Date('9999-12-31T23:59:59-14:00');
    assert.deepEqual((await list({ from, to })).ids, ids);
  });

  it('returns pages that a new recipient does not shift', async () => {
    const first = await list({}, { limit: 2, before: null });
    assert.deepEqual(first, { ids: ids.slice(0, 2), nextCursor: ids[1] });
    await store(6);
    const second = await list({}, { limit: 2, before: first.nextCursor });
    assert.deepEqual(second, { ids: ids.slice(2), nextCursor: null });
  });
});

it('finds a recipient in its own book only', async () => {
  const id = await store(7);
  const other = await createTestBook(test.database);
  assert.equal((await findRecipient(test.database, { book, id }))?.id, id);
  assert.equal(await findRecipient(test.database, { book: other, id }), undefined);
});
