import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pollUntil } from '../../test/poll.ts';
import { createTurns } from '../background/turns.ts';
import type { BlockingRules } from './blocked-commands.ts';
import { CommitQueueFull, type CommitQueueOptions, createCommitQueue } from './commit-queue.ts';

type Options = CommitQueueOptions<number, string>;

function createQueue(overrides: Partial<Options> = {}) {
  const groups: number[][] = [];
  const queue = createCommitQueue<number, string>({
    ownerOf: () => 'one',
    concurrency: 1,
    groupMax: 100,
    waitingMax: 1_000,
    mayBeOneCommandsFault: () => false,
    monotonicMs: () => performance.now(),
    async commit(commands) {
      groups.push([...commands]);
      await new Promise((resolve) => setImmediate(resolve));
      return commands.map((command) => `done ${command}`);
    },
    ...overrides,
  });
  return { queue, groups };
}

const pause = () => new Promise((resolve) => setImmediate(resolve));

it('stores commands that arrive together in one group, each with its own result', async () => {
  const { queue, groups } = createQueue();
  const results = await Promise.all([1, 2, 3].map((n) => queue.submit(n)));
  assert.deepEqual(results, ['done 1', 'done 2', 'done 3']);
  assert.deepEqual(groups, [[1, 2, 3]]);
});

it('lets commands that arrive during a commit share the next one', async () => {
  const { queue, groups } = createQueue();
  const first = queue.submit(1);
  await pause();
  const others = [2, 3, 4].map((n) => queue.submit(n));
  await Promise.all([first, ...others]);
  assert.deepEqual(groups, [[1], [2, 3, 4]]);
});

it('gathers for a while where latency does not matter, but no longer than until a group is full', async () => {
  const gatherMs = 200;
  const { queue, groups } = createQueue({ gatherMs, groupMax: 3 });
  const first = queue.submit(1);
  await new Promise((resolve) => setTimeout(resolve, gatherMs / 10));
  await Promise.all([first, queue.submit(2)]);
  assert.deepEqual(groups, [[1, 2]]);
  const startedMs = performance.now();
  await Promise.all([3, 4, 5].map((n) => queue.submit(n)));
  assert.ok(performance.now() - startedMs < gatherMs, 'a full group does not wait');
});

it('takes turns with other queues, and its group grows until its turn', async () => {
  const turns = createTurns(1);
  const { queue, groups } = createQueue({ turns });
  const endTurn = await turns.take();
  const first = queue.submit(1);
  await pause();
  const second = queue.submit(2);
  await pause();
  assert.deepEqual(groups, []);
  endTurn();
  await Promise.all([first, second]);
  assert.deepEqual(groups, [[1, 2]]);
  // Whether it was stored or not, its turn is over.
  const failing = createQueue({ turns, commit: () => Promise.reject(new Error('no')) });
  await assert.rejects(failing.queue.submit(3), /no/);
  assert.equal(await queue.submit(4), 'done 4');
});

it('refuses at once when too many wait, and accepts more afterwards', async () => {
  const { queue } = createQueue({ waitingMax: 2 });
  const taken = [queue.submit(1), queue.submit(2)];
  await assert.rejects(queue.submit(3), CommitQueueFull);
  await Promise.all(taken);
  assert.equal(await queue.submit(4), 'done 4');
});

it('refuses an owner whose own share is full, while others can still submit', async () => {
  const { queue } = createQueue({
    ownerOf: (command) => (command < 100 ? 'big' : 'small'),
    waitingMax: 5,
    waitingOfOwnerMax: 3,
  });
  const isOfOwner = (expected: boolean) => (error: unknown) =>
    error instanceof CommitQueueFull && error.isOfOwner === expected;
  assert.throws(() => queue.submitMany([1, 2, 3, 4]), isOfOwner(true));
  const taken = queue.submitMany([1, 2]);
  assert.throws(() => queue.submitMany([3, 4]), isOfOwner(true));
  taken.push(queue.submit(3));
  await assert.rejects(queue.submit(4), isOfOwner(true));
  taken.push(queue.submit(100));
  assert.throws(() => queue.submitMany([101, 102]), isOfOwner(false));
  taken.push(queue.submit(101));
  await assert.rejects(queue.submit(102), isOfOwner(false));
  await Promise.all(taken);
  assert.equal(await queue.submit(4), 'done 4');
});

it('does not let one command that cannot be stored fail the rest of its group', async () => {
  const { queue } = createQueue({
    mayBeOneCommandsFault: () => true,
    async commit(commands) {
      if (commands.includes(5)) throw new Error('5 cannot be stored');
      return commands.map((command) => `done ${command}`);
    },
  });
  const results = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7].map((n) => queue.submit(n)));
  assert.deepEqual(
    results.map((result) => result.status === 'fulfilled'),
    [true, true, true, true, false, true, true],
  );
});

it('fails the whole group, without a retry, when it is unknown whether it was stored', async () => {
  let commits = 0;
  const { queue } = createQueue({
    async commit() {
      commits += 1;
      throw new Error('connection lost');
    },
  });
  const results = await Promise.allSettled([1, 2, 3].map((n) => queue.submit(n)));
  assert.ok(results.every((result) => result.status === 'rejected'));
  assert.equal(commits, 1);
});

it('becomes idle only after the last commit', async () => {
  const { queue, groups } = createQueue({ groupMax: 1 });
  const results = [1, 2, 3].map((n) => queue.submit(n));
  await queue.idle();
  assert.deepEqual(groups, [[1], [2], [3]]);
  await Promise.all(results);
});

/**
 * Numbers with the same tens share a key. The queue waits for a key only when its commands are committed separately.
 */
function createBlockedQueue(
  overrides: Partial<BlockingRules<number, string>> = {},
  turns = createTurns(1),
) {
  const locked = new Set<string>();
  const apart: number[][] = [];
  const keyOf = (n: number) => `key ${Math.floor(n / 10)}`;
  const blocked = new Error('held up');
  let free: () => void = () => undefined;
  const untilFree = new Promise<void>((resolve) => {
    free = resolve;
  });
  const { queue, groups } = createQueue({
    turns,
    async commit(commands) {
      groups.push([...commands]);
      if (commands.some((n) => locked.has(keyOf(n)))) throw blocked;
      return commands.map((command) => `done ${command}`);
    },
    blocking: {
      keysOf: (n) => [keyOf(n)],
      isBlocked: (error) => error === blocked,
      find: async (commands) => new Set(commands.map(keyOf).filter((key) => locked.has(key))),
      async commit(commands) {
        apart.push([...commands]);
        await untilFree;
        if (commands.some((n) => locked.has(keyOf(n)))) throw blocked;
        return commands.map((command) => `done ${command}`);
      },
      concurrency: 2,
      waitingPerKeyMax: 10,
      waitingMax: 20,
      ...overrides,
    },
  });
  return { queue, groups, apart, locked, free: () => free() };
}

describe('a blocked command', () => {
  it('waits separately, and later commands for the same key join it in order', async () => {
    const { queue, groups, apart, locked, free } = createBlockedQueue();
    locked.add('key 1');
    const first = [11, 21, 12].map((n) => queue.submit(n));
    assert.equal(await first[1], 'done 21');
    await pollUntil('the blocked command to be tried separately', () => apart.length === 1);
    const later = [13, 22].map((n) => queue.submit(n));
    assert.equal(await later[1], 'done 22');
    assert.deepEqual(groups, [[11, 21, 12], [21], [22]]);
    locked.clear();
    free();
    assert.deepEqual(await Promise.all([first[0], first[2], later[0]]), [
      'done 11',
      'done 12',
      'done 13',
    ]);
    assert.deepEqual(apart, [[11, 12], [13]]);
    await queue.idle();
    assert.equal(await queue.submit(14), 'done 14');
    assert.deepEqual(groups.at(-1), [14], 'a key that is free again is committed with the others');
  });

  it('fails in the end with all that wait for the same key, which is then tried separately at once', async () => {
    const { queue, groups, apart, locked, free } = createBlockedQueue();
    locked.add('key 1');
    const waiting = [queue.submit(11)];
    await pollUntil('the first to be tried separately', () => apart.length === 1);
    waiting.push(queue.submit(12));
    await queue.submit(22);
    free();
    for (const one of waiting) await assert.rejects(one, /held up/);
    const groupsBefore = groups.length;
    await assert.rejects(queue.submit(13), /held up/);
    assert.equal(groups.length, groupsBefore);
    assert.deepEqual(apart, [[11], [13]]);
    await queue.idle();
  });

  it('holds no turn while it waits, nor does its group', async () => {
    const turns = createTurns(1);
    const { queue, apart, locked, free } = createBlockedQueue({ concurrency: 0 }, turns);
    locked.add('key 1');
    const results = [11, 21].map((n) => queue.submit(n));
    await pollUntil('the whole group to wait', () => apart.length === 1);
    const next = turns.take();
    assert.equal(turns.waiting(), 0);
    (await next)();
    locked.clear();
    free();
    assert.deepEqual(await Promise.all(results), ['done 11', 'done 21']);
  });

  it('is refused when too many wait already', async () => {
    const { queue, apart, locked, free } = createBlockedQueue({ waitingPerKeyMax: 1 });
    locked.add('key 1');
    const first = queue.submit(11);
    await pollUntil('the first to be tried separately', () => apart.length === 1);
    // The first is under way, and the second waits for it.
    const second = queue.submit(12);
    await queue.submit(22);
    await assert.rejects(queue.submit(13), CommitQueueFull);
    locked.clear();
    free();
    assert.deepEqual(await Promise.all([first, second]), ['done 11', 'done 12']);
  });

  for (const { what, found } of [
    { what: 'no blocked key is found', found: [] },
    { what: 'many blocked keys are found', found: ['key 1', 'key 2', 'key 3'] },
  ]) {
    it(`makes its whole group wait when ${what}`, async () => {
      const { queue, apart, locked, free } = createBlockedQueue({
        find: async () => new Set(found),
      });
      locked.add('key 1');
      const results = [11, 21, 31].map((n) => queue.submit(n));
      await pollUntil('the group to wait', () => apart.length === 1);
      locked.clear();
      free();
      assert.deepEqual(await Promise.all(results), ['done 11', 'done 21', 'done 31']);
      assert.deepEqual(apart, [[11, 21, 31]]);
    });
  }
});
