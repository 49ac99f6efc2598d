import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Type } from 'typebox';
import { routeOf, startServer, type TestServer, VALID_KEY } from '../../../test/http-server.ts';
import { isJsonInUtf8 } from './read-body.ts';

const Word = Type.Object({ word: Type.String() });
const JSON_HEADERS = { 'x-api-key': VALID_KEY, 'content-type': 'application/json' };
const BODY_BYTES_MAX = 16_384;

const needs = routeOf(
  {
    method: 'POST',
    path: '/needs',
    schema: { body: Type.Object({ given: Type.String() }), data: { 201: Word } },
  },
  async ({ body }) => ({
    status: 201,
    message: 'Read',
    data: { word: [...(body?.keys() ?? [])].join() },
  }),
);
const mayHave = routeOf(
  {
    method: 'POST',
    path: '/may-have',
    operationId: 'mayHave',
    schema: { body: Type.Object({ given: Type.Optional(Type.String()) }), data: { 200: Word } },
  },
  async ({ body }) => ({ status: 200, message: 'Read', data: { word: String(body?.size) } }),
);
const needsNone = routeOf(
  { method: 'POST', path: '/none', operationId: 'none' },
  async ({ body }) => ({ status: 200, message: 'Read', data: { word: String(body?.size) } }),
);

describe('the body of a request', () => {
  let served: TestServer;
  before(async () => {
    served = await startServer([needs, mayHave, needsNone], { limits: { lingerMs: 200 } });
  });
  after(() => served.stop());

  async function post(
    body: string | Buffer,
    headers: Record<string, string> = JSON_HEADERS,
    path = '/needs',
  ) {
    const reply = await served.send({
      method: 'POST',
      path: `/api/v1/payments${path}`,
      headers,
      body,
    });
    const { message, data } = JSON.parse(reply.text);
    return {
      ...reply,
      message,
      code: data.error?.code,
      word: data.word,
      fields: data.error?.fields,
    };
  }

  it('is one JSON object in UTF-8', async () => {
    assert.equal((await post('{"ä":1,"b":[]}')).word, 'ä,b');
    for (const body of ['', ' ', '[]', '1', 'null', '{"a":1}{}', '{"a":1,"a":2}', "{'a':1}"]) {
      const reply = await post(body);
      assert.equal(reply.status, 400, body);
      assert.equal(reply.code, 'INVALID_JSON', body);
      assert.match(reply.message, /Nothing was stored/);
    }
    assert.equal((await post(Buffer.from([0x7b, 0xff, 0x7d]))).code, 'INVALID_JSON');
    assert.equal((await post(`${'{"a":'.repeat(8)}1${'}'.repeat(8)}`)).status, 201);
    assert.equal((await post(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`)).code, 'INVALID_JSON');
  });

  it('is at most 16 KiB', async () => {
    const filled = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;
    assert.equal((await post(filled(BODY_BYTES_MAX))).status, 201);
    const reply = await post(filled(BODY_BYTES_MAX + 1));
    assert.equal(reply.status, 413);
    assert.equal(reply.code, 'BODY_TOO_LARGE');
    assert.equal(reply.headers.connection, 'close');
    assert.equal((await post(filled(300_000))).status, 413);
  });

  it('may come in chunks, with the same limit', async () => {
    const chunked = { ...JSON_HEADERS, 'transfer-encoding': 'chunked' };
    assert.equal((await post('{"a":1}', chunked)).word, 'a');
    assert.equal((await post(`{"a":"${'x'.repeat(20_000)}"}`, chunked)).status, 413);
  });

  it('that never ends is cut off while the client still sends', async () => {
    const socket = connect(served.port, '127.0.0.1');
    socket.on('error', () => undefined);
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.write(
      `POST /api/v1/payments/needs HTTP/1.1\r\nhost: x\r\nx-api-key: ${VALID_KEY}\r\n` +
        'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    );
    const chunk = `1000\r\n${' '.repeat(4096)}\r\n`;
    const pump = setInterval(() => socket.write(chunk), 1);
    await once(socket, 'close');
    clearInterval(pump);
    assert.match(answer, /^HTTP\/1\.1 413 /);
    assert.match(answer, /BODY_TOO_LARGE/);
  });

  it('that is too large still gets its answer to a client that reads only after sending', async () => {
    const socket = connect(served.port, '127.0.0.1');
    socket.on('error', () => undefined);
    let answer = '';
    const body = ' '.repeat(2_000_000);
    socket.write(
      `POST /api/v1/payments/needs HTTP/1.1\r\nhost: x\r\nx-api-key: ${VALID_KEY}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.write(body, resolve));
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    await once(socket, 'close');
    assert.match(answer, /^HTTP\/1\.1 413 /);
  });

  it('is never decompressed', async () => {
    const zeros = Buffer.alloc(100_000);
    for (const [encoding, body] of [
      ['gzip', gzipSync(zeros)],
      ['br', brotliCompressSync(zeros)],
      ['deflate', Buffer.from('{}')],
      ['identity, gzip', Buffer.from('{}')],
    ] as const) {
      const reply = await post(body, { ...JSON_HEADERS, 'content-encoding': encoding });
      assert.equal(reply.status, 415, encoding);
      assert.equal(reply.code, 'UNSUPPORTED_MEDIA_TYPE');
    }
    assert.equal(
      (await post('{}', { ...JSON_HEADERS, 'content-encoding': 'Identity' })).status,
      201,
    );
  });

  it('must have the content type of JSON', async () => {
    const typed = (type: string) => post('{}', { ...JSON_HEADERS, 'content-type': type });
    assert.equal((await typed('Application/JSON; Charset=UTF-8')).status, 201);
    assert.equal((await typed('text/plain')).status, 415);
    assert.equal((await post('{}', { 'x-api-key': VALID_KEY })).status, 415);
  });

  it('may be absent where no field is required, and is read where it is there', async () => {
    const key = { 'x-api-key': VALID_KEY };
    assert.equal((await post('', key, '/may-have')).word, 'undefined');
    assert.equal((await post('', JSON_HEADERS, '/may-have')).word, 'undefined');
    assert.equal((await post('{"given":"x"}', JSON_HEADERS, '/may-have')).word, '1');
    assert.equal((await post('{"given":"x"}', key, '/may-have')).code, 'UNSUPPORTED_MEDIA_TYPE');
    assert.equal((await post('{"given"', JSON_HEADERS, '/may-have')).code, 'INVALID_JSON');
  });

  it('may be absent where none is needed', async () => {
    const key = { 'x-api-key': VALID_KEY };
    assert.equal((await post('', key, '/none')).word, 'undefined');
    assert.equal((await post('{}', key, '/none')).word, '0');
    assert.equal((await post('{}', JSON_HEADERS, '/none')).word, '0');
    assert.equal((await post('{}', { ...key, 'content-type': 'text/xml' }, '/none')).status, 415);
    const unknown = await post('{"force":true}', JSON_HEADERS, '/none');
    assert.equal(unknown.status, 400);
    assert.deepEqual(
      unknown.fields.map(({ field, code }: { field: string; code: string }) => [field, code]),
      [['force', 'UNKNOWN_FIELD']],
    );
  });

  it('gets no 100 Continue if the request is refused anyway', async () => {
    const head = (key: string, length: number) =>
      `POST /api/v1/payments/needs HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${length}\r\nexpect: 100-continue\r\n\r\n`;
    assert.match(await served.exchange(head('wrong', 2)), /^HTTP\/1\.1 401 /);
    assert.match(await served.exchange(head(VALID_KEY, 20_000)), /^HTTP\/1\.1 413 /);
    const socket = connect(served.port, '127.0.0.1');
    socket.write(head(VALID_KEY, 2));
    const [first] = await once(socket, 'data');
    assert.match(String(first), /^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    socket.write('{}');
    const [second] = await once(socket, 'data');
    assert.match(String(second), /^HTTP\/1\.1 201 /);
    socket.destroy();
  });

  it('that breaks off leaves nothing behind and is not logged as an error', async () => {
    const linesBefore = served.logLines.length;
    const socket = connect(served.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `POST /api/v1/payments/needs HTTP/1.1\r\nhost: x\r\nx-api-key: ${VALID_KEY}\r\n` +
        'content-type: application/json\r\ncontent-length: 100\r\n\r\n{"half":',
    );
    socket.end();
    socket.resume();
    await once(socket, 'close');
    while (served.logLines.length === linesBefore) await new Promise(setImmediate);
    const line = JSON.parse(served.logLines.at(-1) ?? '');
    assert.equal(line.status, 499);
    assert.equal(line.level, 'debug');
  });
});

describe('isJsonInUtf8', () => {
  it('accepts application/json with no parameter but a charset of UTF-8', () => {
    for (const type of [
      'application/json',
      'APPLICATION/JSON',
      'application/json;charset=utf-8',
      'application/json ; charset="UTF-8"',
      'application/json;',
    ]) {
      assert.equal(isJsonInUtf8(type), true, type);
    }
    for (const type of [
      '',
      'application/jsonx',
      'application/json+x',
      'text/json',
      'application/json; charset=latin1',
      'application/json; charset=utf-8; profile=x',
      'application/json, text/plain',
      'application/x-www-form-urlencoded',
    ]) {
      assert.equal(isJsonInUtf8(type), false, type);
    }
  });
});
