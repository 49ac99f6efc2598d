import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { routeOf, startServer, type TestServer, VALID_KEY } from '../../../test/http-server.ts';
import { pollUntil } from '../../../test/poll.ts';
import type { EventStream } from './api-operation.ts';

const PATH = '/api/v1/payments/things';
const KEY = { 'x-api-key': VALID_KEY };
const DRAINED_WITHIN_MS = 1_000;
const WRITES_MAX = 5_000;

type Options = Parameters<typeof startServer>[1];

async function startStreaming(options: Options = {}) {
  const streams: EventStream[] = [];
  const stream = routeOf({}, async () => ({
    status: 200,
    begin: (opened) => streams.push(opened),
  }));
  const answer = routeOf({ path: '/words', operationId: 'sayWord' }, async () => ({
    status: 200,
    message: 'Said',
    data: { word: 'yes' },
  }));
  return { server: await startServer([stream, answer], options), streams };
}

async function openStream({ port }: TestServer): Promise<IncomingMessage> {
  const asked = request({ port, path: PATH, headers: KEY, agent: false });
  asked.on('error', () => undefined);
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response;
}

it('a stream stays open, and what is written arrives at once', async () => {
  const { server, streams } = await startStreaming();
  const response = await openStream(server);
  assert.equal(response.headers['content-type'], 'text/event-stream; charset=utf-8');
  streams[0]?.write(': one\n\n');
  const [first] = await once(response, 'data');
  assert.equal(String(first), ': one\n\n');
  streams[0]?.end();
  await once(response.resume(), 'close');
  await server.stop();
});

it('a client that does not read is cut, and others are not', async () => {
  const limits = { streams: { ofCallerMax: 4, max: 10, unreadBytesMax: 64 * 1_024 } };
  const { server, streams } = await startStreaming({ limits });
  const [slow, quick] = [await openStream(server), await openStream(server)];
  slow.pause();
  quick.resume();
  let cut = 0;
  streams[0]?.onEnd(() => (cut += 1));
  const text = `: ${'x'.repeat(32 * 1_024)}\n\n`;
  // The kernel takes some megabytes first.
  for (let written = 0; cut === 0 && written < WRITES_MAX; written += 1) {
    streams[0]?.write(text);
    await nextTurn();
  }
  assert.equal(cut, 1);
  let isCut = false;
  quick.once('close', () => (isCut = true));
  streams[1]?.write(text);
  assert.equal(isCut, false);
  quick.destroy();
  await server.stop();
});

it('an open stream takes no place of other calls', async () => {
  const { server } = await startStreaming({ requestsUnderWayMax: 1, requestsOfOwnerMax: 1 });
  const response = await openStream(server);
  const { status } = await server.send({ path: '/api/v1/payments/words', headers: KEY });
  assert.equal(status, 200);
  response.destroy();
  await server.stop();
});

it('too many streams are refused, of a caller and in all, and closed ones make room', async () => {
  const streams = { ofCallerMax: 2, max: 10, unreadBytesMax: 1_024 };
  const few = await startStreaming({ limits: { streams } });
  const first = await openStream(few.server);
  await openStream(few.server);
  assert.equal((await openStream(few.server)).statusCode, 429);
  first.destroy();
  await pollUntil('there is room', async () => (await openStream(few.server)).statusCode === 200);
  await few.server.stop();
  const one = await startStreaming({ limits: { streams: { ...streams, max: 1 } } });
  await openStream(one.server);
  assert.equal((await openStream(one.server)).statusCode, 503);
  await one.server.stop();
});

/** A server whose streams begin once they are prepared, and whose one other call is answered when it is told to. */
async function startPreparing(options: Options = {}) {
  const prepared = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  let begun = 0;
  let arrived = 0;
  const stream = routeOf({}, async () => {
    arrived += 1;
    await prepared.promise;
    return { status: 200, begin: () => (begun += 1) };
  });
  const answer = routeOf({ path: '/words', operationId: 'sayWord' }, async () => {
    arrived += 1;
    await answered.promise;
    return { status: 200, message: 'Said', data: { word: 'yes' } };
  });
  const server = await startServer([stream, answer], options);
  const leaveWhilePreparing = async () => {
    const before = arrived;
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`GET ${PATH} HTTP/1.1\r\nhost: x\r\nx-api-key: ${VALID_KEY}\r\n\r\n`);
    await pollUntil('the stream is being prepared', () => arrived > before);
    socket.destroy();
    await pollUntil('the server has noticed', () =>
      server.logLines.some((line) => line.includes('"status":499')),
    );
    prepared.resolve();
    await nextTurn();
  };
  const counts = { begun: () => begun, arrived: () => arrived };
  return { server, leaveWhilePreparing, say: answered.resolve, ...counts };
}

it('a client that leaves while its stream is prepared keeps no place', async () => {
  const limits = { streams: { ofCallerMax: 1, max: 1, unreadBytesMax: 1_024 } };
  const { server, leaveWhilePreparing, begun } = await startPreparing({ limits });
  await leaveWhilePreparing();
  assert.equal(begun(), 0);
  const response = await openStream(server);
  assert.deepEqual([response.statusCode, begun()], [200, 1]);
  response.destroy();
  await server.stop();
});

it('a client that left while its stream was prepared ends once: a stop waits for other calls', async () => {
  const { server, leaveWhilePreparing, say, arrived } = await startPreparing();
  await leaveWhilePreparing();
  const before = arrived();
  const said = server.send({ path: '/api/v1/payments/words', headers: KEY });
  await pollUntil('the call is worked on', () => arrived() > before);
  let isStopped = false;
  const stopped = server.stop().then(() => (isStopped = true));
  assert.equal((await server.send({ path: '/api/v1/payments/words', headers: KEY })).status, 503);
  assert.equal(isStopped, false);
  say();
  assert.equal((await said).status, 200);
  await stopped;
});

it('a listener that comes after the end of a stream is told of it, once', async () => {
  const { server, streams } = await startStreaming();
  const response = await openStream(server);
  const [stream] = streams;
  let earlier = 0;
  let later = 0;
  stream?.onEnd(() => (earlier += 1));
  response.destroy();
  await pollUntil('the stream has ended', () => earlier === 1);
  stream?.onEnd(() => (later += 1));
  stream?.end();
  await nextTurn();
  assert.deepEqual([earlier, later], [1, 1]);
  await server.stop();
});

it('a server that stops ends streams and does not wait for them', async () => {
  const { server } = await startStreaming();
  const response = await openStream(server);
  response.resume();
  const startedMs = performance.now();
  await Promise.all([server.stop(), once(response, 'close')]);
  assert.ok(performance.now() - startedMs < DRAINED_WITHIN_MS);
});

it('HEAD gets the head alone, and a request after the stream gets no answer inside it', async () => {
  const { server, streams } = await startStreaming();
  const head = await server.send({ method: 'HEAD', path: PATH, headers: KEY });
  assert.deepEqual([head.status, streams.length], [200, 0]);
  const socket = connect(server.port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += String(chunk);
  });
  const ask = (path: string) =>
    `GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${VALID_KEY}\r\n\r\n`;
  socket.write(ask(PATH) + ask('/api/v1/payments/words'));
  await pollUntil('the stream is open', () => streams.length === 1);
  streams[0]?.write(': last\n\n');
  streams[0]?.end();
  await once(socket, 'close');
  assert.equal(received.match(/HTTP\/1\.1/g)?.length, 1, received);
  assert.match(received, /: last/);
  await server.stop();
});
