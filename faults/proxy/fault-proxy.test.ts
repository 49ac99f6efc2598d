import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type RawOutcome, sendRaw } from '../clients/send-raw.ts';
import type { ConnectionFault } from './connection-fault.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';

const BODY = JSON.stringify({ status: true, message: 'heard' });
const ANSWER = `HTTP/1.1 200 OK\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`;
const REQUEST = {
  method: 'GET',
  path: '/',
  apiKey: 'k',
  idempotencyKey: null,
  body: null,
} as const;
const REQUEST_END = '\r\n\r\n';

describe('the proxy between clients and the service', () => {
  let server: Server;
  let proxy: FaultProxy;
  let received: Promise<string>;

  before(async () => {
    server = createServer((socket) => {
      const { promise, resolve } = Promise.withResolvers<string>();
      received = promise;
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString();
        if (text.endsWith(REQUEST_END)) socket.write(ANSWER);
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(text));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    proxy = await startFaultProxy({ targetPort: () => (server.address() as AddressInfo).port });
  });
  after(async () => {
    await proxy.close();
    server.close();
  });

  async function send(
    fate: ConnectionFault,
  ): Promise<Readonly<{ outcome: RawOutcome; heard: string }>> {
    const outcome = await sendRaw(proxy.port, REQUEST, { fate, timeoutMs: 2_000 });
    return { outcome, heard: await received };
  }

  it('passes on a connection without a fault, except its first line', async () => {
    const { outcome, heard } = await send({ kind: 'clean' });
    assert.equal(outcome.kind, 'answered');
    assert.ok(heard.startsWith('GET / HTTP/1.1\r\n'));
  });

  it('delays an answer without losing bytes', async () => {
    const startedMs = performance.now();
    const { outcome } = await send({ kind: 'delay answer', delayMs: 150 });
    assert.equal(outcome.kind, 'answered');
    assert.ok(performance.now() - startedMs >= 140);
  });

  it('cuts a request at the given place', async () => {
    const whole = (await send({ kind: 'clean' })).heard.length;
    const { outcome, heard } = await send({ kind: 'cut request', perMille: 500, reset: false });
    assert.equal(outcome.kind, 'unanswered');
    assert.equal(heard.length, Math.floor(whole / 2));
  });

  for (const fate of [
    { kind: 'cut after request', reset: false },
    { kind: 'drop answer', reset: false },
    { kind: 'drop answer', reset: true },
    { kind: 'cut answer', afterBytes: 20 },
  ] as const) {
    it(`passes the whole request on, but no complete answer: ${JSON.stringify(fate)}`, async () => {
      const { outcome, heard } = await send(fate);
      assert.equal(outcome.kind, 'unanswered');
      assert.ok(heard.endsWith(REQUEST_END));
    });
  }
});
