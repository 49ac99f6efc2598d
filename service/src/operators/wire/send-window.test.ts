import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { httpAnswer, startRawServer } from '../../../test/fakes/raw-server.ts';
import { pollUntil } from '../../../test/poll.ts';
import { createOperatorWire, type OperatorWire, type WireRequest } from './operator-wire.ts';

const PAYOUT: WireRequest = {
  method: 'POST',
  path: '/payout',
  headers: { 'content-type': 'application/json' },
  body: '{"amount":"150.00"}',
  timeoutMs: 20_000,
};

function wireTo(baseUrl: string, connectionsMax: number = 4): OperatorWire {
  const monotonicMs = (): number => performance.now();
  return createOperatorWire({ baseUrl, connectionsMax, secrets: () => [], monotonicMs });
}

/** Open for the first checks, then over. */
function openFor(looks: number): () => boolean {
  let seen = 0;
  return () => {
    seen += 1;
    return seen <= looks;
  };
}

describe('nothing is sent after the window has ended', () => {
  it('before the request begins: not even a connection is made', async (t) => {
    const server = await startRawServer((socket) => socket.end(httpAnswer(200, '{}')));
    t.after(() => server.close());
    const late = await wireTo(server.baseUrl).send({ ...PAYOUT, mayStillSend: () => false });
    assert.equal(late.kind, 'notSent');
    assert.equal(server.connections(), 0);
    const intime = await wireTo(server.baseUrl).send({ ...PAYOUT, mayStillSend: () => true });
    assert.equal(intime.kind, 'answered');
  });

  it('once the connection is established', async (t) => {
    const server = await startRawServer((socket) => socket.end(httpAnswer(200, '{}')));
    t.after(() => server.close());
    const late = await wireTo(server.baseUrl).send({ ...PAYOUT, mayStillSend: openFor(1) });
    assert.equal(late.kind, 'notSent');
    assert.equal(late.record.answer, 'the time to send it was over');
    await pollUntil('the connection to end', () => server.ended() === 1);
    assert.equal(server.received(), '');
  });

  it('on a connection that was used before', async (t) => {
    const server = await startRawServer((socket) => socket.write(httpAnswer(200, '{}')));
    t.after(() => server.close());
    const wire = wireTo(server.baseUrl, 1);
    assert.equal((await wire.send({ ...PAYOUT, path: '/first' })).kind, 'answered');
    const late = await wire.send({ ...PAYOUT, path: '/late', mayStillSend: openFor(1) });
    assert.equal(late.kind, 'notSent');
    assert.equal((await wire.send({ ...PAYOUT, path: '/third' })).kind, 'answered');
    assert.doesNotMatch(server.received(), /late/);
    wire.close();
  });

  it('after it waited for a free connection', async (t) => {
    let first: Socket | undefined;
    const server = await startRawServer((socket, { nth }) => {
      if (nth === 1) first = socket;
      else socket.write(httpAnswer(200, '{}'));
    });
    t.after(() => server.close());
    const wire = wireTo(server.baseUrl, 1);
    const slow = wire.send({ ...PAYOUT, path: '/first' });
    await pollUntil('the first request to arrive', () => first !== undefined);
    let isOpen = true;
    const late = wire.send({ ...PAYOUT, path: '/late', mayStillSend: () => isOpen });
    isOpen = false;
    first?.write(httpAnswer(200, '{}'));
    assert.equal((await slow).kind, 'answered');
    assert.equal((await late).kind, 'notSent');
    assert.equal((await wire.send({ ...PAYOUT, path: '/third' })).kind, 'answered');
    assert.doesNotMatch(server.received(), /late/);
    wire.close();
  });
});
