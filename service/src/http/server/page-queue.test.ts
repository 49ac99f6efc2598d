import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pollUntil } from '../../../test/poll.ts';
import { PageQueue, PageQueues } from './page-queue.ts';

describe('PageQueue', () => {
  it('reads at most the given number of pages at once, and keys take turns', async () => {
    const turns = new PageQueue(2, () => false);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const ask = (key: string, name: string) =>
      turns.run(key, () => {
        begun.push(name);
        return new Promise((resolve) => ends.push(resolve));
      });
    for (let count = 1; count <= 6; count += 1) ask('a', `a${count}`);
    ask('b', 'b1');
    assert.deepEqual(begun, ['a1', 'a2']);
    for (let done = 0; done < 5; done += 1) {
      ends[done]?.();
      await pollUntil('the next begins', () => begun.length === 3 + done);
    }
    assert.deepEqual(
      begun.slice(0, 4).includes('b1'),
      true,
      `b waited for all of a: ${begun.join()}`,
    );
    assert.deepEqual(
      begun.filter((name) => name.startsWith('a')),
      ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'],
    );
  });

  it('waits a while for connections that are being opened', async () => {
    let turns = 0;
    const pages = new PageQueue(1, () => {
      turns += 1;
      return true;
    });
    const begun: number[] = [];
    for (const page of [1, 2]) pages.run('a', async () => void begun.push(page));
    await pollUntil('the second page', () => begun.length === 2);
    assert.ok(turns >= 200, `it waited for ${turns} turns`);
  });
});

it('pages of a cell that hangs hold up none of another', async () => {
  const queues = new PageQueues(() => false);
  const never = () => new Promise<void>(() => undefined);
  for (let page = 0; page < 20; page += 1) queues.of('east').run('a', never);
  const read: string[] = [];
  for (const cell of ['main', undefined]) {
    queues.of(cell).run('a', async () => void read.push(String(cell)));
  }
  assert.deepEqual(read, ['main', 'undefined']);
});
