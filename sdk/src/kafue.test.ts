import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import {
  refusal,
  type ScriptedServer,
  startScriptedServer,
  success,
} from '../test/scripted-server.ts';
import { errorOf } from '../test/test-client.ts';
import { Kafue } from './kafue.ts';
import { KafueError } from './kafue-error.ts';
import { PageList } from './page-list.ts';
import type { FetchFunction } from './send-once.ts';

const apiKey = 'sk_test_key';
const BOOK_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const ORDER = {
  amount: 1,
  reference: 'r',
  phone: '0977433571',
  operator: 'mtn',
  country: 'zm',
  walletId: 'w',
} as const;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let server: ScriptedServer;
before(async () => {
  server = await startScriptedServer();
});
after(() => server.close());

describe('new Kafue', () => {
  it('takes a live key with baseUrl', async () => {
    server.play(success({ items: [] }));
    const live = new Kafue({ apiKey: 'sk_live_key', baseUrl: server.baseUrl });
    assert.deepEqual(await live.operators.list(), []);
  });

  it('calls the service at baseUrl, below its path if it has one', async () => {
    server.play(success({ items: [] }));
    await new Kafue({ apiKey, baseUrl: `${server.baseUrl}/payouts//` }).operators.list();
    assert.equal(server.requests[0]?.url, '/payouts/api/v1/payments/operators');
  });

  it('goes to this machine when it is not told where', async () => {
    const urls: string[] = [];
    const fetch: FetchFunction = async (url) => {
      urls.push(url);
      return Response.json({ status: true, message: 'Done', data: { items: [] } });
    };
    await new Kafue({ apiKey, fetch }).operators.list();
    assert.deepEqual(urls, ['http://127.0.0.1:3000/api/v1/payments/operators']);
  });

  it('refuses wrong options by name, and never repeats the key', () => {
    const wrong: readonly [string, object][] = [
      ['apiKey', { apiKey: '' }],
      ['apiKey', { apiKey: 'sk_test secret' }],
      ['apiKey', { apiKey: undefined }],
      ['session', { apiKey: undefined, session: { cookie: 'kafue=secret;', bookId: BOOK_ID } }],
      ['session', { apiKey: undefined, session: { cookie: 'kafue=secret', bookId: '7' } }],
      ['baseUrl', { apiKey: 'sk_live_secret' }],
      ['baseUrl', { baseUrl: 'payouts.example.com' }],
      ['baseUrl', { baseUrl: 'ftp://payouts.example.com' }],
      ['baseUrl', { baseUrl: 'https://user:pass@payouts.example.com' }],
      ['baseUrl', { baseUrl: 'https://payouts.example.com/?x=1' }],
      ['timeoutMs', { timeoutMs: 0 }],
      ['timeoutMs', { timeoutMs: Number.NaN }],
      ['maxRetries', { maxRetries: -1 }],
      ['maxRetries', { maxRetries: 1.5 }],
    ];
    for (const [name, options] of wrong) {
      assert.throws(() => new Kafue({ apiKey, ...options }), {
        code: 'INVALID_ARGUMENT',
        message: new RegExp(`^${name} must (?!.*secret)`),
      });
    }
  });

  it('does not show the key when it is printed', () => {
    const kafue = new Kafue({ apiKey });
    assert.ok(!inspect(kafue, { depth: 9, showHidden: true }).includes(apiKey));
    assert.ok(!JSON.stringify(kafue).includes(apiKey));
  });

  it('makes a UUID the Idempotency-Key, and keeps it while it waits and tries again', async () => {
    server.play(refusal(503, 'UNAVAILABLE', { retryable: true }), success({ id: 't1' }));
    const kafue = new Kafue({ apiKey, baseUrl: server.baseUrl });
    await kafue.transfers.create(ORDER);
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    assert.match(String(keys[0]), UUID);
    assert.deepEqual(keys, [keys[0], keys[0]]);
  });

  it('stops waiting for the next attempt when the signal says so', async () => {
    const headers = { 'retry-after': '50' };
    server.play(refusal(503, 'UNAVAILABLE', { retryable: true, headers }));
    const kafue = new Kafue({ apiKey, baseUrl: server.baseUrl });
    const error = await errorOf(kafue.operators.list({ signal: AbortSignal.timeout(100) }));
    assert.deepEqual([error.code, error.attempts], ['ABORTED', 1]);
  });

  it('sends nothing again when maxRetries is 0', async () => {
    server.play('reset');
    const kafue = new Kafue({ apiKey, baseUrl: server.baseUrl, maxRetries: 0 });
    assert.equal((await errorOf(kafue.operators.list())).code, 'CONNECTION_FAILED');
    assert.equal(server.requests.length, 1);
  });
});

/** Every method of every resource, by its name. */
function methodsOf(kafue: Kafue): readonly [string, (...given: readonly unknown[]) => unknown][] {
  return Object.entries(kafue).flatMap(([name, resource]: [string, object]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(resource)).flatMap((method) => {
      const value: unknown = Reflect.get(resource, method);
      if (typeof value !== 'function' || method === 'constructor') return [];
      return [[`${name}.${method}`, (...given) => Reflect.apply(value, resource, given)]];
    }),
  );
}

/** What a promise, a list or a generator comes to. */
async function settle(result: unknown): Promise<unknown> {
  const asked =
    result instanceof PageList
      ? result.page()
      : typeof result === 'object' && result !== null && 'next' in result
        ? (result as AsyncIterator<unknown>).next()
        : result;
  return Promise.resolve(asked).catch((error: unknown) => error);
}

describe('a bad argument', () => {
  /** These take no id. */
  const WITHOUT_ID = /^policy|\.(?:create|bulk|preflight|resolve|upload|list|decide|holidays)$/;

  it('is a rejection in every method, never a throw, and nothing is sent', async () => {
    const urls: string[] = [];
    const fetch: FetchFunction = async (url) => {
      urls.push(url);
      return Response.json({ status: true, message: 'Done', data: { items: [] } });
    };
    const methods = methodsOf(new Kafue({ apiKey, fetch }));
    assert.ok(methods.length > 60, `${methods.length} methods`);
    for (const [name, call] of methods) {
      if (WITHOUT_ID.test(name)) continue;
      const error = await settle(call(name.startsWith('approvals.') ? { id: '' } : '', {}));
      assert.ok(error instanceof KafueError && error.code === 'INVALID_ARGUMENT', name);
    }
    assert.deepEqual(urls, []);
    const broken = { sendAt: new Date('soon'), from: new Date('soon') };
    for (const [, call] of methods) {
      await settle(call(broken, broken));
      await settle(call([broken], [broken]));
      await settle(call());
    }
  });

  it('leaves the other orders of a list as they are', async () => {
    server.play(success({ id: 't1' }));
    const kafue = new Kafue({ apiKey, baseUrl: server.baseUrl });
    const orders = [ORDER, { ...ORDER, sendAt: new Date('soon') }, { ...ORDER, amount: 2 }];
    const settled = await Promise.allSettled(orders.map((order) => kafue.transfers.create(order)));
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
  });
});

describe('the Idempotency-Key', () => {
  it('is sent where the service reads it, and nowhere else', async () => {
    server.play(success({ items: [] }));
    const kafue = new Kafue({ apiKey, baseUrl: server.baseUrl });
    await kafue.transfers.create(ORDER);
    await kafue.transfers.bulk([ORDER]);
    await kafue.payoutFiles.upload({ file: 'phone,amount' });
    assert.ok(server.requests.every(({ headers }) => headers['idempotency-key'] !== undefined));
    server.play(success({ items: [] }));
    await kafue.transfers.preflight(ORDER);
    await kafue.transfers.cancel('t1');
    await kafue.webhooks.create({ url: 'https://shop.example/kafue' });
    await kafue.webhooks.rotateSecret('e1');
    await kafue.recipients.create({ phone: '0977433571', operator: 'mtn', country: 'zm' });
    await kafue.schedules.pause('s1');
    await kafue.payoutFiles.submit('f1');
    await kafue.approvals.recall('t1');
    assert.deepEqual(
      server.requests.filter(({ headers }) => headers['idempotency-key'] !== undefined),
      [],
    );
  });
});
