import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { LinkFault } from '../plan/plan.ts';
import { type LinkProxy, startLinkProxy } from './link-proxy.ts';

const ANSWER = 'x'.repeat(1_000);
/** Longer than a busy machine takes for one exchange, which must meet the fault. */
const FAULT_MS = 1_000;

type Outcome = Readonly<{ received: number; cut: boolean }>;

describe('the proxy between the service and what it depends on', () => {
  let server: Server;
  let proxy: LinkProxy;
  let requests = 0;

  before(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => {
        requests += 1;
        socket.write(ANSWER);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => server.close());

  /** Sends one request, and resolves when the answer is complete or the connection is closed. */
  function exchange(): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const socket = connect({ port: proxy.port, host: '127.0.0.1' });
    let received = 0;
    const end = (cut: boolean): void => {
      socket.destroy();
      resolve({ received, cut });
    };
    socket.on('error', () => end(true));
    socket.on('close', () => end(true));
    socket.on('data', (chunk) => {
      received += chunk.length;
      if (received === ANSWER.length) end(false);
    });
    socket.write('request');
    return promise;
  }

  async function exchangeUnder(condition: LinkFault): Promise<Outcome> {
    proxy = await startLinkProxy({ targetPort: () => (server.address() as AddressInfo).port });
    const faulty = proxy.applyFault(condition, FAULT_MS);
    const outcome = await exchange();
    await faulty;
    const afterwards = await exchange();
    assert.deepEqual(afterwards, { received: ANSWER.length, cut: false }, 'it did not recover');
    await proxy.close();
    return outcome;
  }

  for (const condition of ['delay', 'slow'] as const) {
    it(`loses no bytes under ${condition}`, async () => {
      assert.deepEqual(await exchangeUnder(condition), { received: ANSWER.length, cut: false });
    });
  }

  it('passes the request on and drops the answer', async () => {
    const before = requests;
    assert.deepEqual(await exchangeUnder('drop answers'), { received: 0, cut: true });
    assert.equal(requests, before + 2);
  });

  it('cuts an answer in the middle', async () => {
    const { received, cut } = await exchangeUnder('cut answers');
    assert.ok(cut && received < ANSWER.length);
  });

  it('passes nothing on when it is cut', async () => {
    const before = requests;
    assert.deepEqual(await exchangeUnder('cut'), { received: 0, cut: true });
    assert.equal(requests, before + 1);
  });

  it('refuses connections, and listens at the same port afterwards', async () => {
    const before = requests;
    proxy = await startLinkProxy({ targetPort: () => (server.address() as AddressInfo).port });
    const { port } = proxy;
    const faulty = proxy.applyFault('refuse', FAULT_MS);
    const socket = connect({ port, host: '127.0.0.1' });
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    assert.equal(error.code, 'ECONNREFUSED');
    await faulty;
    assert.deepEqual(await exchange(), { received: ANSWER.length, cut: false });
    assert.equal(requests, before + 1);
    await proxy.close();
  });

  it('drops bytes on a half-open link, and resets the connection only at the end', async () => {
    const before = requests;
    assert.deepEqual(await exchangeUnder('half-open'), { received: 0, cut: true });
    assert.equal(requests, before + 1);
  });
});
