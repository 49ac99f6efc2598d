import assert from 'node:assert/strict';
import { once } from 'node:events';
import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setImmediate as nextImmediate } from 'node:timers/promises';
import { Type } from 'typebox';
import { routeOf, startServer, type TestServer, VALID_KEY } from '../../../test/http-server.ts';
import { pollUntil } from '../../../test/poll.ts';

const Word = Type.Object({ word: Type.String() });
const POST_HEAD = `POST /api/v1/payments/things HTTP/1.1\r\nhost: x\r\nx-api-key: ${VALID_KEY}\r\ncontent-type: application/json\r\n`;

let made = 0;
let release: () => void = () => undefined;
const make = routeOf(
  { method: 'POST', schema: { body: Type.Object({}), data: { 201: Word } } },
  async () => ({ status: 201, message: 'Made', data: { word: String((made += 1)) } }),
);
const get = routeOf({ path: '/things/:id', operationId: 'get' }, async ({ params }) => ({
  status: 200,
  message: 'Got',
  data: { word: params.id },
}));
const wait = routeOf({ path: '/wait', operationId: 'wait' }, async () => {
  await new Promise<void>((resolve) => {
    release = resolve;
  });
  return { status: 200, message: 'Waited', data: { word: 'late' } };
});

/** Every answer in the received text, as status and code. */
function answersIn(text: string): string[] {
  return text
    .split(/(?=HTTP\/1\.1 \d)/)
    .map((part) => `${part.slice(9, 12)} ${/"code":"(\w+)"/.exec(part)?.[1] ?? ''}`.trim());
}

describe('the HTTP server', () => {
  let served: TestServer;
  before(async () => {
    served = await startServer([make, get, wait], {
      limits: {
        headersTimeoutMs: 300,
        requestTimeoutMs: 600,
        checkIntervalMs: 50,
        keepAliveTimeoutMs: 300,
        lingerMs: 200,
      },
    });
  });
  after(() => served.stop());

  it('survives a client that sends CONNECT and resets the connection', async () => {
    const before = process.listeners('uncaughtException');
    const uncaught: unknown[] = [];
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', (error) => uncaught.push(error));
    try {
      for (let tries = 0; tries < 20; tries += 1) {
        const socket = connect({ port: served.port, host: '127.0.0.1' });
        socket.on('error', () => undefined);
        socket.write('CONNECT x:22 HTTP/1.1\r\nhost: x\r\n\r\n');
        await once(socket, 'data');
        socket.resetAndDestroy();
        // The server handles the reset before this request, because it arrived earlier.
        assert.equal((await served.send({ method: 'GET', path: '/health/live' })).status, 200);
      }
      assert.deepEqual(uncaught, []);
    } finally {
      process.removeAllListeners('uncaughtException');
      for (const listener of before) process.on('uncaughtException', listener);
    }
  });

  it('answers 405 with Allow to every method a known path does not take', async () => {
    for (const method of METHODS.filter((name) => name !== 'POST' && name !== 'CONNECT')) {
      const reply = await served.send({ method, path: '/api/v1/payments/things?x=1' });
      assert.equal(reply.status, 405, method);
      assert.equal(reply.headers.allow, 'POST');
      if (method !== 'HEAD')
        assert.equal(answersIn(`HTTP/1.1 405 ${reply.text}`)[0], '405 METHOD_NOT_ALLOWED');
    }
    const other = await served.send({ method: 'DELETE', path: '/api/v1/payments/things/7' });
    assert.equal(other.headers.allow, 'GET, HEAD');
    assert.equal((await served.send({ method: 'POST', path: '/health/live' })).status, 405);
    const unnamed = await served.send({ method: 'DELETE', path: '/api/v1/payments/things/' });
    assert.equal(unnamed.status, 404);
    const connected = await served.exchange('CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n');
    assert.deepEqual(answersIn(connected), ['405 METHOD_NOT_ALLOWED']);
    assert.match(connected, /^allow: /m);
  });

  it('refuses requests that another server could read as two (request smuggling)', async () => {
    const before = made;
    const smuggled = 'POST /x HTTP/1.1\r\nhost: x\r\n\r\n';
    for (const request of [
      `${POST_HEAD}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
      `${POST_HEAD}transfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n{}`,
      `${POST_HEAD}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
      `${POST_HEAD}content-length: 2\r\ncontent-length: 2\r\n\r\n{}`,
      `${POST_HEAD}content-length: +2\r\n\r\n{}`,
      `${POST_HEAD}transfer-encoding: gzip, chunked\r\ntransfer-encoding: identity\r\n\r\n{}`,
      `${POST_HEAD}transfer-encoding : chunked\r\n\r\n0\r\n\r\n`,
      `${POST_HEAD}content-length: 2\n\n{}`,
    ]) {
      assert.deepEqual(answersIn(await served.exchange(request)), ['400 BAD_REQUEST'], request);
    }
    assert.equal(made, before);
  });

  it('refuses requests that a proxy may interpret differently', async () => {
    const before = made;
    for (const request of [
      `${POST_HEAD}transfer-encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      `${POST_HEAD}host: y\r\ncontent-length: 2\r\n\r\n{}`,
      `${POST_HEAD}HOST: x\r\ncontent-length: 2\r\n\r\n{}`,
      'GET /health/live\r\n\r\n',
      'GET /health/live HTTP/0.9\r\n\r\n',
    ]) {
      const text = await served.exchange(request);
      assert.deepEqual(answersIn(text), ['400 BAD_REQUEST'], request);
      assert.match(text, /\r\nconnection: close\r\n/i);
    }
    assert.equal(made, before);
    const chunked = `${POST_HEAD}transfer-encoding: Chunked\r\nconnection: close\r\n\r\n`;
    assert.deepEqual(answersIn(await served.exchange(`${chunked}2\r\n{}\r\n0\r\n\r\n`)), ['201']);
  });

  it('answers malformed HTTP with the envelope and closes', async () => {
    for (const request of [
      'nonsense\r\n\r\n',
      'GET / HTTP/1.1\r\nno colon\r\n\r\n',
      'GET /\0 HTTP/1.1\r\nhost: x\r\n\r\n',
      'GET / HTTP/1.1\r\nhost: x\r\na: \0\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'GET /api/v1/payments/things/1 HTTP/1.1\r\n\r\n',
    ]) {
      const text = await served.exchange(request);
      assert.deepEqual(answersIn(text), ['400 BAD_REQUEST'], request);
      assert.match(text, /\r\nx-request-id: request-\d+\r\n/);
      assert.match(text, /\r\nconnection: close\r\n/i);
      const [head = '', body = ''] = text.split('\r\n\r\n');
      assert.match(head, new RegExp(`content-length: ${Buffer.byteLength(body)}`));
      assert.equal(JSON.parse(body).status, false);
    }
  });

  it('limits headers in size and number', async () => {
    const get = `GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n`;
    const big = `${get}a: ${'x'.repeat(17_000)}\r\n\r\n`;
    assert.deepEqual(answersIn(await served.exchange(big)), ['431 HEADERS_TOO_LARGE']);
    const many = `${get}${'a: b\r\n'.repeat(99)}\r\n`;
    assert.deepEqual(answersIn(await served.exchange(many)), ['431 HEADERS_TOO_LARGE']);
    const enough = `${get}${'a: b\r\n'.repeat(98)}\r\n`;
    assert.deepEqual(answersIn(await served.exchange(enough)), ['200']);
  });

  it('ends connections with slow headers, slow bodies or no bytes at all', async () => {
    const started = performance.now();
    const [silent, slowHeaders, slowBody, withoutBody] = await Promise.all([
      served.exchange(''),
      served.exchange('GET /health/live HTTP/1.1\r\nhost: x\r\n'),
      served.exchange(`${POST_HEAD}content-length: 100\r\n\r\n{`),
      served.exchange(`${POST_HEAD}content-length: 100\r\n\r\n`),
    ]);
    assert.deepEqual(answersIn(silent), ['408 REQUEST_TIMEOUT']);
    assert.deepEqual(answersIn(slowHeaders), ['408 REQUEST_TIMEOUT']);
    assert.deepEqual(answersIn(slowBody), ['408 REQUEST_TIMEOUT']);
    assert.deepEqual(answersIn(withoutBody), ['408 REQUEST_TIMEOUT']);
    assert.ok(performance.now() - started < 3_000);
  });

  it('ends a connection that sends single bytes slowly, as it ends a silent one', async () => {
    const socket = connect(served.port, '127.0.0.1');
    socket.on('error', () => undefined);
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.write('GET /health/live HTTP/1.1\r\n');
    const drip = setInterval(() => socket.write('a: b\r\n'), 20);
    await once(socket, 'close');
    clearInterval(drip);
    assert.deepEqual(answersIn(answer), ['408 REQUEST_TIMEOUT']);
  });

  it('closes connections that stay idle', async () => {
    const text = await served.exchange('GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n');
    assert.deepEqual(answersIn(text), ['200']);
  });

  it('answers pipelined requests in their order', async () => {
    const before = made;
    const post = `${POST_HEAD}content-length: 2\r\n\r\n{}`;
    const last = `${POST_HEAD}connection: close\r\ncontent-length: 2\r\n\r\n{}`;
    const text = await served.exchange(post.repeat(9) + last);
    const words = [...text.matchAll(/"word":"(\d+)"/g)].map(([, word]) => Number(word));
    assert.deepEqual(
      words,
      Array.from({ length: 10 }, (_, index) => before + index + 1),
    );
  });

  it('never sends the error of a broken request in place of the answer to the one before', async () => {
    const text = await served.exchange(
      `GET /api/v1/payments/wait HTTP/1.1\r\nhost: x\r\nx-api-key: ${VALID_KEY}\r\n\r\nnonsense\r\n\r\n`,
    );
    assert.equal(text, '');
    release();
  });

  it('ignores requests after an answer that ended the connection', async () => {
    const before = made;
    const text = await served.exchange(
      `${POST_HEAD}content-length: 20000\r\n\r\n${' '.repeat(20_000)}${POST_HEAD}content-length: 2\r\n\r\n{}`,
    );
    assert.deepEqual(answersIn(text), ['413 BODY_TOO_LARGE']);
    assert.equal(made, before);
  });

  it('accepts absolute URLs, and ignores upgrades and unknown expectations', async () => {
    const rest = `host: x\r\nconnection: close\r\n\r\n`;
    for (const [request, answer] of [
      [`GET http://x/health/live HTTP/1.1\r\n${rest}`, '200'],
      [`GET http://x?a HTTP/1.1\r\n${rest}`, '302'],
      [`OPTIONS * HTTP/1.1\r\n${rest}`, '404 NOT_FOUND'],
      [`GET /health/live HTTP/1.1\r\nexpect: something\r\n${rest}`, '200'],
      ['GET /health/live HTTP/1.0\r\n\r\n', '200'],
    ] as const) {
      assert.deepEqual(answersIn(await served.exchange(request)), [answer], request);
    }
    const upgrade = await served.exchange(
      'GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    );
    assert.deepEqual(answersIn(upgrade), ['200']);
  });
});

describe('a client that does not read its answer', () => {
  it('loses its connection after a time without progress', async () => {
    const huge = routeOf({ path: '/huge' }, async () => ({
      status: 200,
      contentType: 'text/plain',
      text: 'x'.repeat(30_000_000),
    }));
    const served = await startServer([huge], { limits: { inactivityTimeoutMs: 200 } });
    const socket = connect(served.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `GET /api/v1/payments/huge HTTP/1.1\r\nhost: x\r\nx-api-key: ${VALID_KEY}\r\n\r\n`,
    );
    while (served.logLines.length === 0) await new Promise(setImmediate);
    assert.equal(JSON.parse(served.logLines[0] ?? '').status, 499);
    socket.destroy();
    await served.stop();
  });
});

describe('a call that is worked on for longer than a connection may be silent', () => {
  const inactivityTimeoutMs = 100;

  /** Sends a call and ends its work once the timer of its connection has expired. */
  async function callSlowly(test: TestContext, text: string) {
    const slow = routeOf({ path: '/slow' }, async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return { status: 200, contentType: 'text/plain', text };
    });
    const served = await startServer([slow], {
      limits: { inactivityTimeoutMs, keepAliveTimeoutMs: 200 },
    });
    test.after(() => served.stop());
    let expired = 0;
    served.server.nodeServer.on('connection', (socket) => {
      // Node.js has its own listener before this one.
      socket.on('timeout', () => {
        expired += 1;
        if (expired === 1) release();
      });
    });
    const request = `GET /api/v1/payments/slow HTTP/1.1\r\nhost: x\r\nx-api-key: ${VALID_KEY}\r\n\r\n`;
    return { served, request };
  }

  it('is answered, and its connection ends when it is idle', async (test) => {
    const { served, request } = await callSlowly(test, 'done');
    const received = await served.exchange(request);
    assert.deepEqual(answersIn(received), ['200']);
    assert.match(received, /done$/);
  });

  it('loses its connection if its client does not read the answer', async (test) => {
    const { served, request } = await callSlowly(test, 'x'.repeat(30_000_000));
    const socket = connect(served.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(request);
    await pollUntil('the call ends', () => served.logLines.length > 0);
    const { status, elapsedMs } = JSON.parse(served.logLines[0] ?? '');
    assert.equal(status, 499);
    assert.ok(elapsedMs >= 1.8 * inactivityTimeoutMs, `cut after ${elapsedMs} ms`);
    socket.destroy();
  });
});

describe('a connection that may be idle for 1.1 s', () => {
  /** Node.js adds a second. */
  const keepAliveTimeoutMs = 100;
  const request = `GET /api/v1/payments/things/7 HTTP/1.1\r\nhost: x\r\nx-api-key: ${VALID_KEY}\r\n\r\n`;

  it('gets its answer if the request came in time and the process paused until later', async (test) => {
    const served = await startServer([get], { limits: { keepAliveTimeoutMs } });
    test.after(() => served.stop());
    const socket = connect(served.port, '127.0.0.1');
    let received = '';
    socket.on('data', (bytes) => (received += bytes.toString()));
    socket.write(request);
    await pollUntil('the first answer', () => received.includes('"word":"7"'));
    received = '';
    // The client's system sends this at once; nothing else runs then until the connection has been idle for too long.
    // After an immediate, as after what came from a socket, timers are next.
    await nextImmediate();
    socket.write(request);
    const untilMs = performance.now() + 1_500;
    while (performance.now() < untilMs);
    await pollUntil('the second answer or the end', () => socket.closed || received !== '');
    assert.deepEqual(answersIn(received), ['200']);
    socket.destroy();
  });
});

describe('a server with few connections', () => {
  it('refuses further ones and recovers', async () => {
    const served = await startServer([], { limits: { connectionsMax: 2 } });
    const open = [connect(served.port, '127.0.0.1'), connect(served.port, '127.0.0.1')];
    await Promise.all(open.map((socket) => once(socket, 'connect')));
    await assert.rejects(served.send({ path: '/health/live' }));
    for (const socket of open) socket.destroy();
    let status = 0;
    while (status !== 200) {
      status = await served.send({ path: '/health/live' }).then(
        (reply) => reply.status,
        () => 0,
      );
    }
    await served.stop();
  });
});
