import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import { refreshSometimes } from './refresh-sometimes.ts';

it('refreshes once for a burst, and again for what came while it did', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const answers: (() => void)[] = [];
  const refresh = refreshSometimes(
    () => new Promise<void>((resolve) => void answers.push(resolve)),
    1_000,
  );
  for (let n = 0; n < 5; n += 1) refresh.ask();
  t.mock.timers.tick(1_000);
  assert.equal(answers.length, 1);

  // Over a slow line the answer takes longer than news need: it is waited for.
  for (let n = 0; n < 10; n += 1) {
    refresh.ask();
    t.mock.timers.tick(1_000);
  }
  assert.equal(answers.length, 1, 'a refresh was taken back by the next one');

  answers[0]?.();
  await settle();
  t.mock.timers.tick(1_000);
  assert.equal(answers.length, 2, 'what came meanwhile was forgotten');

  answers[1]?.();
  await settle();
  t.mock.timers.tick(60_000);
  assert.equal(answers.length, 2);
  refresh.ask();
  refresh.stop();
  t.mock.timers.tick(60_000);
  assert.equal(answers.length, 2);
});
