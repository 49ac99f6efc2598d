import type { Routes } from '../../operators/routes/route.ts';
import type { Database } from '../../postgres/database.ts';
import type { AskDeps } from '../../resolutions/ask-operator.ts';

/** What the operations of the staff work with. */
export type StaffDeps = Readonly<{
  /** People, their acts, and the books that are written to. */
  database: Database;
  /** The databases that have books. A list over books asks each for its part. */
  databases: readonly Database[];
  routes: Routes;
  now: () => Date;
  monotonicMs: () => number;
  newId: () => string;
  randomBytes: (size: number) => Uint8Array;
  leaseOwner: string;
  /** Has the dispatcher inquire about a transfer whose lease was taken for it. */
  ask: AskDeps['ask'];
}>;
