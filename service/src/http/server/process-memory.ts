import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ProcessMemory } from './memory-monitor.ts';

const MIB = 1_024 * 1_024;
const YOUNG_SPACES = ['new_space', 'new_large_object_space'];

/** The memory of this process, as V8 and the system see it. */
export function createProcessMemory(): ProcessMemory {
  const limitBytes = oldSpaceLimit();
  const collect = createCollector();
  return {
    heap: () => ({ usedBytes: oldSpaceUsed(), limitBytes }),
    residentBytes: () => process.memoryUsage.rss(),
    collect: () => collect({ type: 'major', execution: 'sync' }),
    // Two to three times the work: it goes on until nothing more is found, and frees what is empty.
    giveBack: () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
  };
}

/** V8's own limit is for old and young objects together, but the process ends when the old ones fill theirs. */
function oldSpaceLimit(): number {
  const option = process.execArgv.find((text) => text.startsWith('--max-old-space-size='));
  const mib = Number(option?.split('=')[1]);
  return mib > 0 ? mib * MIB : getHeapStatistics().heap_size_limit;
}

function oldSpaceUsed(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name }) => !YOUNG_SPACES.includes(space_name))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}

/** Without an option of Node.js at the start, V8 hands its collector only to a new context. */
function createCollector(): (options: object) => void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof collect !== 'function') throw new Error('V8 does not hand out its collector');
  return (options) => void collect(options);
}
