import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createNamingRoutes, namesBy, sandboxRoutes } from '../../test/name-operator.ts';
import { createTestBook } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { Book } from '../domain/book.ts';
import type { Account, NameAnswer } from '../operators/contract/connector.ts';
import { createLiveLimiter } from '../operators/limits/route-limiter.ts';
import type { Routes } from '../operators/routes/route.ts';
import type { Queryable } from '../postgres/database.ts';
import { RESOLVED_AGE_MAX_MS } from './known-names.ts';

const NOW = new Date('2026-11-15T08:00:00.000Z');
const ACTOR = 'key test';
const GRACE: NameAnswer = { kind: 'resolved', accountName: 'Grace Tembo' };
const NO_ACCOUNT: NameAnswer = { kind: 'noAccount' };
const UNREACHABLE: NameAnswer = { kind: 'unreachable', cause: 'timed out' };
const ACCOUNT: Account = { phone: '+260977423571', operator: 'mtn', country: 'zm' };

let test: TestDatabase;
let book: Book;
let nowMs: number;
let calledRoutes: string[];
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());
beforeEach(async () => {
  book = await createTestBook(test.database, { mode: 'live' });
  nowMs = 0;
  calledRoutes = [];
});

const names = (routes: Routes, database: Queryable = test.database) =>
  namesBy(routes, { database, now: () => NOW, monotonicMs: () => nowMs });

/** A lookup as a merchant requests it. */
const lookup = (given: Partial<Account & { book: Book; actor: string | null }> = {}) => {
  const { book: owner = book, actor = ACTOR, ...account } = given;
  return { book: owner, actor, account: { ...ACCOUNT, ...account }, waitedMs: 0 };
};

/** An operator that gives this answer and counts its calls. */
const operator = (name: string, answer: () => NameAnswer | Promise<NameAnswer>) => ({
  name,
  answer: async () => {
    calledRoutes.push(name);
    return answer();
  },
});

const liveLimiter = ({ namesPerSecond = 100, isClosed = false }) =>
  createLiveLimiter({
    operatorLimits: () => ({
      concurrency: 5,
      submitsPerSecond: 5,
      inquiriesPerSecond: 5,
      namesPerSecond,
    }),
    isClosed: () => isClosed,
    isHeld: () => false,
    monotonicMs: () => nowMs,
    wait: async () => {},
    inquires: true,
    random: () => 0.5,
    timeScale: 1,
  });

const lookupsOf = ({ id }: Book) =>
  test.database.query<{ actor: string; route: string | null; source: string; result: string }>(
    {
      name: '',
      text: 'select actor, route, source, result from name_lookups where book_id = $1 order by source desc',
    },
    [id],
  );

describe('looking up account names', () => {
  it('asks the operator once while the answer is fresh, for all books, and again when it is old', async () => {
    const other = await createTestBook(test.database, { mode: 'live' });
    const service = names(createNamingRoutes([operator('one', () => GRACE)]));
    assert.deepEqual(await service.ask(lookup()), GRACE);
    nowMs += RESOLVED_AGE_MAX_MS - 1;
    assert.deepEqual(await service.ask(lookup({ book: other })), GRACE);
    assert.deepEqual(calledRoutes, ['one']);
    nowMs += 1;
    assert.deepEqual(await service.ask(lookup()), GRACE);
    assert.deepEqual(calledRoutes, ['one', 'one']);
  });

  it('asks the operator once for fifty lookups at the same time, and records all fifty', async () => {
    const answer = Promise.withResolvers<NameAnswer>();
    const service = names(createNamingRoutes([operator('one', () => answer.promise)]));
    const answers = Array.from({ length: 50 }, () => service.ask(lookup()));
    answer.resolve(GRACE);
    for (const given of await Promise.all(answers)) assert.deepEqual(given, GRACE);
    assert.deepEqual(calledRoutes, ['one']);
    const sources = (await lookupsOf(book)).map(({ source }) => source);
    assert.deepEqual(sources, ['operator', ...Array.from({ length: 49 }, () => 'cache')]);
  });

  it('asks the next route when one cannot be reached, once for fifty lookups', async () => {
    const routes = createNamingRoutes([
      operator('one', () => UNREACHABLE),
      operator('two', () => GRACE),
    ]);
    const service = names(routes);
    const answers = await Promise.all(Array.from({ length: 50 }, () => service.ask(lookup())));
    for (const given of answers) assert.deepEqual(given, GRACE);
    assert.deepEqual(calledRoutes, ['one', 'two']);
    // The second operator's answer is known, so no later lookup waits for the first one again.
    assert.deepEqual(await service.ask(lookup()), GRACE);
    assert.deepEqual(calledRoutes, ['one', 'two']);
  });

  it('accepts "no such account" as an answer, and asks no other route', async () => {
    const routes = createNamingRoutes([
      operator('one', () => NO_ACCOUNT),
      operator('two', () => GRACE),
    ]);
    assert.deepEqual(await names(routes).ask(lookup()), NO_ACCOUNT);
    assert.deepEqual(calledRoutes, ['one']);
  });

  it('skips routes that give no names, and asks shut routes last', async () => {
    const routes = createNamingRoutes([
      { ...operator('nameless', () => GRACE), resolvesNames: false },
      { ...operator('shut', () => GRACE), limiter: liveLimiter({ isClosed: true }) },
      operator('open', () => UNREACHABLE),
    ]);
    assert.deepEqual(await names(routes).ask(lookup()), GRACE);
    assert.deepEqual(calledRoutes, ['open', 'shut']);
  });

  it('asks no more than the route allows, then the next, then none until a turn is free', async () => {
    const routes = createNamingRoutes([
      { ...operator('one', () => GRACE), limiter: liveLimiter({ namesPerSecond: 0.5 }) },
      { ...operator('two', () => GRACE), limiter: liveLimiter({ namesPerSecond: 0.5 }) },
    ]);
    const service = names(routes);
    const ask = (index: number) => service.ask(lookup({ phone: `+26097742000${index}` }));
    const kinds: string[] = [];
    for (let index = 0; index < 3; index += 1) kinds.push((await ask(index)).kind);
    assert.deepEqual(kinds, ['resolved', 'resolved', 'unreachable']);
    assert.deepEqual(calledRoutes, ['one', 'two']);
    assert.deepEqual(await ask(4), {
      kind: 'unreachable',
      cause: 'the operator allows no more name lookups now',
      timeScale: 1,
      wasAsked: false,
    });
    // A known name uses no allowance.
    assert.deepEqual(await ask(0), GRACE);
    nowMs += 2_400;
    assert.deepEqual(await ask(3), GRACE);
    assert.equal(calledRoutes.length, 3);
  });

  it('asks no further operator when the first ones took too long to fail', async () => {
    const slow = () => {
      nowMs += 5_000;
      return UNREACHABLE;
    };
    const routes = createNamingRoutes([
      operator('one', slow),
      operator('two', slow),
      operator('three', () => GRACE),
    ]);
    const answer = await names(routes).ask(lookup());
    assert.deepEqual(answer, { ...UNREACHABLE, timeScale: 1, wasAsked: true });
    assert.deepEqual(calledRoutes, ['one', 'two']);
  });

  it('records who requested it, the source and the kind of the answer, in that book only', async () => {
    const other = await createTestBook(test.database, { mode: 'live' });
    const answers = [UNREACHABLE, GRACE];
    const service = names(
      createNamingRoutes([operator('one', () => answers.shift() ?? NO_ACCOUNT)]),
    );
    await service.ask(lookup({ actor: 'key a' }));
    await service.ask(lookup({ actor: 'key b', book: other }));
    await service.ask(lookup({ actor: 'key c' }));
    await service.ask(lookup({ actor: 'key d', phone: '+260977423572' }));
    await service.ask(lookup({ actor: 'key e', operator: 'airtel' }));
    assert.deepEqual(
      (await lookupsOf(book)).toSorted((a, b) => a.actor.localeCompare(b.actor)),
      [
        { actor: 'key a', route: 'one', source: 'operator', result: 'unreachable' },
        { actor: 'key c', route: 'one', source: 'cache', result: 'resolved' },
        { actor: 'key d', route: 'one', source: 'operator', result: 'noAccount' },
        { actor: 'key e', route: null, source: 'none', result: 'noRoute' },
      ],
    );
    assert.deepEqual(await lookupsOf(other), [
      { actor: 'key b', route: 'one', source: 'operator', result: 'resolved' },
    ]);
  });

  it('records the account and the time, and never the name', async () => {
    await names(createNamingRoutes([operator('one', () => GRACE)])).ask(lookup());
    const [row] = await test.database.query<{ whole: Record<string, unknown> }>(
      {
        name: '',
        text: `
          select to_jsonb(l) - 'id' || jsonb_build_object('looked_up_at', looked_up_at = $2) as whole
          from name_lookups l where book_id = $1`,
      },
      [book.id, NOW],
    );
    assert.deepEqual(row?.whole, {
      book_id: book.id,
      looked_up_at: true,
      actor: ACTOR,
      ...ACCOUNT,
      route: 'one',
      source: 'operator',
      result: 'resolved',
    });
  });

  it('keeps the records unchanged', async () => {
    await names(createNamingRoutes([operator('one', () => GRACE)])).ask(lookup());
    for (const text of [
      "update name_lookups set actor = 'other'",
      'delete from name_lookups',
      'truncate name_lookups',
    ]) {
      await assert.rejects(test.database.query({ name: '', text }), /append-only/);
    }
  });

  it('records nothing when the service repeats a lookup by itself', async () => {
    const service = names(createNamingRoutes([operator('one', () => GRACE)]));
    assert.deepEqual(await service.ask(lookup({ actor: null })), GRACE);
    assert.deepEqual(await lookupsOf(book), []);
  });

  it('gives no answer that could not be recorded', async () => {
    const away: Queryable = { query: () => Promise.reject(new Error('the database is away')) };
    const service = names(createNamingRoutes([operator('one', () => GRACE)]), away);
    await assert.rejects(service.ask(lookup()), { message: 'the database is away' });
  });

  it('always asks the sandbox for its numbers, also after an earlier answer', async () => {
    const testBook = await createTestBook(test.database);
    const service = names(sandboxRoutes(() => NOW));
    const ask = async (phone: string, waitedMs: number) => {
      const { book: owner, actor, account } = lookup({ book: testBook, phone });
      return (await service.ask({ book: owner, actor, account, waitedMs })).kind;
    };
    assert.equal(await ask('+260977433901', 0), 'noAccount');
    assert.equal(await ask('+260977433951', 0), 'unreachable');
    // When its outage is over for a lookup that waited, the outage still starts again for the next.
    assert.equal(await ask('+260977433951', 60_000), 'resolved');
    assert.equal(await ask('+260977433951', 0), 'unreachable');
    const sources = (await lookupsOf(testBook)).map(({ source }) => source);
    assert.deepEqual(sources, ['operator', 'operator', 'operator', 'operator']);
  });
});
