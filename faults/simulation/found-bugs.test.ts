import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { volume } from '../../scripts/test-volume.ts';
import { NOT_SURVIVED } from './extremes.ts';
import { PLANTED_BUGS } from './planted-bugs.ts';
import { runInWorker } from './run-in-worker.ts';

const EXTREME_FOUND_WITHIN = 2_000;

describe('a planted bug is found', () => {
  let seeds: readonly (number | null)[] = [];
  before(async () => {
    const searches = PLANTED_BUGS.map(({ name, foundWithin, foundAt }) => ({
      bug: name,
      within: foundWithin,
      likely: volume({ usual: foundAt, full: undefined }),
    }));
    // One thread for all: to load the service takes longer than to find most of them.
    ({ seeds } = await runInWorker({ kind: 'find red', searches }));
  });

  for (const [index, { name, foundWithin }] of PLANTED_BUGS.entries()) {
    it(`within ${foundWithin} schedules: ${name}`, () => {
      assert.equal(typeof seeds[index], 'number');
    });
  }
});

describe('an extreme that the service does not survive is found', () => {
  for (const extreme of NOT_SURVIVED) {
    it(`within ${EXTREME_FOUND_WITHIN} schedules: ${extreme}`, async () => {
      const search = { extremes: [extreme], within: EXTREME_FOUND_WITHIN };
      const { seeds } = await runInWorker({ kind: 'find red', searches: [search] });
      assert.equal(
        typeof seeds[0],
        'number',
        'the service survives it now: remove it from the list',
      );
    });
  }
});
