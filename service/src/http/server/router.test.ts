import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { routeOf, startServer, VALID_KEY } from '../../../test/http-server.ts';
import { refuse } from '../../domain/refusal.ts';
import type { ApiRequest } from './api-operation.ts';

const HEADERS = { 'x-api-key': VALID_KEY, 'content-type': 'application/json' };

/** Serves one operation with a fixed path and one with a path parameter. */
async function startBoth(handle: (request: ApiRequest) => unknown) {
  const schema = {
    body: Type.Object({}),
    data: {
      201: Type.Object({
        id: Type.String({ format: 'uuid' }),
        state: Type.Unsafe<string>({ type: 'string', enum: ['new', 'old'] }),
        words: Type.Array(Type.String()),
        note: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      }),
    },
  };
  const answer = async (request: ApiRequest) => ({
    status: 201 as const,
    message: 'Done "so"',
    data: handle(request),
    headers: { location: '/somewhere' },
  });
  const method = 'POST';
  return startServer([
    routeOf({ method, path: '/plain', operationId: 'plain', schema }, answer),
    routeOf({ method, path: '/with/:word', operationId: 'with', schema }, answer),
  ]);
}

const DATA = {
  id: '01890a5d-ac96-774b-bcce-000000000001',
  state: 'new',
  words: ['quoted "word"', 'back\\slash', '\u2028\u0007é😀'],
  note: 'O\'Brien said "no"\n',
};

describe('the router', () => {
  it('answers with the same bytes with and without parameters, on the first call and later', async () => {
    const served = await startBoth(() => DATA);
    try {
      const answers = [];
      for (const path of ['/plain', '/plain', '/plain', '/with/word', '/with/word']) {
        const answer = await served.send({
          method: 'POST',
          path: `/api/v1/payments${path}`,
          headers: HEADERS,
          body: '{}',
        });
        assert.deepEqual(JSON.parse(answer.text), {
          status: true,
          message: 'Done "so"',
          data: DATA,
        });
        const { date, 'x-request-id': requestId, ...headers } = answer.headers;
        assert.ok(date !== undefined && requestId !== undefined);
        answers.push({ status: answer.status, headers, text: answer.text });
      }
      for (const answer of answers) assert.deepEqual(answer, answers[0]);
    } finally {
      await served.stop();
    }
  });

  it('writes every header of a refusal once', async () => {
    const served = await startBoth(() => {
      throw refuse('INVALID_STATE');
    });
    try {
      for (let call = 0; call < 3; call += 1) {
        const text = await served.exchange(
          'POST /api/v1/payments/plain HTTP/1.1\r\nhost: a\r\nconnection: close\r\n' +
            `x-api-key: ${VALID_KEY}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`,
        );
        assert.match(text, /^HTTP\/1\.1 409 Conflict\r\n/);
        const names = [...text.matchAll(/^([a-z-]+): /gim)].map(([, name]) => name?.toLowerCase());
        assert.equal(new Set(names).size, names.length, names.join(', '));
        assert.match(text, /"code":"INVALID_STATE"/);
      }
    } finally {
      await served.stop();
    }
  });

  it('passes the query on, and knows neither another method, a longer path nor other letters', async () => {
    const seen: string[] = [];
    const served = await startBoth((request) => {
      seen.push(request.query.toString());
      return DATA;
    });
    const send = (method: string, path: string) =>
      served.send({ method, path: `/api/v1/payments${path}`, headers: HEADERS, body: '{}' });
    try {
      assert.equal((await send('POST', '/plain')).status, 201);
      assert.equal((await send('POST', '/plain?a=b')).status, 201);
      assert.deepEqual(seen, ['', 'a=b']);
      const otherMethod = await send('PATCH', '/plain');
      assert.deepEqual([otherMethod.status, otherMethod.headers.allow], [405, 'POST']);
      assert.equal((await send('PROPFIND', '/with/a?b=c')).headers.allow, 'POST');
      assert.equal((await send('GET', '/')).status, 404);
      assert.equal((await send('POST', '/plain/more')).status, 404);
      assert.equal((await send('POST', '/Plain')).status, 404);
      assert.equal((await send('POST', '/plain/')).status, 404);
    } finally {
      await served.stop();
    }
  });

  it('answers HEAD like GET, without the body', async () => {
    const served = await startBoth(() => DATA);
    try {
      const got = await served.send({ path: '/health/live' });
      const headed = await served.send({ method: 'HEAD', path: '/health/live' });
      assert.deepEqual([headed.status, headed.text], [200, '']);
      assert.equal(headed.headers['content-length'], got.headers['content-length']);
      const other = await served.send({ method: 'POST', path: '/health/live' });
      assert.deepEqual([other.status, other.headers.allow], [405, 'GET, HEAD']);
    } finally {
      await served.stop();
    }
  });

  it('refuses a path that cannot be decoded, and one with a part that is too long', async () => {
    const served = await startBoth(() => DATA);
    const statusOf = async (path: string) =>
      (await served.send({ method: 'POST', path, headers: HEADERS, body: '{}' })).status;
    try {
      assert.equal(await statusOf('/api/v1/payments/with/%zz'), 400);
      assert.equal(await statusOf(`/api/v1/payments/with/${'a'.repeat(2_000)}`), 404);
    } finally {
      await served.stop();
    }
  });
});
