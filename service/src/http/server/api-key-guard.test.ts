import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { describe, it } from 'node:test';
import {
  keysOf,
  routeOf,
  startServer,
  TEST_KEY,
  type TestServer,
  VALID_KEY,
} from '../../../test/http-server.ts';
import { refuse } from '../../domain/refusal.ts';
import type { AuthenticatedKey } from '../../merchants/authenticated-key.ts';
import { DatabaseUnreachable } from '../../postgres/database.ts';

const things = routeOf({}, async () => ({ status: 200, message: 'Done', data: { word: 'x' } }));
const PATH = '/api/v1/payments/things';

async function withServer(
  options: Parameters<typeof startServer>[1],
  work: (served: TestServer) => Promise<void>,
  routes = [things],
): Promise<void> {
  const served = await startServer(routes, options);
  try {
    await work(served);
  } finally {
    await served.stop();
  }
}

const codeOf = (text: string) => JSON.parse(text).data.error.code;
const withKey = (key: string | string[]) => ({ path: PATH, headers: { 'x-api-key': key } });

describe('authentication', () => {
  it('answers 401 with one body for every cause', async () => {
    await withServer({}, async ({ send, exchange }) => {
      const replies = await Promise.all([
        send({ path: PATH }),
        send(withKey('')),
        send(withKey('nonsense')),
        send(withKey([VALID_KEY, VALID_KEY])),
        send(withKey([VALID_KEY, 'other'])),
        send(withKey(['', VALID_KEY])),
        send({ path: `${PATH}?x-api-key=${VALID_KEY}` }),
        send({ path: PATH, headers: { authorization: `Bearer ${VALID_KEY}` } }),
      ]);
      const bodies = replies.map((reply) => reply.text.replace(/request-\d+/, 'request'));
      assert.deepEqual(new Set(replies.map((reply) => reply.status)), new Set([401]));
      assert.equal(new Set(bodies).size, 1);
      assert.equal(codeOf(replies[0]?.text ?? ''), 'UNAUTHORIZED');
      const raw = await exchange(
        `GET ${PATH} HTTP/1.1\r\nhost: x\r\nX-Api-Key: ${VALID_KEY}\r\nx-api-key: ${VALID_KEY}\r\nconnection: close\r\n\r\n`,
      );
      assert.match(raw, /^HTTP\/1\.1 401 /);
    });
  });

  it('admits a valid key, also if the authenticator has to look it up', async () => {
    await withServer({}, async ({ send }) => {
      assert.equal((await send(withKey(VALID_KEY))).status, 200);
    });
    const slow = {
      authenticate: async (key: string) => (key === VALID_KEY ? TEST_KEY : undefined),
    };
    await withServer({ authenticator: slow }, async ({ send }) => {
      assert.equal((await send(withKey(VALID_KEY))).status, 200);
      assert.equal((await send(withKey('other'))).status, 401);
    });
  });

  it('answers 429 when too many keys of the same network wait to be looked up', async () => {
    const networks: string[] = [];
    const authenticator = {
      authenticate(_key: string, from: string) {
        networks.push(from);
        return Promise.reject(refuse('RATE_LIMITED', { retryAfterSeconds: 1 }));
      },
    };
    await withServer({ authenticator }, async ({ send }) => {
      const reply = await send(withKey(VALID_KEY));
      assert.equal(reply.status, 429);
      assert.equal(reply.headers['retry-after'], '1');
      assert.deepEqual(networks, ['127.0.0.1']);
    });
  });

  it('answers 503 when the key cannot be looked up', async () => {
    const authenticator = {
      authenticate: () => Promise.reject(new DatabaseUnreachable(new Error('down'))),
    };
    await withServer({ authenticator }, async ({ send }) => {
      const reply = await send(withKey(VALID_KEY));
      assert.equal(reply.status, 503);
      assert.equal(reply.headers['retry-after'], '1');
    });
  });

  it('limits failures of one address, and never a valid key', async () => {
    let nowMs = 0;
    await withServer({ monotonicMs: () => nowMs }, async ({ send }) => {
      const statuses = new Map<number, number>();
      for (let tries = 0; tries < 310; tries += 1) {
        const { status } = await send(withKey('guess'));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      assert.deepEqual(Object.fromEntries(statuses), { 401: 300, 429: 10 });
      const limited = await send({ path: PATH });
      assert.equal(codeOf(limited.text), 'RATE_LIMITED');
      assert.equal(limited.headers['retry-after'], '1');
      assert.equal((await send(withKey(VALID_KEY))).status, 200);
      nowMs += 1_000;
      assert.equal((await send(withKey('guess'))).status, 401);
    });
  });
});

describe('what a key may do', () => {
  const limited: AuthenticatedKey = { ...TEST_KEY, id: 'limited', scopes: ['transfers:write'] };
  const elsewhere: AuthenticatedKey = { ...TEST_KEY, id: 'far', addresses: ['10.0.0.0/8', '::1'] };
  const here: AuthenticatedKey = { ...TEST_KEY, id: 'here', addresses: ['127.0.0.0/8'] };
  const authenticator = keysOf({ limited, elsewhere, here });

  it('refuses a call outside its scopes or from an address that is not on its list', async () => {
    await withServer({ authenticator, rateLimitPerSecond: 5 }, async ({ send }) => {
      for (const key of ['limited', 'elsewhere']) {
        const reply = await send(withKey(key));
        assert.equal(reply.status, 403);
        assert.equal(codeOf(reply.text), 'FORBIDDEN');
        assert.equal(reply.headers['ratelimit-remaining'], '5');
      }
      assert.equal((await send(withKey('here'))).status, 200);
    });
  });
});

describe('a key whose body comes later than its headers', () => {
  const seen: AuthenticatedKey['book'][] = [];
  const making = routeOf({ method: 'POST', scope: 'transfers:write' }, async ({ caller }) => {
    seen.push(caller.book);
    return { status: 200, message: 'Done', data: { word: 'x' } };
  });

  /** The status, if the key is `now` when the body comes, and how often the key was looked at. */
  async function sendLate(lateMs: number, now: AuthenticatedKey | undefined) {
    let nowMs = 0;
    let looks = 0;
    const arrived = Promise.withResolvers<void>();
    const authenticator = {
      authenticate() {
        looks += 1;
        // The call is admitted in the same turn.
        setImmediate(arrived.resolve);
        return nowMs === 0 ? TEST_KEY : now;
      },
    };
    const answer = Promise.withResolvers<number>();
    const options = { authenticator, monotonicMs: () => nowMs };
    const work = async ({ port }: TestServer) => {
      const headers = { ...withKey(VALID_KEY).headers, 'content-type': 'application/json' };
      const asked = request({ port, path: PATH, method: 'POST', headers, agent: false });
      asked.flushHeaders();
      await arrived.promise;
      nowMs += lateMs;
      asked.end('{}');
      const [response] = await once(asked, 'response');
      response.resume();
      answer.resolve(response.statusCode);
    };
    await withServer(options, work, [making]);
    return { status: await answer.promise, looks };
  }

  it('is not looked at again when the body comes at once', async () => {
    assert.deepEqual(await sendLate(50, undefined), { status: 200, looks: 1 });
  });

  // The answer about the key may be 800 ms old, and a revoked key is refused within a second.
  for (const lateMs of [200, 8_000]) {
    it(`is refused when it was revoked ${lateMs} ms before its body`, async () => {
      assert.deepEqual(await sendLate(lateMs, undefined), { status: 401, looks: 2 });
    });
  }

  it('is refused when it lost the scope or the address meanwhile', async () => {
    const reading: AuthenticatedKey = { ...TEST_KEY, scopes: ['read'] };
    assert.equal((await sendLate(200, reading)).status, 403);
    const elsewhere: AuthenticatedKey = { ...TEST_KEY, addresses: ['10.0.0.0/8'] };
    assert.equal((await sendLate(200, elsewhere)).status, 403);
  });

  it('acts in its book as that is when the body comes', async () => {
    const book = { ...TEST_KEY.book, isSuspended: true };
    assert.equal((await sendLate(200, { ...TEST_KEY, book })).status, 200);
    assert.equal(seen.at(-1)?.isSuspended, true);
  });
});

describe('rate limits', () => {
  it('give each key its requests per second and say how many are left', async () => {
    let nowMs = 0;
    const other: AuthenticatedKey = { ...TEST_KEY, id: 'other' };
    const authenticator = keysOf({ [VALID_KEY]: TEST_KEY, other });
    const options = { authenticator, rateLimitPerSecond: 3, monotonicMs: () => nowMs };
    await withServer(options, async ({ send }) => {
      const first = await send(withKey(VALID_KEY));
      assert.equal(first.headers['ratelimit-limit'], '3');
      assert.equal(first.headers['ratelimit-remaining'], '2');
      assert.equal(first.headers['ratelimit-reset'], '1');
      await send(withKey(VALID_KEY));
      await send(withKey(VALID_KEY));
      const refused = await send(withKey(VALID_KEY));
      assert.equal(refused.status, 429);
      assert.equal(codeOf(refused.text), 'RATE_LIMITED');
      assert.equal(refused.headers['ratelimit-remaining'], '0');
      assert.equal(refused.headers['retry-after'], '1');
      assert.equal(refused.headers['x-should-retry'], 'true');
      assert.equal((await send(withKey('other'))).status, 200);
      nowMs += 400;
      assert.equal((await send(withKey(VALID_KEY))).status, 200);
    });
  });

  it('send their headers even without a limit', async () => {
    await withServer({ rateLimitPerSecond: 0 }, async ({ send }) => {
      const { headers } = await send(withKey(VALID_KEY));
      assert.equal(headers['ratelimit-remaining'], headers['ratelimit-limit']);
      assert.equal(headers['ratelimit-reset'], '0');
    });
  });

  it('of an operation are separate from those of its key', async () => {
    const rateLimit = { perSecond: 1, burst: 2 };
    const narrow = routeOf({ path: '/narrow', operationId: 'narrow', rateLimit }, async () => ({
      status: 200,
      message: 'Done',
      data: { word: 'x' },
    }));
    const options = { rateLimitPerSecond: 100, monotonicMs: () => 0 };
    await withServer(
      options,
      async ({ send }) => {
        const path = '/api/v1/payments/narrow';
        const headers = { 'x-api-key': VALID_KEY };
        assert.equal((await send({ path, headers })).headers['ratelimit-limit'], '2');
        assert.equal((await send({ path, headers })).status, 200);
        assert.equal((await send({ path, headers })).status, 429);
        assert.equal((await send(withKey(VALID_KEY))).status, 200);
      },
      [things, narrow],
    );
  });
});

describe('a key with a list of addresses behind a proxy', () => {
  it('is checked against the address of the client, not of the proxy', async () => {
    const listed = { ...TEST_KEY, addresses: ['203.0.113.0/24'] };
    const options = {
      authenticator: keysOf({ [VALID_KEY]: listed }),
      trustedProxies: ['127.0.0.0/8'],
    };
    await withServer(options, async ({ send }) => {
      const from = async (forwarded: string) => {
        const headers = { 'x-api-key': VALID_KEY, 'x-forwarded-for': forwarded };
        return (await send({ path: PATH, headers })).status;
      };
      assert.equal(await from('203.0.113.7'), 200);
      assert.equal(await from('203.0.113.7, 198.51.100.9'), 403);
    });
    await withServer({ ...options, trustedProxies: [] }, async ({ send }) => {
      const headers = { 'x-api-key': VALID_KEY, 'x-forwarded-for': '203.0.113.7' };
      assert.equal((await send({ path: PATH, headers })).status, 403);
    });
  });
});
