import { sqlState } from './database.ts';

/** Deadlock detected; could not serialize. The server rolled everything back, so nothing was done. */
const CONFLICT_STATES = ['40P01', '40001'];
/** PostgreSQL takes a second to detect a deadlock: more tries would take longer than callers wait. */
const TRIES_MAX = 5;
/** Spread over about the duration of one commit, so that the same two statements do not collide again. */
const JITTER_MAX_MS = 50;

type RetryDeps = Readonly<{ wait: (ms: number) => Promise<void>; random: () => number }>;

/** Retries the work when the database aborted it because of a concurrent statement. */
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
