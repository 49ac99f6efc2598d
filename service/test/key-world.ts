import { randomBytes, randomFillSync } from 'node:crypto';
import { after, before, beforeEach } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createUuidV7Source } from '../src/domain/uuid.ts';
import { createApiKey } from '../src/merchants/api-key.ts';
import { createKeyAuthenticator } from '../src/merchants/authenticate-key.ts';
import type { KeyAuthenticator } from '../src/merchants/authenticated-key.ts';
import { createMerchant } from '../src/merchants/create-merchant.ts';
import { issueKey } from '../src/merchants/issue-key.ts';
import type { Queryable, Row, Statement } from '../src/postgres/database.ts';
import { TEST_ACTOR } from './test-actor.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

const newId = createUuidV7Source(Date.now, (bytes) => randomFillSync(bytes));
export const START = new Date('2026-03-01T12:00:00Z');

/** The real database. It counts statements about keys, and can hold them up or make them fail. */
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

/** A database with merchants and keys, and an authenticator whose clock stands still until a test moves it. */
export function openKeyWorld() {
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
  const deps = () => ({
    database: test.database,
    directory: test.directory,
    cells: test.cells,
    now: () => new Date(nowMs),
    newId,
    randomBytes,
  });

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

  function restart(options: { keysCachedMax?: number } = {}): void {
    keys = createKeyAuthenticator({
      cell: 'main',
      database: counted,
      directory: counted,
      now: () => new Date(nowMs),
      monotonicMs: () => monotonicMs,
      onError: (error) => errors.push(error),
      wait: () => pause.promise,
      ...options,
    });
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
    restart();
  });

  return {
    get database() {
      return test.database;
    },
    get counted() {
      return counted;
    },
    get errors() {
      return errors;
    },
    get nowMs() {
      return nowMs;
    },
    get monotonicMs() {
      return monotonicMs;
    },
    /** Statements about keys that are not cached wait until the pause is resolved. */
    beginPause() {
      pause = Promise.withResolvers();
      return pause;
    },
    restart,
    authenticate,
    tryInvented,
    wait,
    deps,
    issue,
  };
}
