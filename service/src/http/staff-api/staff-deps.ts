import type { Cell, Cells } from '../../cells/cell.ts';
import type { Routes } from '../../operators/routes/route.ts';
import type { Database } from '../../postgres/database.ts';
import type { InquireNowDeps } from '../../resolutions/inquire-now.ts';

/** What the operations of the staff work with. */
export type StaffDeps = Readonly<{
  /** People, keys, routes, and where merchants are. */
  directory: Database;
  /** A list over books asks each for its part; what concerns one book is done in its cell. */
  cells: Cells;
  routes: Routes;
  now: () => Date;
  monotonicMs: () => number;
  newId: () => string;
  randomBytes: (size: number) => Uint8Array;
  leaseOwner: string;
  /** Has the dispatcher of a cell inquire about a transfer whose lease was taken for it. */
  askIn: (cell: string) => InquireNowDeps['ask'];
}>;

/** The same for what concerns one cell. */
export type StaffDepsInCell = StaffDeps & Readonly<{ database: Database }>;

export function inCell(deps: StaffDeps, { database }: Cell): StaffDepsInCell {
  return { ...deps, database };
}
