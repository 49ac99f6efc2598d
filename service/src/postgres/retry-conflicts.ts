import { sqlState } from './database.ts';

/** Deadlock detected; could not serialize. The server rolled everything back, so nothing was done. */
const CONFLICT_STATES = ['40P01', '40001'];
/** A deadlock takes a second to be noticed: more tries would outlast the caller's patience. */
const TRIES_MAX = 5;
/** Spread over about one commit, so that the same two statements do not meet again. */
const JITTER_MAX_MS = 50;

type RetryDeps = Readonly<{ wait: (ms: number) => Promise<void>; random: () => number }>;

/** Does the work again when the database broke it off because of a concurrent statement. */
export async function retryConflicts<T>(deps: RetryDeps, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!CONFLICT_STATES.includes(sqlState(error) ?? '') || tries === TRIES_MAX) throw error;
      await deps.wait(deps.random() * JITTER_MAX_MS * tries);
    }
  }
}
