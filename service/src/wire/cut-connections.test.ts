import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import type { ExchangeEnd, LineRequest } from './exchange.ts';
import { createHttpLine, type HttpLine } from './http-line.ts';

const REQUEST: LineRequest = {
  method: 'POST',
  path: '/p',
  headers: { 'x-id': '1' },
  body: '{"n":1}',
  timeoutMs: 60_000,
  readBytesMax: 1_024,
};
const ANSWER = 'HTTP/1.1 202 X\r\nContent-Length: 7\r\n\r\n{"s":1}';
const CHUNKED =
  'HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{"s\r\n4\r\n":1}\r\n0\r\n\r\n';
const UNTIL_THE_END = 'HTTP/1.1 200 X\r\n\r\n{"s":1}';

type Way = 'close' | 'reset';
/** What the server does with the next request: it ends the connection after so many bytes of it, or of the answer. */
type Cut = Readonly<{ way: Way; of: 'request' | 'answer'; bytes: number; answer: string }>;

/** A server that counts every request whose first byte arrives, on whichever connection. */
async function startCuttingServer(t: TestContext) {
  let cut: Cut | undefined;
  let begun = 0;
  const sockets = new Set<Socket>();

  function end(socket: Socket, way: Way): void {
    if (way === 'reset') socket.resetAndDestroy();
    else socket.end();
  }

  function answer(socket: Socket, { way, bytes, answer: text }: Cut): void {
    const part = text.slice(0, bytes);
    if (part === '') end(socket, way);
    else socket.write(part, () => end(socket, way));
  }

  function read(socket: Socket, seen: { text: string; cut: boolean }): void {
    if (seen.cut) return void socket.read();
    const wanted = cut?.of === 'request' ? cut.bytes - seen.text.length : undefined;
    if (wanted !== undefined && socket.readableLength < wanted) return;
    const chunk = socket.read(wanted) as Buffer | null;
    if (chunk === null) return;
    if (seen.text === '') begun += 1;
    seen.text += chunk.toString();
    if (cut === undefined) {
      if (!seen.text.endsWith(REQUEST.body ?? '')) return;
      seen.text = '';
      socket.write(ANSWER);
      return;
    }
    if (cut.of === 'answer' && !seen.text.endsWith(REQUEST.body ?? '')) return;
    seen.cut = true;
    if (cut.of === 'answer') answer(socket, cut);
    else end(socket, cut.way);
    // What comes now comes again, and is answered like any other.
    cut = undefined;
  }

  const server = createServer((socket) => {
    const seen = { text: '', cut: false };
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => undefined);
    if (cut?.of === 'request' && cut.bytes === 0) {
      seen.cut = true;
      end(socket, cut.way);
      cut = undefined;
      return;
    }
    socket.on('readable', () => read(socket, seen));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return {
    origin: `http://127.0.0.1:${address.port}`,
    begun: () => begun,
    cutNext(next: Cut): void {
      cut = next;
    },
    /** Ends the connections that are open, while the client thinks that they are kept. */
    endAll(way: Way): void {
      for (const socket of sockets) end(socket, way);
    },
  };
}

type CuttingServer = Awaited<ReturnType<typeof startCuttingServer>>;

function lineTo(t: TestContext, { origin }: CuttingServer): HttpLine {
  const line = createHttpLine({ origin, connectionsMax: 1, keepAliveMs: 60_000 });
  t.after(() => line.destroy());
  return line;
}

async function answered(line: HttpLine): Promise<void> {
  const reply = await line.send(REQUEST);
  assert.equal(reply.kind, 'answered', JSON.stringify(reply));
}

/** The bytes of the request as they are sent to this server. */
async function requestText(t: TestContext): Promise<number> {
  const received: Buffer[] = [];
  const server = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        received.push(chunk);
        if (String(chunk).endsWith(REQUEST.body ?? '')) socket.end(ANSWER);
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const line = createHttpLine({
    origin: `http://127.0.0.1:${address.port}`,
    connectionsMax: 1,
    keepAliveMs: 60_000,
  });
  await answered(line);
  line.destroy();
  return Buffer.concat(received).length;
}

for (const connection of ['new', 'kept'] as const) {
  for (const way of ['close', 'reset'] as const) {
    describe(`a ${way} on a ${connection} connection`, () => {
      const send = async (
        t: TestContext,
        server: CuttingServer,
        cut: Cut,
      ): Promise<ExchangeEnd> => {
        const line = lineTo(t, server);
        if (connection === 'kept') await answered(line);
        const before = server.begun();
        server.cutNext(cut);
        const reply = await line.send(REQUEST);
        if (reply.kind !== 'answered' && reply.kind !== 'notSent') {
          assert.equal(reply.wasKept, connection === 'kept');
        }
        // On the same line: a request that the line repeats would arrive before this one.
        await answered(line);
        const times = server.begun() - before - 1;
        assert.ok(times <= 1, `it was sent ${times} times`);
        assert.ok(times === 0 || reply.kind !== 'notSent', 'it was sent');
        line.destroy();
        return reply;
      };

      it('after each byte of the request: it was sent once, and is lost', async (t) => {
        const server = await startCuttingServer(t);
        const length = await requestText(t);
        for (let bytes = 1; bytes <= length; bytes += 1) {
          const { kind } = await send(t, server, { way, of: 'request', bytes, answer: '' });
          assert.equal(kind, 'lost', `after ${bytes} bytes of ${length}`);
        }
      });

      it('after each byte of the answer: it was sent once, and is lost until the last', async (t) => {
        const server = await startCuttingServer(t);
        for (const answer of [ANSWER, CHUNKED]) {
          for (let bytes = 0; bytes < answer.length; bytes += 1) {
            const { kind } = await send(t, server, { way, of: 'answer', bytes, answer });
            assert.equal(kind, 'lost', `after ${JSON.stringify(answer.slice(0, bytes))}`);
          }
        }
        const whole = { way: 'close', of: 'answer', bytes: ANSWER.length, answer: ANSWER } as const;
        assert.equal((await send(t, server, whole)).kind, 'answered');
      });
    });
  }
}

it('an answer without a length ends by a close, and is lost by a reset', async (t) => {
  const server = await startCuttingServer(t);
  const cut = { of: 'answer', answer: UNTIL_THE_END } as const;
  for (let bytes = 0; bytes <= UNTIL_THE_END.length; bytes += 1) {
    const line = lineTo(t, server);
    server.cutNext({ ...cut, way: 'reset', bytes });
    assert.equal((await line.send(REQUEST)).kind, 'lost', `${bytes} bytes`);
    line.destroy();
  }
  const line = lineTo(t, server);
  server.cutNext({ ...cut, way: 'close', bytes: UNTIL_THE_END.length });
  const reply = await line.send(REQUEST);
  assert.equal(reply.kind === 'answered' && String(reply.body), '{"s":1}');
});

for (const way of ['close', 'reset'] as const) {
  it(`a ${way} before the first byte: "not sent" is true, and nothing is sent twice`, async (t) => {
    const server = await startCuttingServer(t);
    for (let round = 0; round < 60; round += 1) {
      const line = lineTo(t, server);
      const isKept = round % 2 === 1;
      const before = server.begun() + (isKept ? 1 : 0);
      if (isKept) {
        await answered(line);
        // Some are sent before the end of the connection is noticed, some after.
        server.endAll(way);
        for (let turns = 0; turns < round % 4; turns += 1) await new Promise(setImmediate);
      } else {
        server.cutNext({ way, of: 'request', bytes: 0, answer: '' });
      }
      const { kind } = await line.send(REQUEST);
      await answered(line);
      const times = server.begun() - before - 1;
      assert.ok(times <= 1, `it was sent ${times} times`);
      if (kind === 'notSent') assert.equal(times, 0, 'it was sent');
      line.destroy();
    }
  });
}
