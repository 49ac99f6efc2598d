import type { MoveLock } from '../src/cells/move/move-lock.ts';

/** For tests of one step of a move, which no other process does at the same time. */
export const HELD_LOCK: MoveLock = { check: () => Promise.resolve() };
