import type { BackgroundLoop } from '../../background/background-loop.ts';
import type { Routes } from '../../operators/routes/route.ts';
import type { Database, Queryable } from '../../postgres/database.ts';

/** What the operations on payout files need. */
export type PayoutFileDeps = Readonly<{
  database: Database;
  /** For the floats of routes. */
  directory: Queryable;
  routes: Routes;
  now: () => Date;
  newId: () => string;
  /** Resolves after this time. */
  wait: (ms: number) => Promise<unknown>;
  monotonicMs: () => number;
  /** Checks what was uploaded. */
  checker: Pick<BackgroundLoop, 'wake'>;
  /** Asks operators for names. */
  nameChecker: Pick<BackgroundLoop, 'wake'>;
}>;
