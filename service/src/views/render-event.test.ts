import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { Value } from 'typebox/value';
import { createTransfer, WAYS } from '../../test/every-state-ledger.ts';
import { prepareTransfer } from '../../test/stored-transfer.ts';
import { TEST_ACTOR } from '../../test/test-actor.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { Book } from '../domain/book.ts';
import { type EventKey, eventKey } from '../events/recorded-event.ts';
import { eventSchema } from '../http/schemas/event-schema.ts';
import type { Queryable } from '../postgres/database.ts';
import { nameResolved, PENDING, type Recipient } from '../recipients/recipient.ts';
import { recordName } from '../recipients/record-name.ts';
import { storeRecipient } from '../recipients/store-recipient.ts';
import { acceptTransfer } from '../transfers/accept/prepared-transfer.ts';
import { storeTransfers } from '../transfers/accept/store-transfers.ts';
import { moveTransfers } from '../transfers/move/move-transfers.ts';
import { findTransfer } from '../transfers/read/find-transfer.ts';
import { deleteEndpoint } from '../webhooks/delete-endpoint.ts';
import { updateEndpoint } from '../webhooks/update-endpoint.ts';
import { eventBody, type RenderedEvent, renderEvents } from './render-event.ts';
import { renderTransfer } from './render-transfer.ts';

const NOW = new Date('2026-11-15T08:00:00.000Z');
const LEASE_OWNER = randomUUID();

let test: TestDatabase;
let database: TestDatabase['database'];
let book: Book;
before(async () => {
  test = await createTestDatabase();
  ({ database } = test);
  book = await createTestBook(database);
});
after(() => test.drop());

async function renderOne(key: EventKey, from: Queryable = database): Promise<RenderedEvent> {
  const event = (await renderEvents(from, [key])).get(eventKey(key));
  assert.ok(event !== undefined, `not rendered: ${eventKey(key)}`);
  assert.ok(
    Value.Check(eventSchema(event.type), JSON.parse(eventBody(event))),
    `not as its schema says: ${eventBody(event)}`,
  );
  return event;
}

const dataOf = async (key: EventKey) => (await renderOne(key)).data as Record<string, unknown>;

async function typedEvents(subjectId: string): Promise<readonly EventKey[]> {
  const rows = await database.query<{ seq: number }>(
    {
      name: '',
      text: 'select seq from events where subject_id = $1 and type is not null order by seq',
    },
    [subjectId],
  );
  return rows.map(({ seq }) => ({ bookId: book.id, subjectId, seq }));
}

it('shows a transfer at each event as it was then, in the same bytes ever after', async () => {
  const walletId = await createTestWallet(database, { bookId: book.id, fundedMinor: 100_00n });
  const way = [
    { to: 'submitted', operatorTransactionId: null },
    { to: 'in_doubt', operatorTransactionId: null },
    { to: 'succeeded', operatorTransactionId: 'receipt-1' },
    { to: 'reversed', operatorTransactionId: null },
  ] as const;
  const stored = acceptTransfer(prepareTransfer(book, { walletId, narration: 'Zikomo' }), NOW);
  const group = { accepted: [stored], leaseOwner: LEASE_OWNER, at: NOW };
  assert.ok(await storeTransfers(database, group));
  const { id } = stored.transfer;
  const bodies: string[] = [];
  const key = () => ({ bookId: book.id, subjectId: id, seq: bodies.length + 1 });
  const created = await renderOne(key());
  assert.deepEqual(created.data, renderTransfer(stored.transfer));
  assert.deepEqual(Object.keys(created), 'id type createdAt mode sequence data'.split(' '));
  bodies.push(eventBody(created));

  for (const { to, operatorTransactionId } of way) {
    const at = new Date(NOW.getTime() + bodies.length * 1_000);
    const before = await findTransfer(database, { bookId: book.id, mode: 'test', id });
    assert.ok(before !== undefined);
    const step = { to, operatorTransactionId, cause: 'test', failure: null, nextActionInMs: null };
    const move = {
      transfer: before,
      step: { ...step, checks: 0, notFoundAnswers: 0, needsPerson: false },
      actor: 'test',
      needsLease: false,
      leaseFor: null,
    };
    assert.deepEqual(await moveTransfers(database, { moves: [move], mover: LEASE_OWNER, at }), [
      true,
    ]);
    const now = await findTransfer(database, { bookId: book.id, mode: 'test', id });
    assert.ok(now !== undefined);
    const event = await renderOne(key());
    // The time of the next inquiry is not part of the event: it changes while the transfer stays in doubt.
    assert.deepEqual(
      event.data,
      renderTransfer({ ...now, lastCheckedAt: null, nextActionAt: null }),
    );
    assert.equal(event.createdAt, at.toISOString());
    bodies.push(eventBody(event));
  }

  const keys = await typedEvents(id);
  const again = await renderEvents(database, keys);
  assert.deepEqual(
    keys.map((one) => {
      const event = again.get(eventKey(one));
      return event === undefined ? undefined : eventBody(event);
    }),
    bodies,
  );
});

it('renders every event of every path of a transfer according to its schema', async () => {
  const walletId = await createTestWallet(database, { bookId: book.id, fundedMinor: 1_000_00n });
  const types = new Set<string>();
  for (const way of Object.values(WAYS)) {
    const id = await createTransfer(database, { bookId: book.id, walletId, way, feeMinor: 50n });
    for (const key of await typedEvents(id)) {
      const { type, data } = await renderOne(key);
      types.add(type);
      const { status, failure, completedAt } = data as Record<string, unknown>;
      const ended = status === 'failed' || status === 'cancelled';
      assert.equal(failure !== null, ended, type);
      assert.equal(completedAt === null, status === 'pending', type);
      if (type === 'transfer.successful') assert.equal(status, 'successful');
    }
  }
  assert.equal(types.size, 7);
});

it('shows a recipient whose name came later as pending first, and then as resolved', async () => {
  const recipient: Recipient = {
    bookId: book.id,
    id: randomUUID(),
    mode: 'test',
    phone: '+260977433571',
    operator: 'mtn',
    country: 'zm',
    suppliedAccountName: 'Chanda Banda',
    createdAt: NOW,
    ...PENDING,
  };
  const stored = { recipient, actor: 'test', cause: 'no answer', lookUpAgainInMs: 1_000 };
  assert.ok(await storeRecipient(database, stored));
  const key = (seq: number) => ({ bookId: book.id, subjectId: recipient.id, seq });
  const pending = eventBody(await renderOne(key(1)));
  const naming = nameResolved({ suppliedAccountName: 'Chanda Banda', accountName: 'CHANDA BANDA' });
  await recordName(database, { claim: { recipient, attempts: 1 }, naming, now: NOW });
  assert.equal(eventBody(await renderOne(key(1))), pending);
  const first = await dataOf(key(1));
  assert.deepEqual([first.resolution, first.accountName, first.nameMatch], ['pending', null, null]);
  const second = await dataOf(key(2));
  const shown = [second.resolution, second.accountName, second.nameMatch];
  assert.deepEqual(shown, ['resolved', 'CHANDA BANDA', 'match']);
});

it('shows a recipient that was resolved at once as resolved', async () => {
  const naming = nameResolved({ suppliedAccountName: null, accountName: 'CHANDA BANDA' });
  const recipient: Recipient = {
    bookId: book.id,
    id: randomUUID(),
    mode: 'test',
    phone: '+260977433572',
    operator: 'mtn',
    country: 'zm',
    suppliedAccountName: null,
    createdAt: NOW,
    ...naming,
  };
  const stored = { recipient, actor: 'test', cause: 'resolved', lookUpAgainInMs: null };
  assert.ok(await storeRecipient(database, stored));
  const { resolution } = await dataOf({ bookId: book.id, subjectId: recipient.id, seq: 1 });
  assert.equal(resolution, 'resolved');
});

it('shows a wallet with the balances after the posting that took it below its mark', async () => {
  const walletId = await createTestWallet(database, { bookId: book.id, fundedMinor: 10_00n });
  await database.query(
    { name: '', text: 'update wallets set low_balance_minor = 500 where id = $1' },
    [walletId],
  );
  const pay = async (amountMinor: bigint) => {
    const accepted = [acceptTransfer(prepareTransfer(book, { walletId, amountMinor }), NOW)];
    assert.ok(await storeTransfers(database, { accepted, leaseOwner: LEASE_OWNER, at: NOW }));
  };
  await pay(5_00n);
  await pay(1_00n);
  await pay(1_00n);
  const keys = await typedEvents(walletId);
  assert.equal(keys.length, 1);
  const [key] = keys;
  assert.ok(key !== undefined);
  assert.deepEqual(await dataOf(key), {
    id: walletId,
    currency: 'ZMW',
    available: '4.00',
    held: '6.00',
    status: 'active',
  });
});

it('shows an endpoint as it was when it was disabled, even after it was changed and deleted', async () => {
  const id = randomUUID();
  const key = (seq: number) => ({ bookId: book.id, subjectId: id, seq });
  await database.query(
    {
      name: '',
      text: `
        insert into webhook_endpoints (book_id, id, url, events, secret_sealed, created_at)
        values ($1, $2, 'https://one.example/', '{transfer.failed}', $3, $4)`,
    },
    [book.id, id, Buffer.alloc(40), NOW],
  );
  const disable = async (seq: number) => {
    await database.query(
      {
        name: '',
        text: `
          with changed as (
            update webhook_endpoints
            set status = 'disabled', disabled_reason = 'Gone.', event_seq = $3
            where book_id = $1 and id = $2
          )
          insert into events (book_id, subject_id, seq, type, cause, actor, created_at)
          values ($1, $2, $3, 'webhook.disabled', 'Gone.', 'test', $4)`,
      },
      [book.id, id, seq, NOW],
    );
  };
  const change = (url: string) => ({ url: new URL(url), events: [], status: 'enabled' as const });
  await disable(1);
  const first = eventBody(await renderOne(key(1)));
  const deps = { database, now: () => NOW, newId: randomUUID };
  const endpoint = { actor: TEST_ACTOR, merchantId: book.merchantId, bookId: book.id, id };
  for (const url of ['https://two.example/', 'https://three.example/']) {
    await updateEndpoint(deps, { ...endpoint, change: change(url) });
  }
  await disable(2);
  const second = eventBody(await renderOne(key(2)));
  await deleteEndpoint(deps, endpoint);

  const bodies = [eventBody(await renderOne(key(1))), eventBody(await renderOne(key(2)))];
  assert.deepEqual(bodies, [first, second]);
  assert.deepEqual(await dataOf(key(1)), {
    id,
    url: 'https://one.example/',
    events: ['transfer.failed'],
    status: 'disabled',
    disabledReason: 'Gone.',
    createdAt: NOW.toISOString(),
  });
  assert.equal((await dataOf(key(2))).url, 'https://three.example/');
});

it('leaves out events that are not for merchants, and events that do not exist', async () => {
  const walletId = await createTestWallet(database, { bookId: book.id, fundedMinor: 100_00n });
  const way = WAYS.submitting;
  const id = await createTransfer(database, { bookId: book.id, walletId, way, feeMinor: 0n });
  const keys = [1, 2, 3].map((seq) => ({ bookId: book.id, subjectId: id, seq }));
  const others = [{ bookId: randomUUID(), subjectId: id, seq: 1 }];
  const rendered = await renderEvents(database, [...keys, ...others]);
  assert.deepEqual([...rendered.keys()], [eventKey({ bookId: book.id, subjectId: id, seq: 1 })]);
});

it('renders many events with one query for each kind', async () => {
  const walletId = await createTestWallet(database, { bookId: book.id, fundedMinor: 1_000_00n });
  const keys: EventKey[] = [];
  for (let n = 0; n < 20; n += 1) {
    const way = WAYS.submitted;
    const id = await createTransfer(database, { bookId: book.id, walletId, way, feeMinor: 0n });
    keys.push(...(await typedEvents(id)));
  }
  let queries = 0;
  const counting: Queryable = {
    query(statement, values) {
      queries += 1;
      return database.query(statement, values);
    },
  };
  assert.equal((await renderEvents(counting, keys)).size, 40);
  assert.equal(queries, 2);
});
