import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { createRateLimit } from './rate-limit.ts';

/** A clock that the test advances; timers fire in order. */
function createTime() {
  let nowMs = 0;
  const timers: { atMs: number; end: () => void }[] = [];
  async function pass(ms: number): Promise<void> {
    await settle();
    const untilMs = nowMs + ms;
    for (;;) {
      timers.sort((one, other) => one.atMs - other.atMs);
      const [next] = timers;
      if (next === undefined || next.atMs > untilMs) break;
      timers.shift();
      nowMs = Math.max(nowMs, next.atMs);
      next.end();
      await settle();
    }
    nowMs = untilMs;
  }
  return {
    monotonicMs: () => nowMs,
    wait: (ms: number) => new Promise<void>((end) => void timers.push({ atMs: nowMs + ms, end })),
    pass,
    /** The process is suspended: timers that were due meanwhile all fire afterwards. */
    standStill: (ms: number) => void (nowMs += ms),
  };
}

async function settle(): Promise<void> {
  for (let n = 0; n < 10; n += 1) await Promise.resolve();
}

function limitAt(perSecond: number) {
  const time = createTime();
  const limit = createRateLimit({ ...time, perSecond: () => perSecond, aheadMs: 500 });
  const begun: number[] = [];
  const begin = (): void => {
    limit.take();
    void limit.turn().then(() => begun.push(time.monotonicMs()));
  };
  return { time, limit, begun, begin };
}

function mostInASecond(begun: readonly number[]): number {
  return Math.max(
    0,
    ...begun.map((from) => begun.filter((at) => at >= from && at < from + 1_000).length),
  );
}

it('never exceeds the limit in any second, and uses nearly all of it', async () => {
  const { time, limit, begun, begin } = limitAt(10);
  for (let n = 0; n < 50; n += 1) {
    while (limit.free() > 0) begin();
    await time.pass(200);
  }
  assert.equal(mostInASecond(begun), 9);
  assert.ok(begun.length >= 82 && begun.length <= 100, `${begun.length} in ten seconds`);
});

it('spaces the starts evenly, also after a quiet time', async () => {
  const { time, limit, begun, begin } = limitAt(10);
  await time.pass(60_000);
  assert.equal(limit.free(), 5, 'half a second ahead');
  while (limit.free() > 0) begin();
  await time.pass(1_000);
  assert.deepEqual(
    begun.map((at) => at - 60_000),
    [0, 120, 240, 360, 480],
  );
});

it('holds if more are taken than are free: they wait longer', async () => {
  const { time, limit, begun, begin } = limitAt(10);
  for (let n = 0; n < 40; n += 1) begin();
  assert.equal(limit.free(), 0);
  await time.pass(10_000);
  assert.equal(begun.length, 40);
  assert.ok(mostInASecond(begun) <= 10);
});

it('holds after the process was suspended and many turns are due at once', async () => {
  const { time, begun, begin } = limitAt(10);
  for (let n = 0; n < 30; n += 1) begin();
  await time.pass(200);
  time.standStill(1_700);
  await time.pass(10_000);
  assert.equal(begun.length, 30);
  assert.ok(mostInASecond(begun) <= 10, `${mostInASecond(begun)} in a second`);
});

it('holds on arrival even if some requests are late by 200 ms', async () => {
  const { time, begun, begin } = limitAt(10);
  for (let n = 0; n < 40; n += 1) begin();
  await time.pass(10_000);
  const arrived = begun.map((at, n) =>
    n % 7 < 3 ? Math.max(at, (begun[n - (n % 7)] ?? 0) + 200) : at,
  );
  assert.ok(mostInASecond(arrived) <= 10, `${mostInASecond(arrived)} in a second`);
});

it('allows fractions: one in two seconds', async () => {
  const { time, limit, begun, begin } = limitAt(0.5);
  for (let n = 0; n < 100; n += 1) {
    if (limit.free() > 0) begin();
    await time.pass(100);
  }
  assert.deepEqual(begun, [0, 2_400, 4_800, 7_200, 9_600]);
});

it('holds for any sequence of takes and times', async () => {
  const step = fc.record({
    take: fc.integer({ min: 0, max: 30 }),
    passMs: fc.integer({ min: 0, max: 700 }),
    stillMs: fc.constantFrom(0, 0, 0, 50, 400, 1_500),
  });
  const steps = fc.array(step, { maxLength: 15 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 20 }), steps, async (perSecond, moves) => {
      const { time, begun, begin } = limitAt(perSecond);
      for (const { take, passMs, stillMs } of moves) {
        for (let n = 0; n < take; n += 1) begin();
        await time.pass(passMs);
        time.standStill(stillMs);
      }
      await time.pass(1_000_000);
      assert.equal(
        begun.length,
        moves.reduce((sum, { take }) => sum + take, 0),
      );
      assert.ok(mostInASecond(begun) <= perSecond, `${mostInASecond(begun)} in a second`);
    }),
    { numRuns: 50 },
  );
});
