import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createPause } from './pause.ts';

function pauseAt(timeScale: number) {
  let nowMs = 0;
  const pause = createPause({ monotonicMs: () => nowMs, timeScale });
  return { pause, pass: (ms: number) => void (nowMs += ms) };
}

it('lasts as long as the operator says, a second if it does not, a minute at most', () => {
  for (const [asked, lasts] of [
    [7_000, 7_000],
    [null, 1_000],
    [3_600_000, 60_000],
    [0, 0],
  ] as const) {
    const { pause, pass } = pauseAt(1);
    assert.equal(pause.leftMs(), 0);
    pause.begin(asked);
    assert.equal(pause.leftMs(), lasts);
    pass(lasts);
    assert.equal(pause.leftMs(), 0);
  }
});

it('is not shortened by a later answer with a shorter time', () => {
  const { pause } = pauseAt(1);
  pause.begin(9_000);
  pause.begin(null);
  assert.equal(pause.leftMs(), 9_000);
});

it('is long while more than five seconds are left', () => {
  const { pause, pass } = pauseAt(1);
  pause.begin(6_000);
  assert.equal(pause.isLong(), true);
  pass(1_000);
  assert.equal(pause.isLong(), false);
});

it('lasts as long as the operator says, otherwise follows the time scale of its route', () => {
  const { pause } = pauseAt(0.01);
  pause.begin(null);
  assert.equal(pause.leftMs(), 10);
  assert.equal(pause.isLong(), false);
  pause.begin(60);
  assert.equal(pause.leftMs(), 60);
  assert.equal(pause.isLong(), true);
});
