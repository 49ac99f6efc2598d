import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { routeOf, startServer, type TestServer, VALID_KEY } from '../../../test/http-server.ts';
import { pollUntil } from '../../../test/poll.ts';

const PART = Buffer.alloc(1_024 * 1_024, 'x');
const PARTS = 60;
const HEADERS = { 'x-api-key': VALID_KEY };
const DOWNLOADS = { ofOwnerMax: 4, ofMerchantMax: 8, max: 10, timeMaxMs: 60_000 };

type Options = NonNullable<Parameters<typeof startServer>[1]>;

async function startSending(test: TestContext, options: Options = {}) {
  const counts = { read: 0, ended: 0 };
  async function* read(): AsyncGenerator<Buffer, undefined> {
    try {
      for (let part = 0; part < PARTS; part += 1) {
        counts.read += 1;
        yield PART;
      }
    } finally {
      counts.ended += 1;
    }
  }
  async function* fail(): AsyncGenerator<Buffer, undefined> {
    yield await Promise.reject(new Error('the first page cannot be read'));
  }
  async function* tear(): AsyncGenerator<Buffer, undefined> {
    yield PART;
    yield await Promise.reject(new Error('the second page cannot be read'));
  }
  const contentType = 'text/csv';
  const file = routeOf({ path: '/file', readsPage: true, answersWith: 'file' }, async () => ({
    status: 200,
    contentType,
    parts: read(),
  }));
  const broken = routeOf({ path: '/broken', operationId: 'sendBroken' }, async () => ({
    status: 200,
    contentType,
    parts: fail(),
  }));
  const torn = routeOf({ path: '/torn', operationId: 'sendTorn' }, async () => ({
    status: 200,
    contentType,
    parts: tear(),
  }));
  const list = routeOf({ path: '/list', operationId: 'list', readsPage: true }, async () => ({
    status: 200,
    message: 'Listed',
    data: { word: 'row' },
  }));
  const served = await startServer([file, broken, torn, list], options);
  test.after(() => served.stop());
  return { served, counts };
}

/** Asks for the file, and reads nothing of it yet. */
async function ask({ port }: TestServer, method = 'GET'): Promise<IncomingMessage> {
  const path = '/api/v1/payments/file';
  const asked = request({ port, path, method, headers: HEADERS, agent: false });
  asked.on('error', () => undefined);
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return response;
}

async function lengthOf(response: IncomingMessage): Promise<number> {
  let length = 0;
  for await (const chunk of response) length += chunk.length;
  return length;
}

describe('a file that is sent part by part', () => {
  it('is read no faster than its client reads, and not further when the client is gone', async (test) => {
    const { served, counts } = await startSending(test, { limits: { inactivityTimeoutMs: 300 } });
    await ask(served);
    await pollUntil('the client is cut', () => counts.ended === 1);
    // The kernel takes some megabytes.
    assert.ok(counts.read < PARTS / 2, `${counts.read} parts were read`);
    const leaving = await ask(served);
    leaving.destroy();
    await pollUntil('the reading ends', () => counts.ended === 2);
    assert.ok(counts.read < PARTS, `${counts.read} parts were read`);
  });

  it('may be larger than all answers that are not read, and drops none of these', async (test) => {
    const limits = { unreadBytesMax: 4 * PART.length };
    const { served } = await startSending(test, { limits });
    const waiting = await ask(served);
    assert.equal(await lengthOf(await ask(served)), PARTS * PART.length);
    assert.equal(await lengthOf(waiting), PARTS * PART.length);
  });

  it('takes no turn of a page while its client does not read', async (test) => {
    const { served, counts } = await startSending(test);
    const unread = [await ask(served), await ask(served), await ask(served), await ask(served)];
    const { status } = await served.send({ path: '/api/v1/payments/list', headers: HEADERS });
    assert.equal(status, 200);
    for (const response of unread) response.destroy();
    await pollUntil('all have ended', () => counts.ended === unread.length);
  });

  it('is refused past a few of an owner, of a merchant and in all, and gives its place back', async (test) => {
    const { served } = await startSending(test, {
      limits: { downloads: { ...DOWNLOADS, ofOwnerMax: 1 } },
    });
    const first = await ask(served);
    assert.equal((await ask(served)).statusCode, 429);
    first.destroy();
    await pollUntil('there is room', async () => (await ask(served)).statusCode === 200);
    const limits = { downloads: { ...DOWNLOADS, ofMerchantMax: 0 } };
    const ofMerchant = await startSending(test, { limits });
    assert.equal((await ask(ofMerchant.served)).statusCode, 429);
    const full = await startSending(test, { limits: { downloads: { ...DOWNLOADS, max: 0 } } });
    assert.equal((await ask(full.served)).statusCode, 503);
  });

  it('is cut when its client takes too long', async (test) => {
    const { served, counts } = await startSending(test, {
      limits: { downloads: { ...DOWNLOADS, timeMaxMs: 200 } },
    });
    await ask(served);
    await pollUntil('it is cut', () => counts.ended === 1);
  });

  it('is refused with the envelope where its first part cannot be read', async (test) => {
    const { served } = await startSending(test);
    const reply = await served.send({ path: '/api/v1/payments/broken', headers: HEADERS });
    assert.equal(reply.status, 500);
    assert.equal(JSON.parse(reply.text).data.error.code, 'INTERNAL_ERROR');
  });

  it('is not read for HEAD', async (test) => {
    const { served, counts } = await startSending(test);
    const response = await ask(served, 'HEAD');
    assert.deepEqual([response.statusCode, response.headers['content-type']], [200, 'text/csv']);
    assert.equal(await lengthOf(response), 0);
    assert.equal(counts.read, 0);
  });
});

/** Asks for a file as HTTP/1.0, and reads its first bytes. */
async function askOld({ port }: TestServer, path = 'file'): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET /api/v1/payments/${path} HTTP/1.0\r\nx-api-key: ${VALID_KEY}\r\n\r\n`);
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  const head = bytes.toString('latin1');
  assert.match(head, /^HTTP\/1\.1 200 /);
  assert.doesNotMatch(head, /transfer-encoding|content-length/i);
  return socket;
}

/** Reads the rest, and says how the connection ended. */
function endOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    socket.on('end', () => resolve('end'));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    socket.resume();
  });
}

describe('a file that is sent over HTTP/1.0, where it ends with its connection', () => {
  it('ends as usual when it is whole', async (test) => {
    const { served } = await startSending(test);
    const socket = await askOld(served);
    let length = 0;
    socket.on('data', (bytes) => (length += bytes.length));
    assert.equal(await endOf(socket), 'end');
    assert.ok(length > (PARTS - 1) * PART.length, `${length} bytes came`);
  });

  it('is reset when a later part cannot be read', async (test) => {
    const { served } = await startSending(test);
    assert.equal(await endOf(await askOld(served, 'torn')), 'ECONNRESET');
  });

  it('is reset when it takes too long', async (test) => {
    const { served, counts } = await startSending(test, {
      limits: { downloads: { ...DOWNLOADS, timeMaxMs: 200 } },
    });
    const socket = await askOld(served);
    await pollUntil('it is cut', () => counts.ended === 1);
    assert.equal(await endOf(socket), 'ECONNRESET');
  });

  it('is reset when its client does not read', async (test) => {
    const { served, counts } = await startSending(test, { limits: { inactivityTimeoutMs: 300 } });
    const socket = await askOld(served);
    await pollUntil('it is cut', () => counts.ended === 1);
    assert.equal(await endOf(socket), 'ECONNRESET');
  });

  it('is reset when the server stops before its end', async (test) => {
    const { served } = await startSending(test, { limits: { drainDeadlineMs: 100 } });
    const socket = await askOld(served);
    await served.server.drain();
    assert.equal(await endOf(socket), 'ECONNRESET');
  });

  it('is reset when its client ends its own side', async (test) => {
    const { served, counts } = await startSending(test);
    const socket = await askOld(served);
    socket.end();
    await pollUntil('it is cut', () => counts.ended === 1);
    assert.equal(await endOf(socket), 'ECONNRESET');
  });
});
