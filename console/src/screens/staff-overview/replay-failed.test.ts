import assert from 'node:assert/strict';
import { it } from 'node:test';
import { replayFailed } from './replay-failed.ts';

it('goes on where the last call ended, until nothing is left', async () => {
  const bodies: unknown[] = [];
  const answers = [
    { replayed: 10_000, nextFrom: 'first' },
    { replayed: 10_000, nextFrom: 'second' },
    { replayed: 7, nextFrom: null },
  ];
  const done = await replayFailed(async (body) => {
    bodies.push(body);
    return answers[bodies.length - 1] ?? { replayed: 0, nextFrom: null };
  });
  assert.deepEqual(done, { replayed: 20_007, isWhole: true });
  assert.deepEqual(bodies, [{}, { from: 'first' }, { from: 'second' }]);
});

it('stops after 20 calls and says that more is left', async () => {
  const done = await replayFailed(async () => ({ replayed: 10_000, nextFrom: 'later' }));
  assert.deepEqual(done, { replayed: 200_000, isWhole: false });
});
