import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Type } from 'typebox';
import { routeOf, startServer, type TestServer, VALID_KEY } from '../../../test/http-server.ts';
import { fieldProblem } from '../../domain/field-problem.ts';
import { refuse } from '../../domain/refusal.ts';
import { DatabaseUnreachable, OutcomeUnknown } from '../../postgres/database.ts';
import type { ApiOperation } from './api-operation.ts';

const KEY = { 'x-api-key': VALID_KEY };
const Word = Type.Object({ word: Type.String() });

const routes: readonly ApiOperation[] = [
  routeOf({ path: '/things/:id/parts/:part' }, async ({ params, query }) => ({
    status: 200,
    message: 'Part found',
    data: { word: `${params.id} ${params.part} ${query.getAll('q').join('+')}`, secret: 'no' },
  })),
  routeOf({ path: '/things/status/:reference' }, async ({ params }) => ({
    status: 200,
    message: 'Found',
    data: { word: params.reference },
  })),
  routeOf(
    { method: 'POST', path: '/things', schema: { body: Type.Object({}), data: { 201: Word } } },
    async ({ header, requestId }) => ({
      status: 201,
      message: 'Thing made',
      data: { word: `${header('idempotency-key')} ${requestId}` },
      headers: { location: '/somewhere' },
    }),
  ),
  routeOf({ path: '/csv' }, async () => ({
    status: 200,
    contentType: 'text/csv; charset=utf-8',
    text: 'a,b\r\n',
  })),
  routeOf({ path: '/undeclared' }, async () => ({ status: 201, message: 'Odd', data: {} })),
  routeOf({ path: '/throws/:what' }, async ({ params }) => {
    throw THROWN[params.what ?? '']?.() ?? new Error('select secret from /etc/passwd');
  }),
  routeOf({ path: '/throws-at-once' }, () => {
    throw new Error('not even a promise');
  }),
];

const THROWN: Readonly<Record<string, () => unknown>> = {
  fields: () => refuse('VALIDATION_ERROR', { fields: [fieldProblem('amount', 'INVALID_AMOUNT')] }),
  duplicate: () => refuse('DUPLICATE_REFERENCE', { data: { transfer: { id: 7n } } }),
  unknown: () => new OutcomeUnknown(new Error('socket hang up')),
  unreachable: () => new DatabaseUnreachable(new Error('connect ECONNREFUSED')),
  patience: () => refuse('UNAVAILABLE', { retryAfterSeconds: 7 }),
  nothing: () => undefined,
};

describe('the merchant API', () => {
  let served: TestServer;
  before(async () => {
    served = await startServer(routes, {
      renderRefusalData: (data) =>
        JSON.parse(JSON.stringify(data, (_, v) => (typeof v === 'bigint' ? Number(v) : v))),
    });
  });
  after(() => served.stop());

  const get = (path: string, headers: Record<string, string> = KEY) =>
    served.send({ path: `/api/v1/payments${path}`, headers });

  it('wraps data in the envelope and sends no undeclared field', async () => {
    const reply = await get('/things/a%20b/parts/c%2Fd?q=1&q=%C3%A4');
    assert.equal(reply.status, 200);
    assert.equal(
      reply.text,
      '{"status":true,"message":"Part found","data":{"word":"a b c/d 1+ä"}}',
    );
    assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(reply.headers['cache-control'], 'no-store');
    assert.equal(reply.headers['x-content-type-options'], 'nosniff');
  });

  it('gives every answer a request id of its own, not the one that the client sent', async () => {
    const one = await get('/csv', { ...KEY, 'x-request-id': 'mine' });
    const two = await get('/nowhere', { 'x-request-id': 'mine' });
    assert.match(String(one.headers['x-request-id']), /^request-\d+$/);
    assert.match(String(two.headers['x-request-id']), /^request-\d+$/);
    assert.notEqual(one.headers['x-request-id'], two.headers['x-request-id']);
  });

  it('passes headers both ways and sends text unchanged', async () => {
    const made = await served.send({
      method: 'POST',
      path: '/api/v1/payments/things',
      headers: { ...KEY, 'content-type': 'application/json', 'idempotency-key': 'abc' },
      body: '{}',
    });
    assert.equal(made.status, 201);
    assert.equal(made.headers.location, '/somewhere');
    assert.equal(JSON.parse(made.text).data.word, `abc ${String(made.headers['x-request-id'])}`);
    const csv = await get('/csv');
    assert.equal(csv.text, 'a,b\r\n');
    assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8');
  });

  it('passes dots and long parameters to the operation', async () => {
    for (const [path, word] of [
      ['%2e%2e', '..'],
      ['..', '..'],
      ['.', '.'],
      ['%2E', '.'],
      ['a'.repeat(400), 'a'.repeat(400)],
      ['%61'.repeat(100), 'a'.repeat(100)],
    ]) {
      const reply = await get(`/things/status/${path}`);
      assert.equal(JSON.parse(reply.text).data.word, word);
    }
    assert.equal((await get(`/things/status/${'a'.repeat(401)}`)).status, 404);
  });

  it('answers a malformed path with 400 and the envelope', async () => {
    for (const path of ['/things/status/%', '/things/status/%zz', '/%ff']) {
      const reply = await get(path);
      assert.equal(reply.status, 400);
      assert.equal(JSON.parse(reply.text).data.error.code, 'BAD_REQUEST');
      assert.ok(reply.headers['x-request-id']);
    }
  });

  it('answers HEAD as GET without the body', async () => {
    const reply = await served.send({ method: 'HEAD', path: '/api/v1/payments/csv', headers: KEY });
    assert.equal(reply.status, 200);
    assert.equal(reply.headers['content-length'], '5');
    assert.equal(reply.text, '');
  });

  it('answers a refusal with its code, fields and advice', async () => {
    const reply = await get('/throws/fields');
    assert.equal(reply.status, 400);
    assert.equal(reply.headers['x-should-retry'], 'false');
    const { status, message, data } = JSON.parse(reply.text);
    assert.equal(status, false);
    assert.match(message, /Nothing was stored/);
    assert.equal(data.error.code, 'VALIDATION_ERROR');
    assert.equal(data.error.retryable, false);
    assert.equal(data.error.requestId, reply.headers['x-request-id']);
    assert.deepEqual(Object.keys(data.error.fields[0]), ['field', 'code', 'message']);
  });

  it('renders further data of a refusal', async () => {
    const { data } = JSON.parse((await get('/throws/duplicate')).text);
    assert.deepEqual(data.transfer, { id: 7 });
    assert.equal(data.error.code, 'DUPLICATE_REFERENCE');
  });

  it('says whether anything was stored if the database fails', async () => {
    const unknown = await get('/throws/unknown');
    assert.equal(unknown.status, 503);
    assert.equal(unknown.headers['retry-after'], '1');
    assert.equal(unknown.headers['x-should-retry'], 'true');
    assert.match(JSON.parse(unknown.text).message, /unknown.*reference/);
    const unreachable = await get('/throws/unreachable');
    assert.equal(unreachable.status, 503);
    assert.match(JSON.parse(unreachable.text).message, /Nothing was stored/);
    assert.equal((await get('/throws/patience')).headers['retry-after'], '7');
  });

  it('shows nothing of a bug but a request id', async () => {
    for (const path of ['/throws/bug', '/throws-at-once', '/undeclared', '/throws/nothing']) {
      const reply = await get(path);
      assert.equal(reply.status, 500);
      const { message, data } = JSON.parse(reply.text);
      assert.deepEqual(Object.keys(data), ['error']);
      assert.equal(data.error.code, 'INTERNAL_ERROR');
      assert.match(message, /reference/);
      assert.doesNotMatch(reply.text, /select|passwd|\.ts|at /);
    }
    assert.ok(served.logLines.some((line) => line.includes('serve-operation.test.ts')));
  });

  it('answers unknown paths with 404 without requiring a key', async () => {
    for (const path of ['/', '/things/', '/transfer', '/things/a/b', '/THINGS']) {
      const reply = await get(path, {});
      assert.equal(reply.status, 404, path);
      assert.equal(JSON.parse(reply.text).data.error.code, 'NOT_FOUND');
      assert.equal(reply.headers['x-should-retry'], 'false');
    }
  });
});
