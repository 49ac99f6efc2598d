import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { describe, it } from 'node:test';
import { routeOf, startServer, type TestServer, VALID_KEY } from '../../../test/http-server.ts';
import { pollUntil } from '../../../test/poll.ts';
import { ConnectionLimits } from './connection-limits.ts';
import { Connections } from './connections.ts';

const things = routeOf({}, async () => ({ status: 200, message: 'Done', data: { word: 'x' } }));
const GET = `GET /api/v1/payments/things HTTP/1.1\r\nhost: x\r\nx-api-key: ${VALID_KEY}\r\n\r\n`;
const MANY = { unprovenOfAddressMax: 1_000, unprovenMax: 1_000, provenMax: 1_000 };

/** Sends half a request, and waits until the server has accepted the connection. */
async function openSilent(served: TestServer): Promise<Socket> {
  const socket = connect(served.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  await once(socket, 'connect');
  socket.write('GET /health/live HTTP/1.1\r\n');
  return socket;
}

async function openProven(served: TestServer): Promise<{ socket: Socket; answer: string }> {
  const socket = connect(served.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(GET);
  const [answer] = await once(socket, 'data');
  return { socket, answer: String(answer) };
}

async function assertOldestIsClosed(served: TestServer): Promise<void> {
  const proven = await openProven(served);
  const silent: Socket[] = [];
  for (let count = 0; count < 3; count += 1) silent.push(await openSilent(served));
  assert.equal(
    (await served.send({ path: '/health/live' })).status,
    200,
    'new connections are served',
  );
  await pollUntil('the oldest is closed', () => silent[0]?.closed === true);
  assert.equal(silent[2]?.closed, false);
  proven.socket.write(GET);
  const [answer] = await once(proven.socket, 'data');
  assert.match(String(answer), /^HTTP\/1\.1 200 /, 'the connection with a key stays open');
  for (const socket of [...silent, proven.socket]) socket.destroy();
}

describe('connections that have shown no key', () => {
  it('have a limit per address, past which the oldest is closed', async () => {
    const counts = { ...MANY, unprovenOfAddressMax: 3 };
    const served = await startServer([things], { limits: { counts } });
    await assertOldestIsClosed(served);
    await served.stop();
  });

  it('have a limit in total, past which the oldest is closed', async () => {
    const counts = { ...MANY, unprovenMax: 3 };
    const served = await startServer([things], { limits: { counts } });
    await assertOldestIsClosed(served);
    await served.stop();
  });

  it('stay so when they call what is open to all', async () => {
    const counts = { ...MANY, unprovenOfAddressMax: 2 };
    const answer = async () => ({ status: 200, message: 'Done', data: { word: 'x' } }) as const;
    const methods = { ...things, path: '/methods', operationId: 'listMethods', handle: answer };
    const publicOperations = [methods];
    const served = await startServer([things], { limits: { counts }, publicOperations });
    const caller = connect(served.port, '127.0.0.1');
    caller.on('error', () => undefined);
    caller.write('GET /api/v1/session/methods HTTP/1.1\r\nhost: x\r\n\r\n');
    const [head] = await once(caller, 'data');
    assert.match(String(head), /^HTTP\/1\.1 200 /);
    const silent = [await openSilent(served), await openSilent(served), await openSilent(served)];
    await pollUntil('the second oldest is closed', () => silent[0]?.closed === true);
    assert.ok(caller.closed);
    for (const socket of silent) socket.destroy();
    await served.stop();
  });

  it('are not counted by address if they come from a trusted proxy', async () => {
    const counts = { ...MANY, unprovenOfAddressMax: 1 };
    const trustedProxies = ['127.0.0.1'];
    const served = await startServer([things], { limits: { counts }, trustedProxies });
    const silent = [await openSilent(served), await openSilent(served)];
    assert.equal((await served.send({ path: '/health/live' })).status, 200);
    assert.deepEqual(
      silent.map(({ closed }) => closed),
      [false, false],
    );
    for (const socket of silent) socket.destroy();
    await served.stop();
  });
});

describe('connections with a valid key', () => {
  it('are closed after their answer when there are too many', async () => {
    const counts = { ...MANY, provenMax: 1 };
    const served = await startServer([things], { limits: { counts } });
    const first = await openProven(served);
    assert.doesNotMatch(first.answer, /connection: close/i);
    const second = await openProven(served);
    assert.match(second.answer, /^HTTP\/1\.1 200 [^]*connection: close/i);
    first.socket.destroy();
    await pollUntil('there is room again', async () => {
      const third = await openProven(served);
      third.socket.destroy();
      return !/connection: close/i.test(third.answer);
    });
    second.socket.destroy();
    await served.stop();
  });
});

describe('answers that are not read', () => {
  it('have a limit in total, past which the one that has waited longest is dropped', async () => {
    const huge = routeOf({ path: '/huge' }, async () => ({
      status: 200,
      contentType: 'text/plain',
      text: 'x'.repeat(30_000_000),
    }));
    const served = await startServer([huge], { limits: { unreadBytesMax: 40_000_000 } });
    const ask = async () => {
      const socket = connect(served.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(GET.replace('things', 'huge'));
      // The client reads the beginning and stops.
      await once(socket, 'readable');
      return socket;
    };
    const first = await ask();
    const second = await ask();
    await pollUntil('the first is dropped', () => served.logLines.length > 0);
    assert.equal(JSON.parse(served.logLines[0] ?? '').status, 499);
    first.destroy();
    let length = 0;
    second.on('data', (chunk: Buffer) => (length += chunk.length));
    await pollUntil('the second is whole', () => length > 30_000_000);
    second.destroy();
    await served.stop();
  });

  it('lose their own connection, and no other, if one alone is larger than all may be', async () => {
    const answer = (path: string, bytes: number) =>
      routeOf({ path, operationId: path.slice(1) }, async () => ({
        status: 200,
        contentType: 'text/plain',
        text: 'x'.repeat(bytes),
      }));
    const served = await startServer([answer('/large', 30_000_000), answer('/huge', 60_000_000)], {
      limits: { unreadBytesMax: 40_000_000 },
    });
    const ask = (path: string) => {
      const socket = connect(served.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(GET.replace('things', path));
      return socket;
    };
    const waiting = ask('large');
    await once(waiting, 'readable');
    const huge = ask('huge');
    await pollUntil('one is dropped', () => served.logLines.length > 0);
    let length = 0;
    waiting.on('data', (chunk: Buffer) => (length += chunk.length));
    await pollUntil('the other is whole', () => length > 30_000_000);
    waiting.destroy();
    huge.destroy();
    await served.stop();
  });
});

it('an idle connection is closed, and none that was not read from yet', () => {
  const limits = new ConnectionLimits({ ...MANY, unprovenMax: 3 }, () => false);
  const connections = new Connections();
  const opened = ['unread', 'idle', 'unread', 'unread'].map((state) => {
    const connection = connections.of(new Socket());
    connection.isUnread = state === 'unread';
    limits.opened(connection);
    return connection;
  });
  assert.deepEqual(
    opened.map(({ socket }) => socket.destroyed),
    [false, true, false, false],
  );
});
