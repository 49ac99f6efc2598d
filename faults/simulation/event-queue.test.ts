import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { createEventQueue } from './event-queue.ts';

it('returns entries by time, and those of one moment in the order of their insertion', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 20 }), { maxLength: 200 }), (times) => {
      const eventQueue = createEventQueue();
      const handed: [number, number][] = [];
      times.forEach((atMs, order) => {
        eventQueue.at(atMs, () => handed.push([eventQueue.nowMs(), order]));
      });
      for (let run = eventQueue.takeNext(20); run !== undefined; run = eventQueue.takeNext(20))
        run();
      const expected = times
        .map((atMs, order): [number, number] => [atMs, order])
        .sort(([one, first], [other, second]) => one - other || first - second);
      assert.deepEqual(handed, expected);
    }),
  );
});

it('keeps entries after the end, and never goes back in time', () => {
  const eventQueue = createEventQueue();
  eventQueue.at(10, () => eventQueue.at(3, () => undefined));
  eventQueue.at(30, () => undefined);
  eventQueue.takeNext(20)?.();
  assert.equal(typeof eventQueue.takeNext(20), 'function');
  assert.equal(eventQueue.nowMs(), 10);
  assert.equal(eventQueue.takeNext(20), undefined);
  assert.equal(typeof eventQueue.takeNext(30), 'function');
});
