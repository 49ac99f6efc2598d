import assert from 'node:assert/strict';
import { createHash, randomBytes, randomFillSync } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { TEST_ACTOR } from '../../test/test-actor.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createUuidV7Source } from '../domain/uuid.ts';
import type { Queryable, Row, Statement } from '../postgres/database.ts';
import { createApiKey } from './api-key.ts';
import { createKeyAuthenticator } from './authenticate-key.ts';
import type { KeyAuthenticator } from './authenticated-key.ts';
import { createMerchant } from './create-merchant.ts';
import { issueKey } from './issue-key.ts';
import { revokeKey } from './revoke-key.ts';
import { setFees } from './set-fees.ts';
import { resumeMerchant, suspendMerchant } from './suspend-merchant.ts';

const newId = createUuidV7Source(Date.now, (bytes) => randomFillSync(bytes));
const START = new Date('2026-03-01T12:00:00Z');

/** The real database, with a count of the questions and a counted before them. */
function createCountedDatabase(database: Queryable) {
  const counted = {
    asked: 0,
    keysAsked: 0,
    looked: 0,
    noted: 0,
    failWith: undefined as Error | undefined,
    failNotesWith: undefined as Error | undefined,
    opened: Promise.resolve(),
    /** All questions under way, so that a test can wait for them instead of for time. */
    underWay: new Set<Promise<unknown>>(),
    async settled(): Promise<void> {
      // A look that finds a change asks for the keys in the turn after it.
      for (let quietTurns = 0; quietTurns < 3; quietTurns += 1) {
        if (counted.underWay.size > 0) quietTurns = 0;
        await Promise.allSettled(counted.underWay);
        await setImmediate();
      }
    },
    query<R extends Row>(statement: Statement, values?: readonly unknown[]): Promise<R[]> {
      if (statement.name === 'find-key') {
        counted.asked += 1;
        const [hashes] = values ?? [];
        counted.keysAsked += Array.isArray(hashes) ? hashes.length : 0;
      }
      if (statement.name === 'read-access-version') counted.looked += 1;
      if (statement.name === 'note-key-use') counted.noted += 1;
      const failure = statement.name === 'note-key-use' ? counted.failNotesWith : counted.failWith;
      const answer = counted.opened.then(() => {
        if (failure !== undefined) throw failure;
        return database.query<R>(statement, values);
      });
      counted.underWay.add(answer);
      answer.finally(() => counted.underWay.delete(answer)).catch(() => undefined);
      return answer;
    },
  };
  return counted;
}

describe('authenticating a key', () => {
  let test: TestDatabase;
  let nowMs = START.getTime();
  let monotonicMs = 0;
  let counted: ReturnType<typeof createCountedDatabase>;
  let errors: unknown[] = [];
  let keys: KeyAuthenticator;
  /** Between statements about keys that are not cached. */
  let pause = Promise.withResolvers<void>();

  const authenticate = (text: string, from = '192.0.2.1') => keys.authenticate(text, from);
  /** A key that has a right checksum and was never issued. */
  const tryInvented = async (from?: string) =>
    authenticate(createApiKey('live', randomBytes).text, from);
  const wait = (ms: number): void => {
    nowMs += ms;
    monotonicMs += ms;
  };
  const deps = () => ({ database: test.database, now: () => new Date(nowMs), newId, randomBytes });

  async function issue(options: { expiresAt?: Date } = {}) {
    const feeTerms = { fixedMinor: 25n, basisPoints: 150 };
    const merchant = await createMerchant(deps(), {
      actor: TEST_ACTOR,
      name: `M ${newId()}`,
      feeTerms,
    });
    const key = await issueKey(deps(), {
      actor: TEST_ACTOR,
      bookId: merchant.books.live.id,
      mode: 'live',
      name: 'till',
      scopes: ['read'],
      addresses: ['10.0.0.0/8', '41.72.96.7', '2001:db8::/32'],
      expiresAt: options.expiresAt ?? null,
    });
    return { merchant, key };
  }

  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.drop());
  beforeEach(() => {
    nowMs = START.getTime();
    monotonicMs = 0;
    errors = [];
    counted = createCountedDatabase(test.database);
    pause.resolve();
    keys = createKeyAuthenticator({
      database: counted,
      now: () => new Date(nowMs),
      monotonicMs: () => monotonicMs,
      onError: (error) => errors.push(error),
      wait: () => pause.promise,
    });
  });

  it('opens exactly the book of the key, with its scopes, addresses and fee terms', async () => {
    const { merchant, key } = await issue();
    assert.deepEqual(await authenticate(key.text), {
      id: key.id,
      actor: { kind: 'key', id: key.id },
      book: {
        id: merchant.books.live.id,
        merchantId: merchant.id,
        mode: 'live',
        feeTerms: { fixedMinor: 25n, basisPoints: 150 },
        isSuspended: false,
        controlsVersion: null,
      },
      scopes: ['read'],
      addresses: ['10.0.0.0/8', '41.72.96.7/32', '2001:db8::/32'],
    });
  });

  it('refuses garbage without asking the database', async () => {
    const { key } = await issue();
    const garbage = ['', 'x', key.text.slice(1), `${key.text} `, `${key.text.slice(0, -1)}!`];
    for (const text of garbage) assert.equal(authenticate(text), undefined);
    assert.equal(counted.asked, 0);
  });

  it('asks once in half a second about a key that does not exist', async () => {
    const { text } = createApiKey('test', randomBytes);
    assert.equal(await authenticate(text), undefined);
    wait(500);
    for (let index = 0; index < 100; index += 1) assert.equal(authenticate(text), undefined);
    assert.equal(counted.asked, 1);
    wait(1);
    assert.equal(await authenticate(text), undefined);
    assert.equal(counted.asked, 2);
  });

  it('lets a key in within a second that was asked for before it existed', async () => {
    const { merchant, key } = await issue();
    const moveHash = async (from: string, to: string): Promise<void> => {
      const statement = `update api_keys set hash = decode($2, 'hex') where hash = decode($1, 'hex')`;
      await test.database.query({ name: '', text: statement }, [from, to]);
    };
    const hash = createHash('sha256').update(key.text).digest('hex');
    await moveHash(hash, '00'.repeat(32));
    assert.equal(await authenticate(key.text), undefined);
    await moveHash('00'.repeat(32), hash);
    wait(501);
    assert.equal((await authenticate(key.text))?.book.id, merchant.books.live.id);
  });

  it('asks a bounded number of statements for keys that do not exist, however many they are', async () => {
    const answers = Array.from({ length: 2_000 }, (_, index) =>
      tryInvented(`192.0.2.${index % 10}`),
    );
    assert.deepEqual(new Set(await Promise.all(answers)), new Set([undefined]));
    assert.equal(counted.asked, Math.ceil(2_000 / 256));
  });

  it('refuses before the database what one address asks beyond one group', async () => {
    const { key } = await issue();
    const flood = Array.from({ length: 1_000 }, () => tryInvented());
    const elsewhere = authenticate(key.text, '198.51.100.7');
    const results = await Promise.allSettled(flood);
    const refused = results.filter(({ status }) => status === 'rejected');
    assert.equal(refused.length, 1_000 - 256);
    for (const result of refused) {
      assert.ok(result.status === 'rejected' && result.reason.code === 'RATE_LIMITED');
    }
    assert.equal((await elsewhere)?.id, key.id);
    assert.equal(counted.asked, 2);
  });

  it('lets a key that exists through, though it is not cached and its address is flooding', async () => {
    const { key } = await issue();
    const flood = Array.from({ length: 200 }, () => tryInvented());
    assert.equal((await authenticate(key.text))?.id, key.id);
    await Promise.all(flood);
    assert.equal(counted.asked, 1);
  });

  it('makes no key in use wait for keys that are not cached, also when it has to be read anew', async () => {
    const { merchant, key } = await issue();
    await authenticate(key.text);
    const feeTerms = { fixedMinor: 1n, basisPoints: 1 };
    await setFees(deps(), { actor: TEST_ACTOR, merchant: merchant.id, mode: 'live', feeTerms });
    pause = Promise.withResolvers();
    const flood = Array.from({ length: 1_000 }, (_, index) => tryInvented(`192.0.2.${index % 10}`));
    wait(801);
    assert.deepEqual((await authenticate(key.text))?.book.feeTerms, feeTerms);
    pause.resolve();
    await Promise.all(flood);
  });

  it('knows of a suspended merchant in time, and of one that is resumed', async () => {
    const { merchant, key } = await issue();
    assert.equal((await authenticate(key.text))?.book.isSuspended, false);
    const about = { actor: TEST_ACTOR, merchant: merchant.id, reason: 'ticket 4711' };
    await suspendMerchant(deps(), about);
    wait(801);
    assert.equal((await authenticate(key.text))?.book.isSuspended, true);
    await resumeMerchant(deps(), about);
    wait(801);
    assert.equal((await authenticate(key.text))?.book.isSuspended, false);
  });

  it('answers at once and does not ask the database for 400 ms', async () => {
    const { key } = await issue();
    const first = await authenticate(key.text);
    wait(400);
    assert.equal(authenticate(key.text), first);
    assert.equal(counted.asked, 1);
    assert.equal(counted.looked, 0);
  });

  it('answers at once between 400 and 800 ms while one look is under way', async () => {
    const { key } = await issue();
    const first = await authenticate(key.text);
    wait(401);
    for (let index = 0; index < 10; index += 1) assert.equal(authenticate(key.text), first);
    assert.equal(counted.looked, 1);
    await counted.settled();
    wait(399);
    assert.equal(authenticate(key.text), first);
    assert.equal(counted.looked, 1);
    assert.equal(counted.asked, 1);
  });

  it('waits for one common look after 800 ms', async () => {
    const { key } = await issue();
    await authenticate(key.text);
    wait(801);
    const answers = Array.from({ length: 10 }, () => authenticate(key.text));
    for (const answer of answers) assert.ok(answer instanceof Promise);
    for (const answer of answers) assert.equal((await answer)?.id, key.id);
    assert.equal(counted.looked, 1);
    assert.equal(counted.asked, 1);
  });

  it('looks once for all keys in use, however many, and reads none that did not change', async () => {
    const issued = await Promise.all(Array.from({ length: 20 }, () => issue()));
    for (const { key } of issued) await authenticate(key.text);
    for (let round = 0; round < 10; round += 1) {
      wait(500);
      for (const { key } of issued) assert.notEqual(authenticate(key.text), undefined);
      await counted.settled();
    }
    assert.equal(counted.asked, 20);
    assert.equal(counted.looked, 10);
  });

  it('lets every other key in at once when one was revoked, and reads each of them anew once', async () => {
    const issued = await Promise.all(Array.from({ length: 5 }, () => issue()));
    const [revoked, ...others] = issued;
    assert.ok(revoked !== undefined);
    for (const { key } of issued) await authenticate(key.text);
    await counted.settled();
    await revokeKey(deps(), { actor: TEST_ACTOR, id: revoked.key.id });
    wait(450);
    // The first to come starts the look that finds the change.
    for (const { key } of issued) assert.notEqual(authenticate(key.text), undefined);
    await counted.settled();
    for (const { key } of others) assert.ok(!(authenticate(key.text) instanceof Promise));
    await counted.settled();
    wait(300);
    for (const { key } of others) assert.notEqual(authenticate(key.text), undefined);
    assert.equal(counted.keysAsked, issued.length + others.length + 1);
    assert.equal(await authenticate(revoked.key.text), undefined);
  });

  it('refuses a revoked key within a second, whatever is under way', async () => {
    const { key } = await issue();
    for (let round = 0; round < 5; round += 1) {
      await authenticate(key.text);
      wait(390);
    }
    await revokeKey(deps(), { actor: TEST_ACTOR, id: key.id });
    const revokedAtMs = monotonicMs;
    let refusedAtMs: number | undefined;
    while (refusedAtMs === undefined && monotonicMs < revokedAtMs + 5_000) {
      if ((await authenticate(key.text)) === undefined) refusedAtMs = monotonicMs;
      await counted.settled();
      wait(50);
    }
    assert.ok(refusedAtMs !== undefined && refusedAtMs - revokedAtMs <= 1_000, `${refusedAtMs}`);
    assert.equal(await authenticate(key.text), undefined);
  });

  it('does not believe a question that was asked long before the request', async () => {
    const { key } = await issue();
    await authenticate(key.text);
    wait(801);
    let open: () => void = () => undefined;
    counted.opened = new Promise((resolve) => {
      open = resolve;
    });
    const early = authenticate(key.text);
    wait(401);
    const late = authenticate(key.text);
    assert.equal(counted.looked, 2);
    open();
    assert.equal((await early)?.id, key.id);
    assert.equal((await late)?.id, key.id);
  });

  it('refuses a key from the moment it expires, also a cached one', async () => {
    const { key } = await issue({ expiresAt: new Date(START.getTime() + 300) });
    assert.equal((await authenticate(key.text))?.id, key.id);
    wait(299);
    assert.notEqual(authenticate(key.text), undefined);
    wait(1);
    assert.equal(authenticate(key.text), undefined);
    assert.equal(counted.asked, 1);
  });

  it('brings changed fee terms along within a second', async () => {
    const { merchant, key } = await issue();
    await authenticate(key.text);
    const feeTerms = { fixedMinor: 0n, basisPoints: 10 };
    await setFees(deps(), { actor: TEST_ACTOR, merchant: merchant.id, mode: 'live', feeTerms });
    wait(801);
    assert.deepEqual((await authenticate(key.text))?.book.feeTerms, feeTerms);
  });

  it('takes notice of every change that could end or alter what a key opens', async () => {
    const { merchant, key } = await issue();
    const inBook = [merchant.books.live.id];
    for (const [text, values] of [
      [`update api_keys set scopes = '{transfers:write}' where book_id = $1`, inBook],
      [`update api_keys set addresses = '{}' where book_id = $1`, inBook],
      [`update api_keys set expires_at = now() + interval '1 day' where book_id = $1`, inBook],
      [`update books set fee_fixed_minor = 1 where id = $1`, inBook],
      [`update books set fee_basis_points = 1 where id = $1`, inBook],
      ['delete from api_keys where id = $1', [key.id]],
    ] as const) {
      await authenticate(key.text);
      const asked = counted.asked;
      await test.database.query({ name: '', text }, values);
      wait(801);
      await authenticate(key.text);
      assert.equal(counted.asked, asked + 1, text);
    }
    assert.equal(await authenticate(key.text), undefined);
  });

  it('lets changes of different keys run without waiting for each other', async () => {
    const issued = await Promise.all([issue(), issue()]);
    const text = 'update api_keys set revoked_at = now() where id = $1';
    let asked = 0;
    const { promise: bothRevoked, resolve } = Promise.withResolvers<void>();
    const revokeAndWait = (id: string) =>
      test.database.transaction(async (tx) => {
        // Also when it cannot be done, so that the other does not wait for ever.
        await tx.query({ name: '', text }, [id]).finally(() => {
          asked += 1;
          if (asked === issued.length) resolve();
        });
        await bothRevoked;
      });
    await Promise.all(issued.map(({ key }) => revokeAndWait(key.id)));
    for (const { key } of issued) assert.equal(await authenticate(key.text), undefined);
  });

  it('passes the error on when the database cannot be reached, and recovers', async () => {
    const { key } = await issue();
    await authenticate(key.text);
    await counted.settled();
    counted.failWith = new Error('no database');
    wait(500);
    assert.notEqual(authenticate(key.text), undefined);
    await counted.settled();
    assert.equal(errors.length, 1);
    wait(301);
    await assert.rejects(async () => authenticate(key.text), /no database/);
    counted.failWith = undefined;
    assert.equal((await authenticate(key.text))?.id, key.id);
  });

  it('notes the last use once a minute', async () => {
    const { key } = await issue();
    const lastUsed = async (): Promise<unknown> => {
      const text = 'select last_used_at from api_keys where id = $1';
      const [row] = await test.database.query({ name: '', text }, [key.id]);
      return row?.last_used_at;
    };
    for (let round = 0; round < 100; round += 1) {
      await authenticate(key.text);
      wait(590);
    }
    await counted.settled();
    assert.equal(counted.noted, 1);
    assert.deepEqual(await lastUsed(), START);
    wait(1_000);
    const notedAt = new Date(nowMs);
    await authenticate(key.text);
    await counted.settled();
    assert.equal(counted.noted, 2);
    assert.deepEqual(await lastUsed(), notedAt);
  });

  it('fails no request when the last use cannot be noted', async () => {
    const { key } = await issue();
    counted.failNotesWith = new Error('no database');
    assert.equal((await authenticate(key.text))?.id, key.id);
    await counted.settled();
    assert.deepEqual(errors, [counted.failNotesWith]);
  });

  it('knows a bounded number of keys and forgets the longest unused', async () => {
    keys = createKeyAuthenticator({
      database: counted,
      now: () => new Date(nowMs),
      monotonicMs: () => monotonicMs,
      onError: (error) => errors.push(error),
      wait: () => pause.promise,
      keysCachedMax: 3,
    });
    const [first, ...others] = await Promise.all(Array.from({ length: 4 }, () => issue()));
    assert.ok(first !== undefined);
    await authenticate(first.key.text);
    for (const { key } of others) await authenticate(key.text);
    assert.equal(counted.asked, 4);
    for (const { key } of others) assert.ok(!(authenticate(key.text) instanceof Promise));
    assert.equal(counted.asked, 4);
    assert.equal((await authenticate(first.key.text))?.id, first.key.id);
    assert.equal(counted.asked, 5);
  });
});
