import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createLaterLook } from './later-look.ts';

it('looks again as long after the last news as the figures are kept', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let looks = 0;
  const later = createLaterLook(() => {
    looks += 1;
  }, 5_500);
  later.plan();
  t.mock.timers.tick(5_400);
  // Too late for the look that is planned: the figures that it finds may be older than this.
  later.plan();
  t.mock.timers.tick(100);
  assert.equal(looks, 1);
  t.mock.timers.tick(5_500);
  assert.equal(looks, 2);
  t.mock.timers.tick(60_000);
  assert.equal(looks, 2, 'without news there is nothing to look for');
});

it('is not put off by news without end', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let looks = 0;
  const later = createLaterLook(() => {
    looks += 1;
  }, 5_500);
  for (let ms = 0; ms < 22_000; ms += 100) {
    later.plan();
    t.mock.timers.tick(100);
  }
  later.stop();
  assert.equal(looks, 4);
});
