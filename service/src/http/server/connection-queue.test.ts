import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pollUntil } from '../../../test/poll.ts';
import { ConnectionQueue } from './connection-queue.ts';
import { type Connection, Connections } from './connections.ts';

const IN_TURN_MAX = 16;

function openQueue(monotonicMs: () => number) {
  const connections = new Connections();
  const queue = new ConnectionQueue(monotonicMs);
  const read: string[] = [];
  const open = (address: string): Connection => {
    const socket = new Socket();
    socket.on('resume', () => read.push(address));
    const connection = { ...connections.of(socket), address };
    queue.opened(connection);
    return connection;
  };
  return { open, read };
}

it('a few of the connections that open at once are read from in a turn, and addresses share it', async () => {
  const { open, read } = openQueue(() => performance.now());
  for (let count = 0; count < 40; count += 1) open('many');
  open('other');
  while (read.length === 0) await setImmediate();
  assert.ok(read.length <= IN_TURN_MAX, `${read.length} in a turn`);
  assert.ok(read.includes('other'), 'the other address does not wait for the many');
  // The first connection was not delayed at all.
  await pollUntil('all that had to wait were read from', () => read.length === 40);
});

it('new connections are accepted before open ones are read, for a bounded time', async () => {
  let nowMs = 0;
  const { open, read } = openQueue(() => nowMs);
  open('some');
  for (let turn = 0; turn < 100; turn += 1) {
    open('some');
    await setImmediate();
  }
  assert.equal(read.length, 0);
  nowMs = 20;
  open('some');
  await setImmediate();
  assert.equal(read.length, IN_TURN_MAX);
});

for (const turnMs of [0.2, 1, 5, 100]) {
  it(`as many are read from as are opened, when each turn takes ${turnMs} ms and opens another`, async () => {
    let nowMs = 0;
    const { open, read } = openQueue(() => nowMs);
    open('some');
    const turns = 2_000;
    for (let turn = 0; turn < turns; turn += 1) {
      open('some');
      nowMs += turnMs;
      await setImmediate();
    }
    // What one reading after the wait of 20 ms takes.
    const waitingMax = Math.max(16, 20 / turnMs);
    assert.ok(turns - read.length <= waitingMax, `${turns - read.length} wait`);
  });
}

it('fewer are read from in a turn when reading takes long', async () => {
  let nowMs = 0;
  const { open, read } = openQueue(() => nowMs);
  const readInTurn = async (turnMs: number): Promise<number> => {
    const before = read.length;
    await setImmediate();
    nowMs += turnMs;
    return read.length - before;
  };
  for (let count = 0; count <= 2_000; count += 1) open('some');
  await readInTurn(0);
  const counts: number[] = [];
  for (const turnMs of [1, 1, 10, 30, 30, 30, 1]) counts.push(await readInTurn(turnMs));
  assert.deepEqual(counts, [16, 32, 64, 64, 32, 16, 16]);
});

it('a connection counts as unread until the turn after it is read from', async () => {
  let nowMs = 0;
  const { open, read } = openQueue(() => nowMs);
  open('some');
  const waiting = open('some');
  await setImmediate();
  assert.deepEqual([read.length, waiting.isUnread], [0, true]);
  nowMs = 20;
  await setImmediate();
  assert.deepEqual([read.length, waiting.isUnread], [1, true], 'what it sent is read after this');
  await setImmediate();
  assert.equal(waiting.isUnread, false);
});
