import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createGroupCommit, GroupCommitFull, type GroupCommitOptions } from './group-commit.ts';

type Options = GroupCommitOptions<number, string>;

function createLane(overrides: Partial<Options> = {}) {
  const groups: number[][] = [];
  const lane = createGroupCommit<number, string>({
    ownerOf: () => 'one',
    lanes: 1,
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
  return { lane, groups };
}

it('stores commands that arrive together in one group, each with its own result', async () => {
  const { lane, groups } = createLane();
  const results = await Promise.all([1, 2, 3].map((n) => lane.submit(n)));
  assert.deepEqual(results, ['done 1', 'done 2', 'done 3']);
  assert.deepEqual(groups, [[1, 2, 3]]);
});

it('lets commands that arrive during a commit share the next one', async () => {
  const { lane, groups } = createLane();
  const first = lane.submit(1);
  await new Promise((resolve) => setImmediate(resolve));
  const others = [2, 3, 4].map((n) => lane.submit(n));
  await Promise.all([first, ...others]);
  assert.deepEqual(groups, [[1], [2, 3, 4]]);
});

it('gathers for a while where nobody hurries, and waits for no more than a group holds', async () => {
  const gatherMs = 200;
  const { lane, groups } = createLane({ gatherMs, groupMax: 3 });
  const first = lane.submit(1);
  await new Promise((resolve) => setTimeout(resolve, gatherMs / 10));
  await Promise.all([first, lane.submit(2)]);
  assert.deepEqual(groups, [[1, 2]]);
  const startedMs = performance.now();
  await Promise.all([3, 4, 5].map((n) => lane.submit(n)));
  assert.ok(performance.now() - startedMs < gatherMs, 'a full group has nothing to wait for');
});

it('refuses at once when too many wait, and takes more afterwards', async () => {
  const { lane } = createLane({ waitingMax: 2 });
  const taken = [lane.submit(1), lane.submit(2)];
  await assert.rejects(lane.submit(3), GroupCommitFull);
  await Promise.all(taken);
  assert.equal(await lane.submit(4), 'done 4');
});

it('does not let one command that cannot be stored fail its neighbours', async () => {
  const { lane } = createLane({
    mayBeOneCommandsFault: () => true,
    async commit(commands) {
      if (commands.includes(5)) throw new Error('5 cannot be stored');
      return commands.map((command) => `done ${command}`);
    },
  });
  const results = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7].map((n) => lane.submit(n)));
  assert.deepEqual(
    results.map((result) => result.status === 'fulfilled'),
    [true, true, true, true, false, true, true],
  );
});

it('fails the whole group, without a second try, when nobody knows whether it was stored', async () => {
  let commits = 0;
  const { lane } = createLane({
    async commit() {
      commits += 1;
      throw new Error('connection lost');
    },
  });
  const results = await Promise.allSettled([1, 2, 3].map((n) => lane.submit(n)));
  assert.ok(results.every((result) => result.status === 'rejected'));
  assert.equal(commits, 1);
});

it('becomes idle only after the last commit', async () => {
  const { lane, groups } = createLane({ groupMax: 1 });
  const results = [1, 2, 3].map((n) => lane.submit(n));
  await lane.idle();
  assert.deepEqual(groups, [[1], [2], [3]]);
  await Promise.all(results);
});
