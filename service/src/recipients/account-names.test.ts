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
let asked: string[];
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());
beforeEach(async () => {
  book = await createTestBook(test.database, { mode: 'live' });
  nowMs = 0;
  asked = [];
});

const names = (routes: Routes, database: Queryable = test.database) =>
  namesBy(routes, { database, now: () => NOW, monotonicMs: () => nowMs });

/** What it is to be asked, as a merchant does. */
const question = (given: Partial<Account & { book: Book; actor: string | null }> = {}) => {
  const { book: owner = book, actor = ACTOR, ...account } = given;
  return { book: owner, actor, account: { ...ACCOUNT, ...account }, waitedMs: 0 };
};

/** An operator that gives this answer and is counted. */
const operator = (name: string, answer: () => NameAnswer | Promise<NameAnswer>) => ({
  name,
  answer: async () => {
    asked.push(name);
    return answer();
  },
});

const liveLimiter = ({ namesPerSecond = 100, isClosed = false }) =>
  createLiveLimiter({
    pressure: () => ({
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

describe('asking for account names', () => {
  it('asks once while the answer is fresh, for all books, and again when it is old', async () => {
    const other = await createTestBook(test.database, { mode: 'live' });
    const service = names(createNamingRoutes([operator('one', () => GRACE)]));
    assert.deepEqual(await service.ask(question()), GRACE);
    nowMs += RESOLVED_AGE_MAX_MS - 1;
    assert.deepEqual(await service.ask(question({ book: other })), GRACE);
    assert.deepEqual(asked, ['one']);
    nowMs += 1;
    assert.deepEqual(await service.ask(question()), GRACE);
    assert.deepEqual(asked, ['one', 'one']);
  });

  it('asks once for fifty who want to know at the same time, and notes all fifty', async () => {
    const answer = Promise.withResolvers<NameAnswer>();
    const service = names(createNamingRoutes([operator('one', () => answer.promise)]));
    const answers = Array.from({ length: 50 }, () => service.ask(question()));
    answer.resolve(GRACE);
    for (const given of await Promise.all(answers)) assert.deepEqual(given, GRACE);
    assert.deepEqual(asked, ['one']);
    const sources = (await lookupsOf(book)).map(({ source }) => source);
    assert.deepEqual(sources, ['operator', ...Array.from({ length: 49 }, () => 'cache')]);
  });

  it('turns to the next route when one cannot be reached, once for fifty', async () => {
    const routes = createNamingRoutes([
      operator('one', () => UNREACHABLE),
      operator('two', () => GRACE),
    ]);
    const service = names(routes);
    const answers = await Promise.all(Array.from({ length: 50 }, () => service.ask(question())));
    for (const given of answers) assert.deepEqual(given, GRACE);
    assert.deepEqual(asked, ['one', 'two']);
    // What the second said is known, so nobody waits for the first again.
    assert.deepEqual(await service.ask(question()), GRACE);
    assert.deepEqual(asked, ['one', 'two']);
  });

  it('takes "no such account" for an answer, and asks nobody else', async () => {
    const routes = createNamingRoutes([
      operator('one', () => NO_ACCOUNT),
      operator('two', () => GRACE),
    ]);
    assert.deepEqual(await names(routes).ask(question()), NO_ACCOUNT);
    assert.deepEqual(asked, ['one']);
  });

  it('passes over routes that give no names, and asks those that are shut last', async () => {
    const routes = createNamingRoutes([
      { ...operator('nameless', () => GRACE), resolvesNames: false },
      { ...operator('shut', () => GRACE), limiter: liveLimiter({ isClosed: true }) },
      operator('open', () => UNREACHABLE),
    ]);
    assert.deepEqual(await names(routes).ask(question()), GRACE);
    assert.deepEqual(asked, ['open', 'shut']);
  });

  it('asks no more than the route allows, then the next, then nobody until there is room', async () => {
    const routes = createNamingRoutes([
      { ...operator('one', () => GRACE), limiter: liveLimiter({ namesPerSecond: 0.5 }) },
      { ...operator('two', () => GRACE), limiter: liveLimiter({ namesPerSecond: 0.5 }) },
    ]);
    const service = names(routes);
    const ask = (index: number) => service.ask(question({ phone: `+26097742000${index}` }));
    const kinds: string[] = [];
    for (let index = 0; index < 3; index += 1) kinds.push((await ask(index)).kind);
    assert.deepEqual(kinds, ['resolved', 'resolved', 'unreachable']);
    assert.deepEqual(asked, ['one', 'two']);
    assert.deepEqual(await ask(4), {
      kind: 'unreachable',
      cause: 'as many names are being asked for as the operator allows',
      timeScale: 1,
      wasAsked: false,
    });
    // What is known costs nothing.
    assert.deepEqual(await ask(0), GRACE);
    nowMs += 2_400;
    assert.deepEqual(await ask(3), GRACE);
    assert.equal(asked.length, 3);
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
    const answer = await names(routes).ask(question());
    assert.deepEqual(answer, { ...UNREACHABLE, timeScale: 1, wasAsked: true });
    assert.deepEqual(asked, ['one', 'two']);
  });

  it('notes who asked, where the answer came from and of which kind, in that book alone', async () => {
    const other = await createTestBook(test.database, { mode: 'live' });
    const answers = [UNREACHABLE, GRACE];
    const service = names(
      createNamingRoutes([operator('one', () => answers.shift() ?? NO_ACCOUNT)]),
    );
    await service.ask(question({ actor: 'key a' }));
    await service.ask(question({ actor: 'key b', book: other }));
    await service.ask(question({ actor: 'key c' }));
    await service.ask(question({ actor: 'key d', phone: '+260977423572' }));
    await service.ask(question({ actor: 'key e', operator: 'airtel' }));
    assert.deepEqual(
      (await lookupsOf(book)).toSorted((a, b) => a.actor.localeCompare(b.actor)),
      [
        { actor: 'key a', route: 'one', source: 'operator', result: 'unreachable' },
        { actor: 'key c', route: 'one', source: 'cache', result: 'resolved' },
        { actor: 'key d', route: 'one', source: 'operator', result: 'noAccount' },
        { actor: 'key e', route: null, source: 'nobody', result: 'noRoute' },
      ],
    );
    assert.deepEqual(await lookupsOf(other), [
      { actor: 'key b', route: 'one', source: 'operator', result: 'resolved' },
    ]);
  });

  it('notes the account and the time, and never the name', async () => {
    await names(createNamingRoutes([operator('one', () => GRACE)])).ask(question());
    const [row] = await test.database.query<{ whole: Record<string, unknown> }>(
      {
        name: '',
        text: `
          select to_jsonb(l) - 'id' || jsonb_build_object('asked_at', asked_at = $2) as whole
          from name_lookups l where book_id = $1`,
      },
      [book.id, NOW],
    );
    assert.deepEqual(row?.whole, {
      book_id: book.id,
      asked_at: true,
      actor: ACTOR,
      ...ACCOUNT,
      route: 'one',
      source: 'operator',
      result: 'resolved',
    });
  });

  it('keeps what was noted', async () => {
    await names(createNamingRoutes([operator('one', () => GRACE)])).ask(question());
    for (const text of [
      "update name_lookups set actor = 'nobody'",
      'delete from name_lookups',
      'truncate name_lookups',
    ]) {
      await assert.rejects(test.database.query({ name: '', text }), /append-only/);
    }
  });

  it('notes nothing when the service asks by itself', async () => {
    const service = names(createNamingRoutes([operator('one', () => GRACE)]));
    assert.deepEqual(await service.ask(question({ actor: null })), GRACE);
    assert.deepEqual(await lookupsOf(book), []);
  });

  it('gives no answer that could not be noted', async () => {
    const away: Queryable = { query: () => Promise.reject(new Error('the database is away')) };
    const service = names(createNamingRoutes([operator('one', () => GRACE)]), away);
    await assert.rejects(service.ask(question()), { message: 'the database is away' });
  });

  it("leaves the sandbox's numbers to the sandbox, whatever it said before", async () => {
    const testBook = await createTestBook(test.database);
    const service = names(sandboxRoutes(() => NOW));
    const ask = async (phone: string, waitedMs: number) => {
      const { book: owner, actor, account } = question({ book: testBook, phone });
      return (await service.ask({ book: owner, actor, account, waitedMs })).kind;
    };
    assert.equal(await ask('+260977433901', 0), 'noAccount');
    assert.equal(await ask('+260977433951', 0), 'unreachable');
    // Once its outage is over for one who waited, it still begins anew for the next.
    assert.equal(await ask('+260977433951', 60_000), 'resolved');
    assert.equal(await ask('+260977433951', 0), 'unreachable');
    const sources = (await lookupsOf(testBook)).map(({ source }) => source);
    assert.deepEqual(sources, ['operator', 'operator', 'operator', 'operator']);
  });
});
