import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { LinkFault } from '../plan/plan.ts';
import { type LinkProxy, startLinkProxy } from './link-proxy.ts';

const ANSWER = 'x'.repeat(1_000);

type Outcome = Readonly<{ received: number; cut: boolean }>;

describe('the proxy between the service and what it depends on', () => {
  let server: Server;
  let proxy: LinkProxy;
  let asked = 0;

  before(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => {
        asked += 1;
        socket.write(ANSWER);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => server.close());

  /** Asks once, and resolves when the whole answer is there or the connection is gone. */
  function ask(): Promise<Outcome> {
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
    socket.write('ask');
    return promise;
  }

  async function askIn(condition: LinkFault): Promise<Outcome> {
    proxy = await startLinkProxy({ targetPort: () => (server.address() as AddressInfo).port });
    const faulty = proxy.applyFault(condition, 100);
    const outcome = await ask();
    await faulty;
    const afterwards = await ask();
    assert.deepEqual(afterwards, { received: ANSWER.length, cut: false }, 'it did not heal');
    await proxy.close();
    return outcome;
  }

  for (const condition of ['delay', 'slow'] as const) {
    it(`loses nothing when it is to ${condition}`, async () => {
      assert.deepEqual(await askIn(condition), { received: ANSWER.length, cut: false });
    });
  }

  it('lets the question through and nobody hear the answer', async () => {
    const before = asked;
    assert.deepEqual(await askIn('drop answers'), { received: 0, cut: true });
    assert.equal(asked, before + 2);
  });

  it('cuts an answer in the middle', async () => {
    const { received, cut } = await askIn('cut answers');
    assert.ok(cut && received < ANSWER.length);
  });

  it('lets nothing through when it is cut', async () => {
    const before = asked;
    assert.deepEqual(await askIn('cut'), { received: 0, cut: true });
    assert.equal(asked, before + 1);
  });

  it('refuses whoever comes, and is found at the same port afterwards', async () => {
    const before = asked;
    proxy = await startLinkProxy({ targetPort: () => (server.address() as AddressInfo).port });
    const { port } = proxy;
    const faulty = proxy.applyFault('refuse', 100);
    const socket = connect({ port, host: '127.0.0.1' });
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    assert.equal(error.code, 'ECONNREFUSED');
    await faulty;
    assert.deepEqual(await ask(), { received: ANSWER.length, cut: false });
    assert.equal(asked, before + 1);
    await proxy.close();
  });

  it('swallows what is sent over a half-open link, and tells so only in the end', async () => {
    const before = asked;
    assert.deepEqual(await askIn('half-open'), { received: 0, cut: true });
    assert.equal(asked, before + 1);
  });
});
