import type { ControlSnapshots } from '../../controls/control-snapshots.ts';
import type { Routes } from '../../operators/routes/route.ts';
import type { Database, Queryable } from '../../postgres/database.ts';

export type FileLifeDeps = Readonly<{
  database: Database;
  /** For the floats of routes. */
  directory: Queryable;
  routes: Routes;
  controls: ControlSnapshots;
  now: () => Date;
  newId: () => string;
  /** Has files looked at that are due. */
  wake: () => void;
}>;
