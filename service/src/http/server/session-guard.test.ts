import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { routeOf, startServer, TEST_KEY } from '../../../test/http-server.ts';
import type { PersonSession } from '../../people/session.ts';

const { book } = TEST_KEY;
const TOKEN = 'a'.repeat(43);
const CALLS_AT_ONCE_MAX = 200;

const SESSION: PersonSession = {
  id: '01890a5d-ac96-774b-bcce-000000000004',
  person: { id: '01890a5d-ac96-774b-bcce-000000000005', name: 'Bupe', email: 'bupe@demo.test' },
  hasSecondFactor: true,
  steppedUpAt: null,
  staffRoles: [],
  memberships: [
    {
      merchant: { id: book.merchantId, name: 'Demo' },
      roles: [{ role: 'viewer', bookId: null }],
      books: [book],
    },
  ],
  expiresAt: new Date('2100-01-01'),
};

/** A server with one session, whose clock stands still. */
async function startForPeople() {
  const asked = { sessions: 0, books: 0 };
  const open = new Map([[TOKEN, SESSION]]);
  const word = async () => ({ status: 200, message: 'Said', data: { word: 'yes' } }) as const;
  const routes = [
    routeOf({}, word),
    routeOf({ method: 'POST', path: '/changes', operationId: 'change' }, word),
    routeOf({ path: '/seldom', operationId: 'sayRarely', rateLimit: RARELY }, word),
  ];
  const served = await startServer(routes, {
    findSession: async (token) => {
      asked.sessions += 1;
      return open.get(token);
    },
    readBook: async () => {
      asked.books += 1;
      return book;
    },
    monotonicMs: () => 0,
  });
  const call = (path: string, { method = 'GET', headers = {}, token = TOKEN } = {}) =>
    served.send({
      method,
      path: `/api/v1/payments${path}`,
      headers: { cookie: `kafue=${token}`, 'x-book': book.id, ...headers },
    });
  const repeat = async (times: number, path: string) => {
    for (let sent = 0; sent < times; sent += 1) assert.equal((await call(path)).status, 200);
  };
  return { served, call, repeat, asked, end: () => open.clear() };
}

const RARELY = { perSecond: 0.5, burst: 3 };

describe('a person who calls too often', () => {
  it('is refused before the database is asked', async () => {
    const { served, call, repeat, asked } = await startForPeople();
    await repeat(CALLS_AT_ONCE_MAX, '/things');
    const before = { ...asked };
    for (let sent = 0; sent < 20; sent += 1) {
      const { status, headers, text } = await call('/things');
      assert.equal(status, 429);
      assert.equal(JSON.parse(text).data.error.code, 'RATE_LIMITED');
      assert.equal(headers['retry-after'], '1');
      assert.equal(headers['ratelimit-limit'], String(CALLS_AT_ONCE_MAX));
      assert.equal(headers['ratelimit-remaining'], '0');
    }
    assert.deepEqual(asked, before);
    await served.stop();
  });

  it('is refused likewise with a wrong book', async () => {
    const { served, call, repeat, asked } = await startForPeople();
    await repeat(CALLS_AT_ONCE_MAX - 2, '/things');
    const statuses = [];
    for (let sent = 0; sent < 4; sent += 1) {
      statuses.push((await call('/things', { headers: { 'x-book': 'guessed' } })).status);
    }
    assert.deepEqual(statuses, [404, 404, 429, 429]);
    assert.equal(asked.sessions, CALLS_AT_ONCE_MAX);
    await served.stop();
  });

  it('is counted apart, and once, by an operation with its own limit', async () => {
    const { served, call, repeat, asked } = await startForPeople();
    await repeat(RARELY.burst, '/seldom');
    const { status, headers } = await call('/seldom');
    assert.deepEqual([status, headers['retry-after'], headers['ratelimit-limit']], [429, '2', '3']);
    assert.equal(asked.sessions, RARELY.burst);
    const other = await call('/things');
    assert.deepEqual([other.status, other.headers['ratelimit-remaining']], [200, '199']);
    await served.stop();
  });
});

it('a page of another origin uses up no call of the person, and asks the database nothing', async () => {
  const { served, call, repeat, asked } = await startForPeople();
  await repeat(1, '/things');
  const before = { ...asked };
  const headers = { origin: 'https://other.test' };
  for (let sent = 0; sent < 3; sent += 1) {
    const foreign = await call('/changes', { method: 'POST', headers });
    assert.deepEqual([foreign.status, foreign.headers['ratelimit-remaining']], [403, '199']);
  }
  assert.deepEqual(asked, before);
  await served.stop();
});

it('a session that has ended is unknown at the next call', async () => {
  const { served, call, repeat, end } = await startForPeople();
  await repeat(1, '/things');
  end();
  assert.equal((await call('/things')).status, 401);
  assert.equal((await call('/things', { token: 'b'.repeat(43) })).status, 401);
  await served.stop();
});
