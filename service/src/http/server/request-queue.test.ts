import assert from 'node:assert/strict';
import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Type } from 'typebox';
import { routeOf, startServer, VALID_KEY } from '../../../test/http-server.ts';
import { pollUntil } from '../../../test/poll.ts';
import { Connections } from './connections.ts';
import { QUEUE_LIMITS, type QueueLimits, RequestQueue } from './request-queue.ts';

const GET = `GET /api/v1/payments/slow HTTP/1.1\r\nhost: x\r\nx-api-key: ${VALID_KEY}\r\n\r\n`;

async function start(queue: QueueLimits) {
  const releases: (() => void)[] = [];
  let open = false;
  const slow = routeOf({ path: '/slow', operationId: 'slow' }, async () => {
    await new Promise<void>((resolve) => (open ? resolve() : releases.push(resolve)));
    return { status: 200, message: 'Done', data: { word: 'done' } };
  });
  const echo = routeOf(
    {
      method: 'POST',
      path: '/echo',
      operationId: 'echo',
      schema: {
        body: Type.Object({}),
        data: { 200: Type.Object({ word: Type.String() }) },
      },
    },
    async ({ body }) => ({
      status: 200,
      message: 'Read',
      data: { word: [...(body?.keys() ?? [])].join() },
    }),
  );
  const served = await startServer([slow, echo], { limits: { queue, lingerMs: 100 } });
  return {
    served,
    begun: () => releases.length,
    releaseAll: () => {
      open = true;
      for (const release of releases) release();
    },
  };
}

/** Opens a client that collects what it receives. */
function openClient(port: number) {
  const socket = connect(port, '127.0.0.1');
  const client = { socket, text: '' };
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => (client.text += chunk.toString('latin1')));
  return client;
}

const answersIn = (text: string) => text.match(/HTTP\/1\.1 200/g)?.length ?? 0;

describe('requests on one connection', () => {
  it('begin one after the other', async () => {
    const { served, begun, releaseAll } = await start({
      waitingOfConnectionMax: 10,
      waitingMax: 10,
    });
    const client = openClient(served.port);
    client.socket.write(GET.repeat(5));
    await pollUntil('the first begins', () => begun() === 1);
    // Once another connection is answered, the waiting requests would have begun.
    assert.equal((await served.send({ path: '/health/live' })).status, 200);
    assert.equal(begun(), 1);
    releaseAll();
    await pollUntil('all are answered', () => answersIn(client.text) === 5);
    client.socket.write(GET.repeat(5));
    await pollUntil('further ones are answered', () => answersIn(client.text) === 10);
    client.socket.destroy();
    await served.stop();
  });

  it('may have bodies that arrive while earlier requests are worked on', async () => {
    const { served, begun, releaseAll } = await start({
      waitingOfConnectionMax: 10,
      waitingMax: 10,
    });
    const client = openClient(served.port);
    const post =
      `POST /api/v1/payments/echo HTTP/1.1\r\nhost: x\r\nx-api-key: ${VALID_KEY}\r\n` +
      'content-type: application/json\r\ncontent-length: 7\r\n\r\n';
    client.socket.write(`${GET}${post}{"a":1}${post}{"b"`);
    await pollUntil('the first begins', () => begun() === 1);
    client.socket.write(`:2}${post}{"c":3}`);
    releaseAll();
    await pollUntil('all are answered', () => answersIn(client.text) === 4);
    const words = [...client.text.matchAll(/"word":"(\w+)"/g)].map(([, word]) => word);
    assert.deepEqual(words, ['done', 'a', 'b', 'c']);
    client.socket.destroy();
    await served.stop();
  });

  it('are answered up to the limit of waiting requests, then the connection ends', async () => {
    const { served, begun, releaseAll } = await start({
      waitingOfConnectionMax: 3,
      waitingMax: 10,
    });
    const client = openClient(served.port);
    client.socket.write(GET.repeat(200));
    await pollUntil('the first begins', () => begun() === 1);
    releaseAll();
    await once(client.socket, 'close');
    assert.equal(answersIn(client.text), 4);
    await served.stop();
  });

  it('have a limit in total', async () => {
    const { served, begun, releaseAll } = await start({
      waitingOfConnectionMax: 10,
      waitingMax: 3,
    });
    const first = openClient(served.port);
    first.socket.write(GET.repeat(4));
    await pollUntil('the first begins', () => begun() === 1);
    const second = openClient(served.port);
    second.socket.write(GET.repeat(3));
    await pollUntil('the second begins', () => begun() === 2);
    releaseAll();
    await once(second.socket, 'close');
    assert.equal(answersIn(second.text), 1, 'there was no room for its others');
    await pollUntil('the first is answered', () => answersIn(first.text) === 4);
    second.socket.destroy();
    first.socket.destroy();
    await served.stop();
  });

  it('wait while other connections open, though not for ever', async () => {
    let isOpening = true;
    const begun: ServerResponse[] = [];
    const connections = new Connections();
    const queue = new RequestQueue(connections, QUEUE_LIMITS, {
      begin: (_, response) => begun.push(response),
      isOpening: () => isOpening,
    });
    const socket = new Socket();
    const connection = connections.of(socket);
    const accept = (): void => {
      const request = new IncomingMessage(socket);
      queue.accept(connection, request, new ServerResponse(request));
    };
    const turns = async (count: number): Promise<void> => {
      for (let past = 0; past < count; past += 1) await turn();
    };
    accept();
    accept();
    accept();
    begun[0]?.emit('close');
    await turns(150);
    assert.equal(begun.length, 1);
    await turns(100);
    assert.equal(begun.length, 2);
    isOpening = false;
    begun[1]?.emit('close');
    await turns(5);
    assert.equal(begun.length, 3);
  });
});
