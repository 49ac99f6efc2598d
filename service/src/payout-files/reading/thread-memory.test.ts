import assert from 'node:assert/strict';
import { it } from 'node:test';
import { heapOptions } from '../../../../scripts/fit-memory.mjs';
import { threadMemory } from './thread-memory.ts';

const GIB = 1_024 ** 3;
/** The memory of the process outside of its heap, as fit-memory.mjs says; young objects have three spaces. */
const OUTSIDE_MIB = 250 + 3 * 32;
/** The upload that a thread reads, once more as UTF-8, and code. */
const THREAD_OUTSIDE_MIB = 20 + 20 + 15;

it('the heaps of the process and of two threads that read files fit into 1 GiB', () => {
  const mainMib = Number(/max-old-space-size=(\d+)/.exec(heapOptions(GIB).join(' '))?.[1]);
  const { maxOldGenerationSizeMb, maxYoungGenerationSizeMb } = threadMemory(GIB);
  assert.equal(maxOldGenerationSizeMb, 128);
  const threadMib = maxOldGenerationSizeMb + maxYoungGenerationSizeMb + THREAD_OUTSIDE_MIB;
  const allMib = mainMib + OUTSIDE_MIB + 2 * threadMib;
  assert.ok(allMib <= 1_024, `${allMib} MiB`);
});

it('a thread has an eighth of the memory, within bounds', () => {
  const heapOf = (bytes?: number) => threadMemory(bytes).maxOldGenerationSizeMb;
  assert.deepEqual([GIB / 4, 1.5 * GIB, 24 * GIB].map(heapOf), [96, 192, 256]);
  assert.ok(heapOf() >= 96 && heapOf() <= 256);
});
