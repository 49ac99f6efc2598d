import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { namesBy, namingRoutes, sandboxRoutes } from '../../test/name-operator.ts';
import { TEST_ACTOR } from '../../test/test-actor.ts';
import { createTestBook } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { Book } from '../domain/book.ts';
import type { NameAnswer } from '../operators/contract/connector.ts';
import type { Routes } from '../operators/routes/route.ts';
import { createRecipient } from './create-recipient.ts';
import { findRecipient } from './find-recipient.ts';
import type { Recipient } from './recipient.ts';
import { RESOLVE_BATCH_MAX, resolvePending } from './resolve-pending.ts';

const START_MS = Date.parse('2026-11-15T08:00:00.000Z');
const HOUR_MS = 3_600_000;
const UNREACHABLE: NameAnswer = { kind: 'unreachable', cause: 'timed out' };

let test: TestDatabase;
let book: Book;
let nowMs: number;
const now = () => new Date(nowMs);

before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());
beforeEach(async () => {
  nowMs = START_MS;
  await test.database.query({ name: '', text: 'update recipients set next_resolve_at = null' });
  book = await createTestBook(test.database, { mode: 'live' });
});

async function createPending(options: { book?: Book; routes?: Routes; phone?: string } = {}) {
  const { recipient } = await createRecipient(
    {
      database: test.database,
      names: namesBy(options.routes ?? namingRoutes(async () => UNREACHABLE), test),
      newId: randomUUID,
      now,
    },
    {
      book: options.book ?? book,
      actor: TEST_ACTOR,
      command: {
        phone: options.phone ?? '+260977423951',
        operator: 'mtn',
        country: 'zm',
        suppliedAccountName: 'Joseph Mwansa',
      },
    },
  );
  assert.equal(recipient.resolution, 'pending');
  return recipient;
}

function resolve(routes: Routes, onError = (error: unknown): void => assert.fail(String(error))) {
  const names = namesBy(routes, test);
  return resolvePending({ database: test.database, names, now, onError });
}

const find = (recipient: Recipient) =>
  findRecipient(test.database, { book: { ...book, id: recipient.bookId }, id: recipient.id });

async function jobOf({ id }: Recipient) {
  const [row] = await test.database.query<{ attempts: number; next: Date | null }>(
    {
      name: '',
      text: 'select resolve_attempts as attempts, next_resolve_at as next from recipients where id = $1',
    },
    [id],
  );
  return row;
}

async function eventsOf({ id }: Recipient) {
  return test.database.query<{ seq: number; type: string | null; cause: string; actor: string }>(
    {
      name: '',
      text: 'select seq, type, cause, actor from events where subject_id = $1 order by seq',
    },
    [id],
  );
}

describe('resolving pending recipients', () => {
  it("resolves the sandbox's unreachable number once its outage is over", async () => {
    const testBook = await createTestBook(test.database);
    const routes = sandboxRoutes(now);
    const pending = await createPending({ book: testBook, routes });
    assert.equal(await resolve(routes), 0);

    nowMs += 5_000;
    assert.equal(await resolve(routes), 1);
    assert.equal((await find(pending))?.resolution, 'pending');

    nowMs += 10_000;
    assert.equal(await resolve(routes), 1);
    const { accountName, nameMatch, resolution } = (await find(pending)) ?? {};
    assert.deepEqual(
      { accountName, nameMatch, resolution },
      { accountName: 'Joseph Mwansa', nameMatch: 'match', resolution: 'resolved' },
    );
    const events = await eventsOf(pending);
    assert.deepEqual(
      events.map(({ seq, type, actor }) => [seq, type, actor]),
      [
        [1, 'recipient.created', 'machine:tester@test.example'],
        [2, 'recipient.resolved', 'system:dispatcher'],
      ],
    );
    nowMs += 24 * HOUR_MS;
    assert.equal(await resolve(routes), 0);
  });

  it('never gives up on an operator that cannot be reached, and asks at most hourly', async () => {
    const routes = namingRoutes(async () => UNREACHABLE);
    const pending = await createPending();
    const waits: number[] = [];
    for (let lookups = 0; lookups < 15; lookups += 1) {
      const next = (await jobOf(pending))?.next;
      assert.ok(next);
      waits.push(next.getTime() - nowMs);
      nowMs = next.getTime();
      assert.equal(await resolve(routes), 1);
    }
    const seconds = [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600, 3600, 3600, 3600];
    assert.deepEqual(
      waits,
      seconds.map((second) => second * 1_000),
    );
    assert.equal((await eventsOf(pending)).length, 1);
  });

  it('passes to the operator how long the recipient has been waiting', async () => {
    await createPending();
    nowMs += 7_000;
    let waited: number | undefined;
    await resolve(
      namingRoutes(async (_, { waitedMs }) => {
        waited = waitedMs;
        return UNREACHABLE;
      }),
    );
    assert.equal(waited, 7_000);
  });

  it('keeps it pending and makes no further lookup once the operator has no such account', async () => {
    const pending = await createPending();
    nowMs += 5_000;
    assert.equal(await resolve(namingRoutes(async () => ({ kind: 'noAccount' }))), 1);
    assert.equal((await find(pending))?.resolution, 'pending');
    assert.equal((await jobOf(pending))?.next, null);
    const [, given] = await eventsOf(pending);
    assert.equal(given?.type, null);
    assert.equal(given?.cause, 'ACCOUNT_UNKNOWN');
    nowMs += 24 * HOUR_MS;
    assert.equal(await resolve(namingRoutes(async () => assert.fail('looked up a name'))), 0);
  });

  it('repeats the lookup later where the route was removed', async () => {
    const pending = await createPending();
    nowMs += 5_000;
    assert.equal(await resolve(sandboxRoutes(now)), 1);
    assert.deepEqual((await jobOf(pending))?.next, new Date(nowMs + 10_000));
  });

  it('asks the operator with no transaction open and no row locked', async () => {
    const pending = await createPending();
    nowMs += 5_000;
    await resolve(
      namingRoutes(async () => {
        const rows = await test.database.query(
          { name: '', text: 'select id from recipients where id = $1 for update nowait' },
          [pending.id],
        );
        assert.equal(rows.length, 1);
        return { kind: 'resolved', accountName: 'Grace Tembo' };
      }),
    );
    assert.equal((await find(pending))?.nameMatch, 'mismatch');
  });

  it('takes a batch at a time, and two processes never take the same recipient', async () => {
    const count = RESOLVE_BATCH_MAX + 5;
    for (let index = 0; index < count; index += 1) {
      await createPending({ phone: `+2609774${String(index).padStart(5, '0')}` });
    }
    nowMs += 5_000;
    const phones: string[] = [];
    const routes = namingRoutes(async ({ phone }) => {
      phones.push(phone);
      return { kind: 'resolved', accountName: 'Grace Tembo' };
    });
    const due = await Promise.all([resolve(routes), resolve(routes)]);
    assert.ok(due.every((claimed) => claimed <= RESOLVE_BATCH_MAX));
    while ((await resolve(routes)) > 0);
    assert.equal(phones.length, count);
    assert.equal(new Set(phones).size, count);
  });

  it('skips a recipient that another process is taking, and does not wait for it', async () => {
    const taken = await createPending();
    const free = await createPending({ phone: '+260977433572' });
    nowMs += 5_000;
    const routes = namingRoutes(async () => ({ kind: 'resolved', accountName: 'Grace Tembo' }));
    await test.database.transaction(async (tx) => {
      const lock = { name: '', text: 'select id from recipients where id = $1 for update' };
      await tx.query(lock, [taken.id]);
      assert.equal(await resolve(routes), 1);
    });
    assert.equal((await find(free))?.resolution, 'resolved');
    assert.equal((await find(taken))?.resolution, 'pending');
  });

  it('keeps the answer of the process that took over', async () => {
    const pending = await createPending();
    nowMs += 5_000;
    await resolve(
      namingRoutes(async () => {
        // This process sleeps past its lease, and another resolves the recipient meanwhile.
        nowMs += 61_000;
        const other = namingRoutes(async () => ({ kind: 'resolved', accountName: 'Grace Tembo' }));
        assert.equal(await resolve(other), 1);
        return { kind: 'resolved', accountName: 'Mary Phiri' };
      }),
    );
    assert.equal((await find(pending))?.accountName, 'Grace Tembo');
    assert.equal((await eventsOf(pending)).length, 2);
  });

  it('reports an operator that throws, retries its recipient when the lease ends, and serves the others', async () => {
    const broken = await createPending();
    const fine = await createPending({ phone: '+260977433572' });
    nowMs += 5_000;
    const failed: string[] = [];
    const routes = namingRoutes(async ({ phone }) => {
      if (phone === broken.phone) throw new Error('a bug');
      return { kind: 'resolved', accountName: 'Grace Tembo' };
    });
    const due = await resolvePending({
      database: test.database,
      names: namesBy(routes, test),
      now,
      onError: (_, id) => failed.push(id),
    });
    assert.equal(due, 2);
    assert.deepEqual(failed, [broken.id]);
    assert.equal((await find(fine))?.resolution, 'resolved');
    assert.deepEqual((await jobOf(broken))?.next, new Date(nowMs + 60_000));
  });
});
