import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { httpAnswer, startRawServer } from '../../../test/fakes/raw-server.ts';
import { LOCALHOST_TLS } from '../../../test/localhost-tls.ts';
import { pollUntil } from '../../../test/poll.ts';
import { createOperatorWire, type OperatorWire, type WireRequest } from './operator-wire.ts';

const TIMEOUT_MS = 20_000;

function wireTo(baseUrl: string, connectionsMax: number = 4): OperatorWire {
  const monotonicMs = (): number => performance.now();
  return createOperatorWire({ baseUrl, connectionsMax, secrets: () => [], monotonicMs });
}

const PAYOUT: WireRequest = {
  method: 'POST',
  path: '/payout',
  headers: { 'content-type': 'application/json' },
  body: '{"amount":"150.00"}',
  timeoutMs: TIMEOUT_MS,
};

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

it('is "not sent" if the connection is refused', async () => {
  const answer = await wireTo(`http://127.0.0.1:${await unusedPort()}`).send(PAYOUT);
  assert.equal(answer.kind, 'notSent');
  assert.equal(answer.record.answer, 'ECONNREFUSED');
  assert.equal(answer.record.httpStatus, null);
});

it('is "not sent" if the host name does not resolve', async () => {
  const answer = await wireTo('http://operator.invalid').send(PAYOUT);
  assert.equal(answer.kind, 'notSent');
  assert.match(answer.record.answer, /^(ENOTFOUND|EAI_AGAIN)$/);
});

it('refuses an invalid header before it connects', async (t) => {
  const server = await startRawServer((socket) => socket.end());
  t.after(() => server.close());
  const wire = wireTo(server.baseUrl);
  const answer = await wire.send({ ...PAYOUT, headers: { authorization: 'Bearer a\nb' } });
  assert.equal(answer.kind, 'notSent');
  assert.match(answer.record.answer, /character that HTTP does not allow/);
  assert.equal(server.connections(), 0);
});

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  it(`sends nothing over ${version} to a server with an untrusted certificate`, async (t) => {
    const tls = { ...LOCALHOST_TLS, minVersion: version, maxVersion: version };
    const server = await startRawServer((socket) => socket.end(httpAnswer(200, '{}')), { tls });
    t.after(() => server.close());
    const answer = await wireTo(server.baseUrl).send(PAYOUT);
    assert.equal(answer.kind, 'notSent');
    assert.equal(answer.record.answer, 'DEPTH_ZERO_SELF_SIGNED_CERT');
    await pollUntil('the connection to end', () => server.ended() === 1);
    assert.equal(server.received(), '');
  });
}

it('verifies the certificate even if the environment disables it', async (t) => {
  const server = await startRawServer((socket) => socket.end(httpAnswer(200, '{}')), {
    tls: LOCALHOST_TLS,
  });
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  t.after(() => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    return server.close();
  });
  const answer = await wireTo(server.baseUrl).send(PAYOUT);
  assert.equal(answer.kind, 'notSent');
  assert.equal(answer.record.answer, 'DEPTH_ZERO_SELF_SIGNED_CERT');
  assert.equal(server.received(), '');
});

it('is "not sent" if the other side does not speak TLS', async (t) => {
  const plain = createServer((socket) => socket.on('error', () => undefined).end('220 hello\r\n'));
  t.after(() => plain.close());
  plain.listen(0, '127.0.0.1');
  await once(plain, 'listening');
  const address = plain.address();
  assert.ok(typeof address === 'object' && address !== null);
  const answer = await wireTo(`https://127.0.0.1:${address.port}`).send(PAYOUT);
  assert.equal(answer.kind, 'notSent');
});

it('is "not sent" if the TLS handshake does not end in time', async (t) => {
  const heard: Buffer[] = [];
  const sockets: Socket[] = [];
  const silent = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined).on('data', (chunk: Buffer) => heard.push(chunk));
  });
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  assert.ok(typeof address === 'object' && address !== null);
  const wire = wireTo(`https://localhost:${address.port}`);
  const answer = await wire.send({ ...PAYOUT, timeoutMs: 1_500 });
  assert.equal(answer.kind, 'notSent');
  assert.equal(answer.record.answer, 'no answer within 1500 ms');
  // One record of the handshake, the ClientHello; without an answer to it there are no keys.
  assert.equal(Buffer.concat(heard)[0], 0x16);
  assert.ok(!Buffer.concat(heard).includes('amount'));
});

it('sends nothing of a request that waited for a free connection until its deadline', async (t) => {
  let first: Socket | undefined;
  const server = await startRawServer((socket, { nth }) => {
    if (nth === 1) first = socket;
    else socket.write(httpAnswer(200, '{}'));
  });
  t.after(() => server.close());
  const wire = wireTo(server.baseUrl, 1);
  const slow = wire.send({ ...PAYOUT, path: '/first' });
  await pollUntil('the first request to arrive', () => first !== undefined);
  const late = await wire.send({ ...PAYOUT, path: '/late', timeoutMs: 100 });
  assert.equal(late.kind, 'notSent');
  first?.write(httpAnswer(200, '{}'));
  assert.equal((await slow).kind, 'answered');
  assert.equal((await wire.send({ ...PAYOUT, path: '/third' })).kind, 'answered');
  assert.match(server.received(), /POST \/first [^]*POST \/third /);
  assert.doesNotMatch(server.received(), /late/);
  wire.close();
});

/** Accepts no connection until it is signalled; then reads everything and counts the bytes. */
const DEAF_SERVER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const server = require('node:net').createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => parentPort.postMessage({ bytes: chunk.length }));
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage({ port: server.address().port });
    Atomics.wait(workerData, 0, 0);
  });
`;

it('sends nothing to a server that accepts no connection before the deadline', {
  skip: process.platform !== 'linux' && 'how many connections wait differs elsewhere',
}, async (t) => {
  const limiter = new Int32Array(new SharedArrayBuffer(4));
  const deaf = new Worker(DEAF_SERVER, { eval: true, workerData: limiter });
  t.after(() => deaf.terminate());
  const [{ port }] = await once(deaf, 'message');
  const received: number[] = [];
  deaf.on('message', ({ bytes }: { bytes: number }) => received.push(bytes));

  // The kernel's accept queue holds two connections; these fill it.
  const fillers = Array.from({ length: 4 }, () => connect(port, '127.0.0.1'));
  for (const filler of fillers) filler.on('error', () => undefined);
  t.after(() => {
    for (const filler of fillers) filler.destroy();
  });
  await pollUntil(
    'the accept queue to fill',
    () => fillers.filter((one) => !one.connecting).length >= 2,
  );

  const answer = await wireTo(`http://127.0.0.1:${port}`).send({ ...PAYOUT, timeoutMs: 500 });
  assert.equal(answer.kind, 'notSent');
  assert.equal(answer.record.answer, 'no answer within 500 ms');

  Atomics.store(limiter, 0, 1);
  Atomics.notify(limiter, 0);
  // A later connection: once its byte has arrived, so has everything sent before.
  const last = connect(port, '127.0.0.1');
  last.write('.');
  await pollUntil('the server to listen', () => received.length > 0);
  assert.deepEqual(received, [1]);
  last.destroy();
});
