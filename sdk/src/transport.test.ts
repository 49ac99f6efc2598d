import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { LOCALHOST_TLS } from '../../service/test/localhost-tls.ts';
import {
  refusal,
  type ScriptedServer,
  startScriptedServer,
  success,
} from '../test/scripted-server.ts';
import { createTestTransport, errorOf } from '../test/test-client.ts';
import { Kafue } from './kafue.ts';
import type { ApiCall } from './transport.ts';

const POST: ApiCall = {
  method: 'POST',
  path: 'transfers/mobile-money',
  body: { amount: 25.5, narration: undefined },
  options: undefined,
  isRepeatable: true,
  isKeyed: true,
};
const GET: ApiCall = { method: 'GET', path: 'operators', options: undefined, isRepeatable: true };
const BUSY = refusal(503, 'UNAVAILABLE', { retryable: true, headers: { 'retry-after': '2' } });

let server: ScriptedServer;
before(async () => {
  server = await startScriptedServer();
});
after(() => server.close());

const open = (settings: Partial<Parameters<typeof createTestTransport>[0]> = {}) =>
  createTestTransport({ baseUrl: server.baseUrl, ...settings });

const keysSent = () => server.requests.map(({ headers }) => headers['idempotency-key']);

describe('a call', () => {
  it('sends the key, the body as JSON and an Idempotency-Key, and gives the data', async () => {
    server.play(success({ id: 'x' }, 201));
    assert.deepEqual(await open().transport.call(POST), { id: 'x' });
    const [request] = server.requests;
    assert.equal(
      `${request?.method} ${request?.url}`,
      'POST /api/v1/payments/transfers/mobile-money',
    );
    assert.equal(request?.body, '{"amount":25.5}');
    assert.partialDeepStrictEqual(request?.headers, {
      'x-api-key': 'sk_test_key',
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': 'key-1',
    });
  });

  it('has another Idempotency-Key each time, the given one when there is one, none where none is read', async () => {
    server.play(success({}));
    const { transport } = open();
    await transport.call(POST);
    await transport.call(POST);
    await transport.call({ ...POST, options: { idempotencyKey: 'mine' } });
    await transport.call(GET);
    await transport.call({ ...POST, isKeyed: false });
    assert.deepEqual(keysSent(), ['key-1', 'key-2', 'mine', undefined, undefined]);
    assert.equal(server.requests[3]?.headers['content-type'], undefined);
  });

  it('refuses an Idempotency-Key that no header can carry, and sends nothing', async () => {
    server.play(success({}));
    for (const idempotencyKey of ['', ' x', 'é', 'a\nb', 'x'.repeat(256)]) {
      const error = await errorOf(open().transport.call({ ...POST, options: { idempotencyKey } }));
      assert.equal(error.code, 'INVALID_ARGUMENT');
    }
    assert.equal(server.requests.length, 0);
  });

  it('refuses what JSON cannot carry, and sends nothing', async () => {
    server.play(success({}));
    const error = await errorOf(open().transport.call({ ...POST, body: { amount: 1n } }));
    assert.deepEqual([error.code, server.requests.length], ['INVALID_ARGUMENT', 0]);
    assert.match(error.message, /BigInt/);
  });

  it('never follows a redirect with the key', async () => {
    server.play({ status: 307, headers: { location: '/elsewhere' }, body: 'gone' });
    const error = await errorOf(open().transport.call(GET));
    assert.deepEqual([error.code, error.status], ['UNEXPECTED_ANSWER', 307]);
    assert.equal(server.requests.length, 1);
  });
});

describe('a call that fails for now', () => {
  it('is sent again with the same key and body until it succeeds', async () => {
    const passing = [BUSY, refusal(429, 'RATE_LIMITED', { retryable: true })] as const;
    server.play(...passing, success({ id: 'x' }));
    const { transport, pausesMs } = open();
    assert.deepEqual(await transport.call(POST), { id: 'x' });
    assert.deepEqual(keysSent(), ['key-1', 'key-1', 'key-1']);
    assert.equal(new Set(server.requests.map(({ body }) => body)).size, 1);
    assert.deepEqual(pausesMs, [2_000, 500]);
  });

  it('is sent again after a reset, a cut answer and silence', async () => {
    server.play('reset', 'cut', 'hang', success({ id: 'x' }));
    const { transport } = open({ retriesMax: 3, timeoutMs: 300 });
    assert.deepEqual(await transport.call(POST), { id: 'x' });
    assert.deepEqual(keysSent(), ['key-1', 'key-1', 'key-1', 'key-1']);
  });

  it('ends with the last error when the retries are used up', async () => {
    server.play(BUSY);
    const error = await errorOf(open().transport.call(POST));
    assert.deepEqual(
      [error.code, error.status, error.retryable, error.attempts, error.retryAfterSeconds],
      ['UNAVAILABLE', 503, true, 3, 2],
    );
    assert.equal(server.requests.length, 3);
  });

  it('reads a Retry-After that is a date', async () => {
    const headers = { 'retry-after': 'Sun, 15 Nov 2026 08:00:09 GMT' };
    server.play(refusal(503, 'UNAVAILABLE', { retryable: true, headers }), success({}));
    const { transport, pausesMs } = open();
    await transport.call(GET);
    assert.deepEqual(pausesMs, [9_000]);
  });

  it('is not sent again when that could do it twice', async () => {
    for (const play of ['reset', BUSY, { status: 502, body: 'Bad gateway' }] as const) {
      server.play(play);
      await errorOf(open().transport.call({ ...POST, isRepeatable: false }));
      assert.equal(server.requests.length, 1);
    }
  });
});

describe('a call that fails for good', () => {
  it('is not sent again, and says what the service said', async () => {
    const fields = [{ field: 'amount', code: 'INVALID_AMOUNT', message: 'A JSON number.' }];
    const error = { code: 'VALIDATION_ERROR', retryable: false, requestId: 'req-7', fields };
    server.play({
      status: 400,
      headers: { 'x-should-retry': 'false' },
      body: { status: false, message: 'Some fields are not valid.', data: { error } },
    });
    const thrown = await errorOf(open().transport.call(POST));
    const { name, message, code, status, retryable, requestId } = thrown;
    assert.deepEqual([name, message], ['KafueError', 'Some fields are not valid.']);
    assert.deepEqual(
      [code, status, retryable, requestId],
      ['VALIDATION_ERROR', 400, false, 'req-7'],
    );
    assert.deepEqual([thrown.fields, thrown.data, thrown.attempts], [fields, {}, 1]);
    assert.equal(server.requests.length, 1);
  });

  it('names the rule that refuses it, and what is wrong with the file', async () => {
    server.play(refusal(422, 'POLICY_REFUSED', { rule: 'Two people above 5,000' }));
    const refused = await errorOf(open().transport.call(POST));
    assert.equal(refused.rule, 'Two people above 5,000');
    server.play(refusal(422, 'FILE_UNREADABLE', { data: { problem: 'NO_ROWS' } }));
    const unreadable = await errorOf(open().transport.call(POST));
    assert.deepEqual([unreadable.data.problem, unreadable.rule], ['NO_ROWS', null]);
  });

  it("carries the duplicate's transfer", async () => {
    const data = { transfer: { id: 't1' }, samePayload: true };
    server.play(refusal(409, 'DUPLICATE_REFERENCE', { data }));
    const error = await errorOf(open().transport.call(POST));
    assert.deepEqual([error.code, error.data], ['DUPLICATE_REFERENCE', data]);
  });

  it('says so when it is not Kafue that answers', async () => {
    const strange = ['<html>', '[]', '{"status":true}', '{"status":"true","message":"","data":{}}'];
    for (const body of [...strange, '{"status":false,"message":"no","data":{}}']) {
      server.play({ status: 200, body });
      const error = await errorOf(open().transport.call(GET));
      assert.deepEqual(
        [error.code, error.status, error.retryable],
        ['UNEXPECTED_ANSWER', 200, false],
      );
      assert.equal(server.requests.length, 1);
    }
    server.play({ status: 502, headers: { 'x-request-id': 'p1' }, body: '<html>' });
    const error = await errorOf(open().transport.call(GET));
    assert.deepEqual(
      [error.code, error.retryable, error.requestId],
      ['UNEXPECTED_ANSWER', true, 'p1'],
    );
    assert.equal(server.requests.length, 3);
  });
});

describe('a refusal after an attempt that may have been done', () => {
  const HINT = / An earlier attempt may have been done: look it up\.$/;

  it('does not hide that attempt, whatever the service says of the last one', async () => {
    const lost = ['reset', { status: 502, body: '<html>' }] as const;
    for (const first of lost) {
      for (const last of [refusal(422, 'WALLET_INACTIVE'), BUSY]) {
        server.play(first, last);
        const error = await errorOf(open().transport.call(POST));
        assert.match(error.message, HINT);
        assert.equal(error.mayHaveBeenDone, true);
      }
    }
  });

  it('is not spoken of when there was none', async () => {
    for (const play of [BUSY, refusal(422, 'WALLET_INACTIVE')]) {
      server.play(play);
      const error = await errorOf(open({ retriesMax: 0 }).transport.call(POST));
      assert.doesNotMatch(error.message, HINT);
    }
    server.play('reset', refusal(404, 'TRANSFER_NOT_FOUND'));
    assert.doesNotMatch((await errorOf(open().transport.call(GET))).message, HINT);
  });
});

describe('an answer that is not of Kafue', () => {
  it('leaves open whether a write was done, unless it was turned away', async () => {
    for (const status of [200, 307, 502]) {
      server.play({ status, body: '<html>' });
      const error = await errorOf(open({ retriesMax: 0 }).transport.call(POST));
      assert.match(error.message, /Whether it was done is not known\.$/);
    }
    server.play({ status: 413, body: '<html>' });
    const error = await errorOf(open().transport.call(POST));
    assert.match(error.message, /whether a proxy stands in between\.$/);
  });
});

describe('a call without an answer', () => {
  it('says that the connection failed, and tries again even what may happen only once', async () => {
    const { baseUrl, close } = await startScriptedServer();
    await close();
    const { transport, pausesMs } = open({ baseUrl });
    const error = await errorOf(transport.call({ ...POST, isRepeatable: false }));
    assert.deepEqual(
      [error.code, error.status, error.requestId],
      ['CONNECTION_FAILED', null, null],
    );
    assert.equal(
      error.message,
      `The connection to ${baseUrl} failed (ECONNREFUSED). Check baseUrl and the network. Nothing was sent.`,
    );
    assert.deepEqual([error.systemCode, error.mayHaveBeenDone], ['ECONNREFUSED', false]);
    assert.ok(error.cause instanceof Error && error.retryable);
    assert.deepEqual([error.attempts, pausesMs.length], [3, 2]);
  });

  it('sends nothing to a server whose certificate is not trusted, and does not try again', async () => {
    let requests = 0;
    const untrusted = createServer(LOCALHOST_TLS, (_, response) => {
      requests += 1;
      response.end();
    });
    await new Promise<void>((resolve) => {
      untrusted.listen(0, '127.0.0.1', resolve);
    });
    const baseUrl = `https://127.0.0.1:${(untrusted.address() as AddressInfo).port}`;
    try {
      const error = await errorOf(open({ baseUrl }).transport.call(POST));
      assert.equal(
        error.message,
        `The certificate of ${baseUrl} is not valid (DEPTH_ZERO_SELF_SIGNED_CERT). Check baseUrl and the certificate. Nothing was sent.`,
      );
      assert.deepEqual(
        [error.code, error.systemCode, error.retryable, error.mayHaveBeenDone, error.attempts],
        ['CONNECTION_FAILED', 'DEPTH_ZERO_SELF_SIGNED_CERT', false, false, 1],
      );
      assert.equal(requests, 0);
    } finally {
      untrusted.close();
    }
  });

  it('says that the time ran out', async () => {
    server.play('hang');
    const error = await errorOf(open({ timeoutMs: 50, retriesMax: 0 }).transport.call(POST));
    assert.deepEqual([error.code, error.retryable, error.attempts], ['TIMEOUT', true, 1]);
    assert.deepEqual([error.mayHaveBeenDone, error.systemCode], [true, null]);
    assert.match(error.message, /Whether it was done is not known\.$/);
  });

  it('names the code of a connection that broke, and what a write may have done', async () => {
    for (const play of ['reset', 'cut'] as const) {
      server.play(play);
      const error = await errorOf(open({ retriesMax: 0 }).transport.call(POST));
      assert.match(error.message, /failed \((?:ECONNRESET|UND_ERR_SOCKET)\)\..* is not known\.$/);
      assert.match(error.systemCode ?? '', /^(?:ECONNRESET|UND_ERR_SOCKET)$/);
      assert.equal(error.mayHaveBeenDone, true);
    }
  });

  it('finds the code of a connection that failed at every address of a name', async () => {
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const cause = new AggregateError([refused, refused]);
    const fetch = async () => Promise.reject(new TypeError('fetch failed', { cause }));
    const kafue = new Kafue({ apiKey: 'sk_test_key', fetch, maxRetries: 0 });
    const { systemCode, message } = await errorOf(kafue.operators.list());
    assert.equal(systemCode, 'ECONNREFUSED');
    assert.match(message, /\(ECONNREFUSED\)/);
  });

  it('never says of a read that it may have been done', async () => {
    const signal = AbortSignal.timeout(30);
    for (const play of ['reset', 'hang', { status: 502, body: '<html>' }] as const) {
      for (const options of [undefined, { signal }]) {
        server.play(play);
        const transport = open({ timeoutMs: 50, retriesMax: 0 }).transport;
        const error = await errorOf(transport.call({ ...GET, options }));
        assert.doesNotMatch(error.message, /done|sent/, `${error.code}: ${error.message}`);
        assert.equal(error.mayHaveBeenDone, false);
      }
    }
  });

  it('remembers an earlier attempt that may have arrived, also if the last one failed to connect', async () => {
    let calls = 0;
    const fetch = async (): Promise<Response> => {
      calls += 1;
      if (calls === 1) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
      if (calls === 2) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
      return Response.json(
        { status: false, message: 'No.', data: { error: { code: 'FORBIDDEN' } } },
        { status: 403 },
      );
    };
    const create = (maxRetries: number) => {
      calls = 0;
      const order = {
        amount: 1,
        reference: 'r',
        phone: '0977433571',
        operator: 'mtn',
        country: 'zm',
        walletId: 'w',
      } as const;
      return errorOf(
        new Kafue({ apiKey: 'sk_test_key', fetch, maxRetries }).transfers.create(order),
      );
    };
    const second = await create(1);
    assert.deepEqual([second.systemCode, second.mayHaveBeenDone], ['ECONNREFUSED', true]);
    assert.match(second.message, /Whether it was done is not known\.$/);
    const third = await create(2);
    assert.deepEqual([third.code, third.mayHaveBeenDone], ['FORBIDDEN', true]);
  });

  it('ends by the signal, before and during an attempt', async () => {
    server.play(success({}));
    const gone = AbortSignal.abort('no more');
    const before = await errorOf(open().transport.call({ ...POST, options: { signal: gone } }));
    assert.deepEqual([before.code, before.cause, before.attempts], ['ABORTED', 'no more', 0]);
    assert.match(before.message, /Nothing was sent\.$/);
    assert.equal(server.requests.length, 0);

    server.play('hang');
    const { signal } = endAt(() => server.requests.length === 1);
    const during = await errorOf(open().transport.call({ ...POST, options: { signal } }));
    assert.deepEqual([during.code, during.attempts, during.retryable], ['ABORTED', 1, false]);
    assert.deepEqual([before.mayHaveBeenDone, during.mayHaveBeenDone], [false, true]);
    assert.equal(server.requests.length, 1);
  });
});

describe('the API key', () => {
  it('is in no error', async () => {
    server.play(refusal(401, 'UNAUTHORIZED'));
    const refused = await errorOf(open().transport.call(GET));
    server.play('reset');
    const broken = await errorOf(open({ retriesMax: 0 }).transport.call(GET));
    for (const error of [refused, broken]) {
      assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes('sk_test_key'));
    }
  });
});

/** A signal that aborts as soon as something is so. */
function endAt(isSo: () => boolean): AbortController {
  const controller = new AbortController();
  const timer = setInterval(() => {
    if (!isSo()) return;
    clearInterval(timer);
    controller.abort();
  }, 5);
  return controller;
}
