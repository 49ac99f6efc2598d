import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { it } from 'node:test';
import { pollUntil } from '../../test/poll.ts';
import { ConnectionTurns } from './connection-turns.ts';

it('connections that open at once are read from in turns, in which addresses share', async () => {
  const turns = new ConnectionTurns();
  const read: string[] = [];
  const open = (address: string): void => {
    const socket = new Socket();
    socket.on('resume', () => read.push(address));
    turns.opened(address, socket);
  };
  for (let count = 0; count < 40; count += 1) open('many');
  open('other');
  await pollUntil('all that had to wait were read from', () => read.length === 33);
  const before = read.indexOf('other');
  assert.ok(before >= 0 && before < 8, `the other address waited for ${before} of the many`);
});
