import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type LookupFunction, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { httpAnswer, type RawScript, startRawServer } from '../../test/fakes/raw-server.ts';
import { LOCALHOST_TLS } from '../../test/localhost-tls.ts';
import { pollUntil } from '../../test/poll.ts';
import type { ExchangeEnd, LineRequest } from './exchange.ts';
import { createHttpLine, type HttpLine, type LineOptions } from './http-line.ts';

const REQUEST: LineRequest = {
  method: 'POST',
  path: '/p',
  headers: {},
  body: '{}',
  timeoutMs: 60_000,
  readBytesMax: 64 * 1_024,
};
const OK: RawScript = (socket) => socket.write(httpAnswer(200, '{}'));

async function lineTo(
  t: TestContext,
  script: RawScript,
  options: Partial<LineOptions> & { tls?: Parameters<typeof startRawServer>[1] } = {},
) {
  const { tls, ...more } = options;
  const server = await startRawServer(script, tls);
  const line = createHttpLine({
    origin: server.baseUrl,
    connectionsMax: 1,
    keepAliveMs: 60_000,
    ...more,
  });
  t.after(async () => {
    line.destroy();
    await server.close();
  });
  return { server, line };
}

function codeOf(reply: ExchangeEnd): string {
  return reply.kind === 'answered'
    ? `answered ${reply.head.status}`
    : `${reply.kind} ${reply.code}`;
}

const send = async (line: HttpLine, change: Partial<LineRequest> = {}): Promise<string> =>
  codeOf(await line.send({ ...REQUEST, ...change }));

it("loads nothing that changes Node's own fetch", () => {
  assert.equal(Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.2')), undefined);
});

describe('connections', () => {
  it('stay usable after requests that cannot be written', async (t) => {
    const { server, line } = await lineTo(t, OK);
    const invalid = [
      { headers: { a: 'b\nc' } },
      { headers: { 'a b': 'c' } },
      { headers: { expect: '100-continue' } },
      { path: 'p' },
      { path: '/p q' },
    ];
    for (const change of invalid) {
      assert.equal(await send(line, change), 'notSent INVALID_REQUEST', JSON.stringify(change));
    }
    assert.equal(server.connections(), 0);
    assert.equal(await send(line), 'answered 200');
    // Now the request waits for the only connection, and is refused later.
    const first = send(line);
    const refused = send(line, { headers: { a: 'b\nc' } });
    const third = send(line);
    assert.deepEqual(await Promise.all([first, refused, third]), [
      'answered 200',
      'notSent INVALID_REQUEST',
      'answered 200',
    ]);
    assert.equal(server.connections(), 1);
  });

  it('are not ended by a request that waited until its deadline, nor made for it', async (t) => {
    let held: Socket | undefined;
    const { server, line } = await lineTo(t, (socket, { nth }) => {
      if (nth === 1) held = socket;
      else socket.write(httpAnswer(200, '{}'));
    });
    const slow = send(line);
    await pollUntil('the first request to arrive', () => held !== undefined);
    const late = [50, 60, 70].map((timeoutMs) => send(line, { timeoutMs, path: '/late' }));
    assert.deepEqual(new Set(await Promise.all(late)), new Set(['notSent DEADLINE']));
    held?.write(httpAnswer(200, '{}'));
    assert.equal(await slow, 'answered 200');
    assert.equal(await send(line), 'answered 200');
    assert.equal(server.connections(), 1);
    assert.doesNotMatch(server.received(), /late/);
  });

  it('are given up at the deadline while they are made, so that the next request makes its own', async (t) => {
    let isDeaf = true;
    const lookup: LookupFunction = (_name, options, done) => {
      if (isDeaf) return;
      if (options.all === true) done(null, [{ address: '127.0.0.1', family: 4 }]);
      else done(null, '127.0.0.1', 4);
    };
    const { server, line } = await lineTo(t, OK);
    const named = createHttpLine({
      origin: server.baseUrl.replace('127.0.0.1', 'operator.invalid'),
      connectionsMax: 1,
      keepAliveMs: 60_000,
      lookup,
    });
    t.after(() => named.destroy());
    // The second waits for the only connection, and its deadline is over before the first gives it up.
    const given = [send(named, { timeoutMs: 200 }), send(named, { timeoutMs: 50 })];
    assert.deepEqual(await Promise.all(given), ['notSent DEADLINE', 'notSent DEADLINE']);
    isDeaf = false;
    assert.equal(await send(named), 'answered 200');
    assert.equal(server.connections(), 1);
    assert.equal(line.underWay() + named.underWay(), 0);
  });

  it('are kept up to a limit, and used again', async (t) => {
    const waiting: Socket[] = [];
    const { server, line } = await lineTo(
      t,
      (socket, { request }) => {
        if (request.includes('/hold')) waiting.push(socket);
        else socket.write(httpAnswer(200, '{}'));
      },
      { connectionsMax: null, keptMax: 2 },
    );
    const held = Array.from({ length: 5 }, () => send(line, { path: '/hold' }));
    await pollUntil('all to arrive', () => waiting.length === 5);
    for (const socket of waiting) socket.write(httpAnswer(200, '{}'));
    await Promise.all(held);
    await pollUntil('three to end', () => server.ended() === 3);
    assert.equal(await send(line), 'answered 200');
    assert.equal(await send(line), 'answered 200');
    assert.deepEqual([server.connections(), server.ended()], [5, 3]);
  });

  it("are not kept for longer because of a server's Keep-Alive", async (t) => {
    const { server, line } = await lineTo(
      t,
      (socket) => socket.write(httpAnswer(200, '{}', { 'Keep-Alive': 'timeout=600' })),
      { keepAliveMs: 100 },
    );
    assert.equal(await send(line), 'answered 200');
    await pollUntil('the connection to end', () => server.ended() === 1);
  });

  it('end after their answers once the line is closed, and the line can still send', async (t) => {
    const held: Socket[] = [];
    const { server, line } = await lineTo(t, (socket) => held.push(socket));
    const first = send(line);
    const waiting = send(line);
    await pollUntil('the first to arrive', () => held.length === 1);
    line.close();
    held[0]?.write(httpAnswer(200, '{}'));
    await pollUntil('the second to arrive', () => held.length === 2);
    held[1]?.write(httpAnswer(200, '{}'));
    assert.deepEqual(await Promise.all([first, waiting]), ['answered 200', 'answered 200']);
    await pollUntil('the connection to end', () => server.ended() === 1);
    const later = send(line);
    await pollUntil('the last to arrive', () => held.length === 3);
    held[2]?.write(httpAnswer(200, '{}'));
    assert.equal(await later, 'answered 200');
    await pollUntil('its connection to end', () => server.ended() === 2);
  });

  it('all end at once when the line is destroyed', async (t) => {
    const { server, line } = await lineTo(t, () => undefined);
    const sent = send(line);
    const waiting = send(line);
    await pollUntil('the first to arrive', () => server.received() !== '');
    line.destroy();
    assert.deepEqual(await Promise.all([sent, waiting]), ['lost ECONNRESET', 'notSent ECONNRESET']);
    await pollUntil('the connection to end', () => server.ended() === 1);
    assert.equal(await send(line), 'notSent UND_ERR_DESTROYED');
    line.close();
    line.destroy();
  });
});

describe('answers', () => {
  it('may come after others that only announce them', async (t) => {
    const early = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
    const { line } = await lineTo(t, (socket) => socket.write(early + httpAnswer(201, '{}')));
    assert.equal(await send(line), 'answered 201');
  });

  it('that begin with an unasked 100 Continue are not read: the request is lost', async (t) => {
    const { line } = await lineTo(t, (socket) =>
      socket.write(`HTTP/1.1 100 Continue\r\n\r\n${httpAnswer(201, '{}')}`),
    );
    assert.equal(await send(line), 'lost NOT_HTTP');
  });

  it('are refused if their headers are too large', async (t) => {
    const header = { 'X-Long': 'x'.repeat(17_000) };
    const { line } = await lineTo(t, (socket) => socket.write(httpAnswer(200, '{}', header)));
    assert.equal(await send(line), 'lost HPE_HEADER_OVERFLOW');
  });

  it('that come before the request was sent are not taken for its answer', async (t) => {
    const { server, line } = await lineTo(t, (socket, { nth }) => {
      socket.write(httpAnswer(200, '{}') + (nth === 1 ? httpAnswer(204, '') : ''));
    });
    assert.equal(await send(line), 'answered 200');
    await pollUntil('the connection to end', () => server.ended() === 1);
    assert.equal(await send(line), 'answered 200');
  });
});

it('does not offer HTTP/2', async (t) => {
  const tls = { ...LOCALHOST_TLS, ALPNProtocols: ['h2', 'http/1.1'] };
  const { server, line } = await lineTo(t, OK, { tls: { tls }, ca: LOCALHOST_TLS.cert });
  assert.equal(await send(line), 'answered 200');
  assert.match(server.received(), /^POST \/p HTTP\/1\.1\r\n/);
});

/** A proxy that ends both sides after so many bytes from the client. */
async function startCuttingProxy(t: TestContext, port: number, bytes: number) {
  const sockets: Socket[] = [];
  const proxy = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    sockets.push(near, far);
    let left = bytes;
    near.on('error', () => undefined).on('close', () => far.destroy());
    far.on('error', () => undefined).on('close', () => near.destroy());
    far.on('data', (chunk) => near.write(chunk));
    near.on('data', (chunk) => {
      const piece = chunk.subarray(0, left);
      left -= piece.length;
      far.write(piece, () => {
        if (left === 0) near.resetAndDestroy();
      });
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const address = proxy.address();
  assert.ok(typeof address === 'object' && address !== null);
  return `https://localhost:${address.port}`;
}

it('over TLS, a cut anywhere is "not sent" only if the server got nothing', async (t) => {
  const server = await startRawServer(OK, { tls: LOCALHOST_TLS });
  t.after(() => server.close());
  const port = Number(new URL(server.baseUrl).port);
  const kinds = new Map<string, string>();
  // From the middle of the handshake to past the end of the request.
  for (let bytes = 40; bytes <= 2_600; bytes += 64) {
    const origin = await startCuttingProxy(t, port, bytes);
    const line = createHttpLine({
      origin,
      connectionsMax: 1,
      keepAliveMs: 60_000,
      ca: LOCALHOST_TLS.cert,
    });
    const path = `/cut-after-${bytes}`;
    const { kind } = await line.send({ ...REQUEST, path });
    kinds.set(path, kind);
    line.destroy();
  }
  for (const [path, kind] of kinds) {
    const times = server.received().split(`POST ${path} `).length - 1;
    assert.ok(times <= 1 && !(times > 0 && kind === 'notSent'), `${path}: ${times}, ${kind}`);
  }
  const seen = new Set(kinds.values());
  assert.ok(seen.has('notSent') && seen.has('answered'), [...seen].join());
});
