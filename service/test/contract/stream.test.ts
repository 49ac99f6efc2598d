import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { MerchantRole } from '../../src/domain/roles.ts';
import { startService } from '../running-service.ts';
import { createTestDatabase } from '../test-database.ts';
import { createTestMerchant, type TestMerchant } from '../test-merchant.ts';
import { storePerson, type TestPerson } from '../test-person.ts';
import { createApiClient, textOf } from './api-client.ts';
import { type OpenedStream, openStream } from './event-stream.ts';
import { newReference, poll, TRANSFERS } from './open-contract.ts';

const TOLD_WITHIN_MS = 2_000;
const ENDED_WITHIN_MS = 1_000;
const STREAMS_MAX = 4;

const test = await createTestDatabase();
const { database } = test;
const merchant = await createTestMerchant(database);
const other = await createTestMerchant(database);
const start = () => startService({ databaseUrl: test.serviceUrl });
const [service, neighbour] = await Promise.all([start(), start()]);
const opened: OpenedStream[] = [];
after(async () => {
  for (const stream of opened) stream.close();
  await Promise.all([service.end(), neighbour.end()]);
  await test.drop();
});

const run = (text: string, values: readonly unknown[]) =>
  database.query({ name: '', text }, values);
const personWith = (role: MerchantRole, of: TestMerchant = merchant) =>
  storePerson(database, { roles: [{ merchantId: of.id, role }] });

async function listen(person: TestPerson, bookId = merchant.books.test): Promise<OpenedStream> {
  const headers = { ...person.headers, 'x-book': bookId };
  const stream = await openStream(service.baseUrl, { headers, path: 'payments/stream' });
  opened.push(stream);
  return stream;
}

async function listenAsStaff(): Promise<OpenedStream> {
  const { headers } = await storePerson(database, { staffRoles: ['support'] });
  const stream = await openStream(service.baseUrl, { headers, path: 'operations/stream' });
  opened.push(stream);
  return stream;
}

async function pay(of: TestMerchant, baseUrl = service.baseUrl) {
  const { status, data } = await createApiClient(baseUrl, of.keys.test).post(TRANSFERS, {
    amount: 1,
    reference: newReference(),
    phone: '0977433571',
    operator: 'airtel',
    country: 'zm',
    walletId: of.wallets.test.ZMW,
  });
  assert.equal(status, 201);
  return { id: textOf(data['id']), reference: textOf(data['reference']) };
}

/** Resolves with the time that it took until the stream had told of the transfer in this state. */
async function toldAfterMs(stream: OpenedStream, id: string, state: string): Promise<number> {
  const startedMs = performance.now();
  await poll(
    async () => stream.changes(),
    (changes) => changes.some((change) => change['id'] === id && change['state'] === state),
  );
  return performance.now() - startedMs;
}

async function endedAfterMs(stream: OpenedStream): Promise<number> {
  const startedMs = performance.now();
  await poll(
    async () => stream.isEnded(),
    (isEnded) => isEnded,
  );
  return performance.now() - startedMs;
}

describe('the stream of a book', () => {
  it('tells of a transfer of this process and of another, within 2 seconds', async () => {
    const stream = await listen(await personWith('viewer'));
    assert.deepEqual(
      [stream.status, stream.contentType],
      [200, 'text/event-stream; charset=utf-8'],
    );
    for (const { baseUrl } of [service, neighbour]) {
      const { id, reference } = await pay(merchant, baseUrl);
      assert.ok((await toldAfterMs(stream, id, 'succeeded')) < TOLD_WITHIN_MS);
      const [change] = stream.changes().filter((told) => told['id'] === id);
      assert.deepEqual(Object.keys(change ?? {}), ['what', 'id', 'state', 'reference', 'at']);
      assert.deepEqual([change?.['what'], change?.['reference']], ['transfer', reference]);
    }
  });

  it("never tells of another book's changes", async () => {
    const [stream, theirs] = await Promise.all([
      personWith('viewer').then((person) => listen(person)),
      personWith('viewer', other).then((person) => listen(person, other.books.test)),
    ]);
    const foreign = await pay(other);
    await toldAfterMs(theirs, foreign.id, 'succeeded');
    const own = await pay(merchant);
    await toldAfterMs(stream, own.id, 'succeeded');
    assert.ok(!stream.text().includes(foreign.id));
    assert.ok(!theirs.text().includes(own.id));
    const refused = await listen(await personWith('owner'), other.books.test);
    assert.equal(refused.status, 404);
  });

  it('tells a developer of webhooks and not of payouts, in the live book', async () => {
    const developer = await personWith('developer');
    const [stream, owners] = await Promise.all([
      listen(developer, merchant.books.live),
      personWith('owner').then((owner) => listen(owner, merchant.books.live)),
    ]);
    const write = (type: string, state: string | null) =>
      run(
        `insert into events (book_id, subject_id, seq, type, to_state, cause, actor, created_at)
         values ($1, gen_random_uuid(), 1, $2, $3, 'test', 'test', now())`,
        [merchant.books.live, type, state],
      );
    await write('transfer.created', 'queued');
    await write('webhook.disabled', null);
    const whats = async (of: OpenedStream) => of.changes().map(({ what }) => what);
    await poll(
      () => whats(owners),
      (told) => told.length === 2,
    );
    await poll(
      () => whats(stream),
      (told) => told.length === 1,
    );
    assert.deepEqual(await whats(stream), ['webhook']);
  });

  it('says that many changed instead of naming more than a hundred', async () => {
    const stream = await listen(await personWith('viewer'));
    await run(
      `insert into events (book_id, subject_id, seq, type, to_state, cause, actor, created_at)
       select $1, gen_random_uuid(), 1, 'transfer.created', 'queued', 'test', 'test', now()
       from generate_series(1, 1000)`,
      [merchant.books.test],
    );
    await poll(
      async () => stream.changes(),
      (changes) => changes.some(({ what }) => what === 'many'),
    );
    assert.ok(stream.changes().length <= 101);
  });

  const ends: Readonly<Record<string, string>> = {
    'the membership is removed': 'delete from merchant_roles where person_id = $1',
    'the session is ended': 'update sessions set ended_at = now() where person_id = $1',
    'the person is removed': 'update people set removed_at = now() where id = $1',
  };
  for (const [what, text] of Object.entries(ends)) {
    it(`ends within a second when ${what}`, async () => {
      const person = await personWith('viewer');
      const stream = await listen(person);
      await run(text, [person.id]);
      assert.ok((await endedAfterMs(stream)) < ENDED_WITHIN_MS);
    });
  }

  it('ends within a second when its merchant has moved to another cell, where it is opened again', async () => {
    const leaving = await createTestMerchant(database);
    const [left, stays] = [
      await listen(await personWith('viewer', leaving), leaving.books.test),
      await listen(await personWith('viewer')),
    ];
    await run(`update merchants set state = 'moved' where id = $1`, [leaving.id]);
    assert.ok((await endedAfterMs(left)) < ENDED_WITHIN_MS);
    assert.equal(stays.isEnded(), false);
  });

  it('does not keep an idle session open', async () => {
    const person = await personWith('viewer');
    const stream = await listen(person);
    await run(`update sessions set last_used_at = now() - interval '31 minutes' where id = $1`, [
      person.sessionId,
    ]);
    assert.ok((await endedAfterMs(stream)) < ENDED_WITHIN_MS);
  });

  it('is refused to a person who has four, and open again when one is closed', async () => {
    const person = await personWith('viewer');
    const streams = await Promise.all(Array.from({ length: STREAMS_MAX }, () => listen(person)));
    assert.deepEqual(new Set(streams.map(({ status }) => status)), new Set([200]));
    assert.equal((await listen(person)).status, 429);
    assert.equal((await listen(await personWith('viewer'))).status, 200);
    streams[0]?.close();
    await poll(
      async () => (await listen(person)).status,
      (status) => status === 200,
    );
  });
});

describe('the stream of the staff', () => {
  it('tells of transfers of all books, incidents and stopped routes', async () => {
    const stream = await listenAsStaff();
    for (const payer of [merchant, other]) {
      const { id } = await pay(payer);
      assert.ok((await toldAfterMs(stream, id, 'succeeded')) < TOLD_WITHIN_MS);
      const [change] = stream.changes().filter((told) => told['id'] === id);
      assert.equal(change?.['merchantId'], payer.id);
      assert.ok(!('reference' in (change ?? {})));
    }
    const staff = await storePerson(database, { staffRoles: ['admin'] });
    await run(
      `insert into route_holds (route, held_by, reason, held_at, effect)
       values ('mtn-zm', $1, 'test', now(), 'closed')`,
      [staff.id],
    );
    await poll(
      async () => stream.changes(),
      (changes) => changes.some(({ what }) => what === 'route'),
    );
  });

  it('is not there for people who are none of the staff', async () => {
    const { headers } = await personWith('owner');
    const stream = await openStream(service.baseUrl, { headers, path: 'operations/stream' });
    assert.equal(stream.status, 404);
  });
});

// Last: the service is gone afterwards.
describe('a stream of a service that stops', () => {
  it('ends at once, and the stop does not wait for it', async () => {
    const stream = await listen(await personWith('viewer'));
    const stopping = service.end();
    assert.ok((await endedAfterMs(stream)) < ENDED_WITHIN_MS);
    assert.equal(await stopping, 0);
  });
});
