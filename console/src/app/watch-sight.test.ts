import assert from 'node:assert/strict';
import { it } from 'node:test';
import { watchSight } from './watch-sight.ts';

it('counts a page as out of sight after a while, and as in sight at once', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const page = Object.assign(new EventTarget(), { hidden: false });
  const told: boolean[] = [];
  const end = watchSight(page, {
    onChange: (isInSight) => told.push(isInSight),
    hiddenMs: 5_000,
  });
  const turn = (hidden: boolean) => {
    page.hidden = hidden;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  assert.deepEqual(told, [true]);
  turn(true);
  t.mock.timers.tick(4_999);
  turn(false);
  t.mock.timers.tick(60_000);
  assert.deepEqual(told, [true, true], 'a short look elsewhere closes nothing');
  turn(true);
  t.mock.timers.tick(5_000);
  assert.deepEqual(told, [true, true, false]);
  turn(false);
  assert.deepEqual(told, [true, true, false, true]);
  turn(true);
  end();
  t.mock.timers.tick(60_000);
  assert.equal(told.length, 4);
});
