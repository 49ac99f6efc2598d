import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { routeOf, startServer, type TestServer, VALID_KEY } from '../../../test/http-server.ts';

const GET = `GET /api/v1/payments/wait HTTP/1.1\r\nhost: x\r\nx-api-key: ${VALID_KEY}\r\n\r\n`;
const KEY = { 'x-api-key': VALID_KEY };
const PATH = '/api/v1/payments/wait';

/** A server whose one route answers when it is told to. */
async function startWaiting({ drainMinMs = 0, drainDeadlineMs = 5_000 } = {}) {
  const waiting: (() => void)[] = [];
  const route = routeOf({ path: '/wait' }, async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return { status: 200, message: 'Waited', data: { word: 'done' } };
  });
  const served = await startServer([route], { limits: { drainMinMs, drainDeadlineMs } });
  const arrived = async (count: number) => {
    while (waiting.length < count) await new Promise(setImmediate);
  };
  return { served, arrived, release: () => waiting.splice(0).forEach((resolve) => resolve()) };
}

async function open(served: TestServer): Promise<{ socket: Socket; text: () => string }> {
  const socket = connect(served.port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString('utf8')));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return { socket, text: () => text };
}

describe('a server that drains', () => {
  it('finishes requests under way, refuses new ones, and closes', async () => {
    const { served, arrived, release } = await startWaiting();
    const inFlight = served.send({ path: PATH, headers: KEY });
    const idle = await open(served);
    await arrived(1);
    const drained = served.server.drain();

    const refused = await served.send({ path: PATH, headers: KEY });
    assert.equal(refused.status, 503);
    assert.equal(refused.headers['retry-after'], '1');
    assert.equal(refused.headers.connection, 'close');
    assert.equal(JSON.parse(refused.text).data.error.code, 'UNAVAILABLE');
    assert.match(JSON.parse(refused.text).message, /Nothing was stored/);
    const ready = await served.send({ path: '/health/ready' });
    assert.equal(ready.status, 503);
    assert.deepEqual(JSON.parse(ready.text).reasons, ['draining']);
    assert.equal((await served.send({ path: '/health/live' })).status, 200);

    release();
    const reply = await inFlight;
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.connection, 'close');
    await drained;
    if (!idle.socket.closed) await once(idle.socket, 'close');
    await assert.rejects(served.send({ path: '/health/live' }), { code: 'ECONNREFUSED' });
  });

  it('answers every pipelined request: the one that began with its result, the others with a refusal', async () => {
    const { served, arrived, release } = await startWaiting();
    const client = await open(served);
    client.socket.write(GET.repeat(3));
    await arrived(1);
    const drained = served.server.drain();
    release();
    await drained;
    if (!client.socket.closed) await once(client.socket, 'close');
    assert.deepEqual(client.text().match(/HTTP\/1\.1 \d+/g), [
      'HTTP/1.1 200',
      'HTTP/1.1 503',
      'HTTP/1.1 503',
    ]);
  });

  it('refuses a new request on a connection that was open before', async () => {
    const { served, arrived, release } = await startWaiting();
    const held = served.send({ path: PATH, headers: KEY });
    await arrived(1);
    const client = await open(served);
    client.socket.write('GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(client.socket, 'data');
    const drained = served.server.drain();
    client.socket.write(GET);
    await once(client.socket, 'close');
    assert.match(client.text(), /HTTP\/1\.1 503/);
    release();
    await Promise.all([held, drained]);
  });

  it('does not wait for ever, nor longer the second time', async () => {
    const { served, arrived, release } = await startWaiting({ drainDeadlineMs: 100 });
    const stuck = served.send({ path: PATH, headers: KEY });
    await arrived(1);
    const drained = served.server.drain();
    assert.equal(served.server.drain(), drained);
    await Promise.all([drained, assert.rejects(stuck)]);
    release();
  });

  it('stays for a moment when nothing is under way, and tells newcomers that it is going', async () => {
    const { served } = await startWaiting({ drainMinMs: 300 });
    const drained = served.server.drain();
    const refused = await served.send({ path: PATH, headers: KEY });
    assert.equal(refused.status, 503);
    assert.match(JSON.parse(refused.text).message, /Nothing was stored/);
    await drained;
  });

  it('is done at once when nothing is under way', async () => {
    const { served } = await startWaiting();
    await served.send({ path: '/health/live' });
    const silent = await open(served);
    await served.server.drain();
    if (!silent.socket.closed) await once(silent.socket, 'close');
  });
});
