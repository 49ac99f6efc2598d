import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { createAgenda } from './agenda.ts';

it('returns entries by time, and those of one moment in the order of their insertion', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 20 }), { maxLength: 200 }), (times) => {
      const agenda = createAgenda();
      const handed: [number, number][] = [];
      times.forEach((atMs, order) => {
        agenda.at(atMs, () => handed.push([agenda.nowMs(), order]));
      });
      for (let run = agenda.takeNext(20); run !== undefined; run = agenda.takeNext(20)) run();
      const expected = times
        .map((atMs, order): [number, number] => [atMs, order])
        .sort(([one, first], [other, second]) => one - other || first - second);
      assert.deepEqual(handed, expected);
    }),
  );
});

it('keeps entries after the end, and never goes back in time', () => {
  const agenda = createAgenda();
  agenda.at(10, () => agenda.at(3, () => undefined));
  agenda.at(30, () => undefined);
  agenda.takeNext(20)?.();
  assert.equal(typeof agenda.takeNext(20), 'function');
  assert.equal(agenda.nowMs(), 10);
  assert.equal(agenda.takeNext(20), undefined);
  assert.equal(typeof agenda.takeNext(30), 'function');
});
