import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pollUntil } from '../../../test/poll.ts';
import { ConnectionQueue } from './connection-queue.ts';

it('connections that open at once are read one by one, and addresses take turns', async () => {
  const turns = new ConnectionQueue(() => performance.now());
  const read: string[] = [];
  const open = (address: string): void => {
    const socket = new Socket();
    socket.on('resume', () => read.push(address));
    turns.opened(address, socket);
  };
  for (let count = 0; count < 40; count += 1) open('many');
  open('other');
  // The first connection was not delayed at all.
  await pollUntil('all that had to wait were read from', () => read.length === 40);
  const before = read.indexOf('other');
  assert.ok(before >= 0 && before < 2, `the other address waited for ${before} of the many`);
});

it('new connections are accepted before open ones are read, for a bounded time', async () => {
  let nowMs = 0;
  const turns = new ConnectionQueue(() => nowMs);
  let read = 0;
  const open = (): void => {
    const socket = new Socket();
    socket.on('resume', () => (read += 1));
    turns.opened('some', socket);
  };
  open();
  for (let turn = 0; turn < 100; turn += 1) {
    open();
    await setImmediate();
  }
  assert.equal(read, 0);
  nowMs = 20;
  open();
  await setImmediate();
  assert.equal(read, 1);
});
