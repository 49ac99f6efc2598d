import { type BackgroundLoop, createBackgroundLoop } from '../background/background-loop.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Logger } from '../telemetry/logger.ts';
import { type DueWork, findDueWork, findOpenWork, type OpenWork } from './find-due-work.ts';

/** How late work is found that another process left open. */
const FIND_INTERVAL_MS = 200;
/** Work that became due by time is found within so many looks. */
const LOOKS_PER_DUE_WORK = 3;

export type DueWorkFinderDeps = Readonly<{
  database: Queryable;
  /** The loops that do the work. */
  loops: Partial<Readonly<Record<DueWork | OpenWork, Pick<BackgroundLoop, 'wake'>>>>;
  logger: Pick<Logger, 'warn'>;
}>;

/**
 * Wakes the loops that have something to do. It looks for the work of all of them together: when each looked for
 * its own, a service without work spent most of its time on that. It reads the database each time, so it misses nothing
 * when a clock is set, after a restart, or when another process adds work.
 */
export function createDueWorkFinder({
  database,
  loops,
  logger,
}: DueWorkFinderDeps): BackgroundLoop {
  let looks = 0;
  return createBackgroundLoop({
    async round() {
      looks += 1;
      const open = await findOpenWork(database);
      const due = looks % LOOKS_PER_DUE_WORK === 0 ? await findDueWork(database) : [];
      for (const kind of [...open, ...due]) loops[kind]?.wake();
      return FIND_INTERVAL_MS;
    },
    what: 'looking for work that is due',
    logger,
    retryInMs: FIND_INTERVAL_MS,
    // Each loop begins with a round of its own.
    firstInMs: FIND_INTERVAL_MS,
  });
}
