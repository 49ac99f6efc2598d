import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createBreaker } from './breaker.ts';

function createClock() {
  let nowMs = 0;
  return { monotonicMs: () => nowMs, pass: (ms: number) => void (nowMs += ms) };
}

function openBreaker() {
  const clock = createClock();
  const breaker = createBreaker({
    monotonicMs: clock.monotonicMs,
    random: () => 0.5,
    timeScale: 1,
  });
  for (let n = 0; n < 5; n += 1) {
    assert.equal(breaker.isOpen(), false);
    breaker.began();
    breaker.ended(false);
  }
  return { breaker, clock };
}

it('opens after five submissions in a row without an answer, and then allows none', () => {
  const { breaker } = openBreaker();
  assert.equal(breaker.isOpen(), true);
  assert.equal(breaker.free(), 0);
});

it('does not open while any answers arrive in between', () => {
  const breaker = createBreaker({ monotonicMs: () => 0, random: () => 0.5, timeScale: 1 });
  for (let n = 0; n < 100; n += 1) breaker.ended(n % 5 === 0);
  assert.equal(breaker.isOpen(), false);
});

it('allows one after a pause, and closes when it is answered', () => {
  const { breaker, clock } = openBreaker();
  clock.pass(2_000);
  assert.equal(breaker.free(), 1);
  breaker.began();
  assert.equal(breaker.free(), 0, 'one at a time');
  breaker.ended(true);
  assert.equal(breaker.isOpen(), false);
  assert.ok(breaker.free() > 1);
});

it('doubles its pause after each failed try, up to a minute', () => {
  const { breaker, clock } = openBreaker();
  const pauses: number[] = [];
  for (let tries = 0; tries < 7; tries += 1) {
    let pausedMs = 0;
    while (breaker.free() === 0) {
      clock.pass(1_000);
      pausedMs += 1_000;
    }
    pauses.push(pausedMs);
    breaker.began();
    breaker.ended(false);
  }
  assert.deepEqual(pauses, [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
});

it('allows another try if the submission that it allowed was never sent', () => {
  const { breaker, clock } = openBreaker();
  clock.pass(2_000);
  breaker.began();
  breaker.letGo();
  assert.equal(breaker.free(), 1);
});

it('is not kept open longer by submissions that began before it opened', () => {
  const { breaker, clock } = openBreaker();
  clock.pass(1_999);
  breaker.ended(false);
  clock.pass(1);
  assert.equal(breaker.free(), 1);
});
