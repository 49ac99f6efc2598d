import { totalmem } from 'node:os';

const MIB = 1_024 * 1_024;
/**
 * The process itself takes a quarter of the memory for its heap, and two files are read at once. So the three heaps take
 * half of it, and the rest is for memory outside of them and for PostgreSQL.
 */
const HEAP_SHARE = 1 / 8;
/** A thread whose next object exceeds the heap by 16 MiB ends the whole process. A CSV file becomes a text of up to 40 MiB. */
const HEAP_MIN_MIB = 96;
/** The largest file that is allowed takes half of it. */
const HEAP_MAX_MIB = 256;
/** The space for new objects, beside that heap. By default a thread gets as much as the process. */
const YOUNG_MIB = 24;

type ThreadMemory = Readonly<{ maxOldGenerationSizeMb: number; maxYoungGenerationSizeMb: number }>;

/** The memory of a thread that reads a file, on a machine or in a container with this much. */
export function threadMemory(bytes = availableBytes()): ThreadMemory {
  const heapMib = Math.min(HEAP_MAX_MIB, Math.max(HEAP_MIN_MIB, (bytes / MIB) * HEAP_SHARE));
  return { maxOldGenerationSizeMb: Math.round(heapMib), maxYoungGenerationSizeMb: YOUNG_MIB };
}

function availableBytes(): number {
  const limit = process.constrainedMemory();
  // 0 is "no limit", and so is a number beyond all memory.
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
