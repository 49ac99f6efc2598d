import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type EndpointLimits, EndpointQueues } from './endpoint-queues.ts';

const LIMITS: EndpointLimits = {
  underWayMax: 40,
  underWayPerEndpointMax: 4,
  claimedMax: 200,
  claimedPerEndpointMax: 10,
  claimedByQuickMax: 20,
  quickMs: 500,
};
const WIDE = { widthMax: 4 };

/** Queues whose items end when the test says so. */
function createCommitQueues(limits = LIMITS) {
  const underWay = new Map<string, () => void>();
  const answers = new Map<string, () => void>();
  const began: string[] = [];
  let roomSignals = 0;
  const clock = { nowMs: 0 };
  const queues = new EndpointQueues<string>(limits, {
    run: (item, leave) =>
      new Promise((resolve) => {
        began.push(item);
        underWay.set(item, resolve);
        answers.set(item, leave);
      }),
    onRoom: () => {
      roomSignals += 1;
    },
    monotonicMs: () => clock.nowMs,
  });
  const end = async (item: string) => {
    const resolve = underWay.get(item);
    assert.ok(resolve !== undefined, `${item} is not under way`);
    underWay.delete(item);
    resolve();
    await new Promise(setImmediate);
  };
  const addMany = (endpoint: string, count: number, width = WIDE) => {
    for (let n = 0; n < count; n += 1) queues.add(endpoint, `${endpoint}${n}`, width);
  };
  const answer = (item: string) => answers.get(item)?.();
  return { queues, began, answer, end, addMany, clock, roomSignals: () => roomSignals };
}

describe('queues of endpoints', () => {
  it('limits what is under way for one endpoint, and continues in order', async () => {
    const { began, end, addMany } = createCommitQueues();
    addMany('a', 6);
    assert.deepEqual(began, ['a0', 'a1', 'a2', 'a3']);
    await end('a2');
    assert.deepEqual(began.slice(4), ['a4']);
  });

  it('sends the next when one is answered, and is idle only when that is recorded', async () => {
    const { queues, began, answer, end, addMany } = createCommitQueues();
    addMany('a', 5);
    assert.equal(began.length, 4);
    answer('a1');
    assert.deepEqual(began.slice(4), ['a4']);
    assert.equal(queues.underWay(), 5, 'one of them is being recorded');
    for (const item of ['a0', 'a2', 'a3', 'a4']) await end(item);
    const soon = new Promise((resolve) => setImmediate(resolve, 'not yet'));
    assert.equal(await Promise.race([queues.idle(), soon]), 'not yet');
    await end('a1');
    await queues.idle();
    assert.equal(queues.underWay(), 0);
  });

  it('leaves a slot for a new endpoint, however many endpoints hang', () => {
    const { queues, began, addMany } = createCommitQueues();
    for (const endpoint of 'abcdefghijkl') addMany(endpoint, 8);
    assert.ok(queues.underWay() < LIMITS.underWayMax);
    queues.add('new', 'new0', WIDE);
    assert.equal(began.at(-1), 'new0');
  });

  it('continues with blocked endpoints once there are free slots', async () => {
    const { queues, began, end, addMany } = createCommitQueues({ ...LIMITS, underWayMax: 4 });
    addMany('a', 8);
    addMany('b', 8);
    const before = began.length;
    assert.deepEqual(began, ['a0', 'b0'], 'one each: there are few slots');
    await end('a0');
    assert.equal(began.length, before + 1);
    assert.equal(queues.underWay(), 2);
  });

  it('sends less at once to an endpoint that fails', () => {
    const { began, addMany } = createCommitQueues();
    addMany('a', 6, { widthMax: 1 });
    assert.deepEqual(began, ['a0']);
  });

  it('claims more for a fast endpoint, and no more than before once it is slow', async () => {
    const { queues, end, addMany, clock } = createCommitQueues();
    const roomOf = () => queues.room().taken.find(({ endpointId }) => endpointId === 'a')?.room;
    const names = Array.from({ length: 60 }, (_, n) => `a${n}`);
    let next = 0;
    const quickly = async (count: number) => {
      for (const name of names.slice(next, next + count)) await end(name);
      next += count;
    };
    addMany('a', names.length);
    await quickly(50);
    assert.equal(queues.room().perEndpointMax, 10, 'a new endpoint starts with the usual limit');
    assert.equal(roomOf(), 20 - 10, 'twice the limit');
    clock.nowMs += LIMITS.quickMs + 1;
    await end(names[next] ?? '');
    assert.equal(roomOf(), 0, 'nine are left, and a slow endpoint may have ten');
  });

  it('has no room for an endpoint that has enough, and reports room when half is done', async () => {
    const { queues, began, end, addMany, roomSignals } = createCommitQueues();
    addMany('a', 10);
    addMany('b', 3);
    const roomOf = (wanted: string) =>
      queues.room().taken.find(({ endpointId }) => endpointId === wanted)?.room;
    assert.deepEqual([roomOf('a'), roomOf('b')], [0, 7]);
    for (let n = 0; n < 5; n += 1) await end(`a${n}`);
    assert.ok(began.includes('a8'));
    assert.deepEqual([roomOf('a'), roomSignals()], [5, 1]);
  });

  it('leaves room to claim, however many endpoints hang', () => {
    const { queues } = createCommitQueues();
    for (let endpoint = 0; endpoint < 30; endpoint += 1) {
      const { perEndpointMax } = queues.room();
      for (let n = 0; n < perEndpointMax; n += 1) {
        queues.add(`hanging ${endpoint}`, `${endpoint}/${n}`, WIDE);
      }
    }
    const { max, perEndpointMax } = queues.room();
    assert.ok(max >= 1 && perEndpointMax >= 1);
  });

  it('returns waiting items, forgets empty queues, and reports when it is idle', async () => {
    const { queues, end, addMany } = createCommitQueues();
    addMany('a', 6);
    assert.deepEqual(queues.takeBack('a'), ['a4', 'a5']);
    let idle = false;
    const waited = queues.idle().then(() => {
      idle = true;
      return idle;
    });
    for (const item of ['a0', 'a1', 'a2']) await end(item);
    assert.equal(idle, false);
    await end('a3');
    assert.equal(await waited, true);
    assert.deepEqual(queues.room().taken, []);
    assert.equal(queues.room().max, LIMITS.claimedMax / 2);
  });
});
