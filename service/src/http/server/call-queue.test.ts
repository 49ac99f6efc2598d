import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pollUntil } from '../../../test/poll.ts';
import { CallQueue, CallQueues, PAGES, type QueuedCall, WRITES } from './call-queue.ts';

/** Longer than any process of tests runs: calls that are left waiting are not refused after their test. */
const WAIT_MAX_MS = 3_600_000;
const NO_REFUSAL = () => assert.fail('a call was refused');

/** Calls that last until the test ends them. `begun` has the names of the ones that began. */
function openCalls(queue: CallQueue) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (owner: string, name: string, refuse: QueuedCall['refuse'] = NO_REFUSAL) => {
    const work = () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    };
    queue.run(owner, { work, refuse });
  };
  return { begun, ask, end: (name: string) => ends.get(name)?.() };
}

describe('CallQueue', () => {
  it('runs at most the given number of calls at once, and owners take turns', async () => {
    const { begun, ask, end } = openCalls(
      new CallQueue({ atOnceMax: 2, ofOwnerMax: 2, waitMaxMs: WAIT_MAX_MS }, () => false),
    );
    for (let count = 1; count <= 6; count += 1) ask('a', `a${count}`);
    ask('b', 'b1');
    assert.deepEqual(begun, ['a1', 'a2']);
    for (let done = 0; done < 5; done += 1) {
      end(begun[done] ?? '');
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

  it('leaves places for others while calls of one owner hang', async () => {
    const rule = { atOnceMax: 4, ofOwnerMax: 2, waitMaxMs: WAIT_MAX_MS };
    const { begun, ask, end } = openCalls(new CallQueue(rule, () => false));
    for (let count = 1; count <= 100; count += 1) ask('a', `a${count}`);
    assert.deepEqual(begun, ['a1', 'a2']);
    for (const owner of ['b', 'c']) ask(owner, owner);
    ask('d', 'd');
    assert.deepEqual(begun, ['a1', 'a2', 'b', 'c']);
    end('b');
    await pollUntil('the next begins', () => begun.length === 5);
    assert.equal(begun.at(-1), 'd');
    end('a1');
    await pollUntil('the next of the same owner', () => begun.length === 6);
    assert.equal(begun.at(-1), 'a3');
  });

  it('refuses a call that waits too long, and does not begin it later', async () => {
    const { begun, ask, end } = openCalls(
      new CallQueue({ atOnceMax: 1, ofOwnerMax: 1, waitMaxMs: 20 }, () => false),
    );
    let refused = 0;
    ask('a', 'first');
    ask('b', 'late', () => (refused += 1));
    await pollUntil('it is refused', () => refused === 1);
    ask('b', 'next');
    end('first');
    await pollUntil('the next begins', () => begun.length === 2);
    assert.deepEqual([begun, refused], [['first', 'next'], 1]);
  });

  it('refuses calls of an owner of whom too many wait, also if their clients are gone', async () => {
    const { ask } = openCalls(new CallQueue(WRITES, () => false));
    const codes: string[] = [];
    for (let count = 1; count <= 2 + 1_024 + 3; count += 1) {
      ask('a', `a${count}`, (code) => codes.push(code));
    }
    assert.deepEqual(codes, ['RATE_LIMITED', 'RATE_LIMITED', 'RATE_LIMITED']);
    ask('b', 'b');
  });

  it('waits a while for connections that are being opened', async () => {
    let turns = 0;
    const isOpening = () => {
      turns += 1;
      return true;
    };
    const queue = new CallQueue({ atOnceMax: 1, ofOwnerMax: 1, waitMaxMs: WAIT_MAX_MS }, isOpening);
    const begun: number[] = [];
    for (const call of [1, 2]) {
      queue.run('a', { work: async () => void begun.push(call), refuse: NO_REFUSAL });
    }
    await pollUntil('the second call', () => begun.length === 2);
    assert.ok(turns >= 200, `it waited for ${turns} turns`);
  });
});

it('calls of a cell that hangs hold up none of another', async () => {
  const queues = new CallQueues({ ...PAGES, waitMaxMs: WAIT_MAX_MS }, () => false);
  const never = () => new Promise<void>(() => undefined);
  for (let call = 0; call < 20; call += 1) {
    queues.of('east').run('a', { work: never, refuse: NO_REFUSAL });
  }
  const begun: string[] = [];
  for (const cell of ['main', undefined]) {
    const work = async () => void begun.push(String(cell));
    queues.of(cell).run('a', { work, refuse: NO_REFUSAL });
  }
  assert.deepEqual(begun, ['main', 'undefined']);
});
