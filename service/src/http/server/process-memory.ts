import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ProcessMemory } from './memory-monitor.ts';

const MIB = 1_024 * 1_024;
const YOUNG_SPACES = ['new_space', 'new_large_object_space'];

/**
 * V8 compiles code for the shapes of objects, and drops the code with the shape. By default it drops a shape after two
 * collections without such an object, and after a busy time already in the first one. Then the next seconds of load
 * cost half as much again.
 */
const KEEP_COMPILED_CODE = ['--no-memory-reducer-favors-memory', '--retain-maps-for-n-gc=1000'];

/** The memory of this process, as V8 and the system see it. Also tells V8 to keep compiled code in quiet times. */
export function createProcessMemory(): ProcessMemory {
  for (const flag of KEEP_COMPILED_CODE) setFlagsFromString(flag);
  const limitBytes = oldSpaceLimit();
  const collect = createCollector();
  return {
    heap: () => ({ usedBytes: oldSpaceUsed(), limitBytes }),
    residentBytes: () => process.memoryUsage.rss(),
    collect: () => collect({ type: 'major', execution: 'sync' }),
    // Takes two to three times as long: it repeats until nothing more is found, and frees empty memory.
    giveBack: () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
  };
}

/**
 * V8 reports one limit for old and young objects together, but the process crashes when the old ones fill their part.
 */
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

/** Without a command-line option, V8 exposes its collector only to a new context. */
function createCollector(): (options: object) => void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof collect !== 'function') throw new Error('V8 does not hand out its collector');
  return (options) => void collect(options);
}
