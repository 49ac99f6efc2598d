/** How much memory the service may use, from the memory of the machine or its container. */
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';

const MIB = 1_024 * 1_024;
/** The files in which Linux has a container's limit: cgroup v2, then v1. */
const CGROUP_LIMIT_FILES = [
  '/sys/fs/cgroup/memory.max',
  '/sys/fs/cgroup/memory/memory.limit_in_bytes',
];

/**
 * A quarter of the memory is for objects: the same machine runs PostgreSQL, and memory outside this heap (code,
 * connections, bodies that arrive, answers that leave) takes up to 250 MiB more. The two threads that read payout
 * files take another quarter (service/src/payout-files/reading/thread-memory.ts).
 *
 * At most 320: a busy service holds 60 to 120, and the limits on requests together keep it below 200. Everything beyond
 * that is garbage, which a larger heap only collects later. At least 96: below that it would collect garbage
 * continuously.
 */
const HEAP_SHARE = 1 / 4;
const HEAP_MIN_MIB = 96;
const HEAP_MAX_MIB = 320;
/**
 * The space for new objects, most of which become garbage at once. With 32, the objects of requests under load are
 * freed here instead of being copied to the old space, which gains a tenth of the speed. There are three spaces of this
 * size.
 */
const SEMI_SPACE_MIB = 32;
const SEMI_SPACE_SMALL_MIB = 8;
const SMALL_MACHINE_MIB = 1_024;

/** The memory of this machine, or the limit of its container if that is less. */
export function availableBytes(read = readText, total = totalmem()) {
  const limits = CGROUP_LIMIT_FILES.map((path) => Number.parseInt(read(path), 10));
  // "No limit" is the word "max" in v2, and a number beyond all memory in v1.
  return Math.min(total, ...limits.filter((limit) => limit > 0));
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Options of Node.js for a process with this much memory. */
export function heapOptions(bytes) {
  const mib = bytes / MIB;
  const heap = Math.round(Math.min(HEAP_MAX_MIB, Math.max(HEAP_MIN_MIB, mib * HEAP_SHARE)));
  const semiSpace = mib < SMALL_MACHINE_MIB ? SEMI_SPACE_SMALL_MIB : SEMI_SPACE_MIB;
  return [`--max-semi-space-size=${semiSpace}`, `--max-old-space-size=${heap}`];
}

/**
 * Settings of the C library, which by default keeps memory that a busy minute needed: it uses fewer pools for its
 * threads, and returns large blocks and the end of a pool at once.
 */
export const MALLOC_ENVIRONMENT = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
