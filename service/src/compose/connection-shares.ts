import type { CellDatabases, PoolSizes } from './databases.ts';

/** Connections of one process to one server: writers commit groups, readers serve everything else. */
const WRITERS_MAX = 12;
/** One for each kind of group that moves money. */
const GROUP_WRITERS_MAX = 3;
const READERS_MAX = 8;
/** A cell has at least this many of each, however many cells share its server. */
const CONNECTIONS_MIN = 2;
const LOOKUPS_MIN = 1;

/** The connections of each cell where so many share a server. */
export function shareConnections(cellsOnServer: number): PoolSizes {
  const share = (max: number) => Math.max(CONNECTIONS_MIN, Math.floor(max / cellsOnServer));
  const readers = share(READERS_MAX);
  // A second one for keys, so that one that breaks keeps none out: taken from the readers, where there are enough.
  const second = readers > CONNECTIONS_MIN ? 1 : 0;
  return {
    writes: share(WRITERS_MAX),
    groupWrites: share(GROUP_WRITERS_MAX),
    reads: readers - second,
    lookups: LOOKUPS_MIN + second,
  };
}

type Server = { readonly cells: Set<CellDatabases>; dividing: Promise<void> };

/**
 * Divides the connections to each server among its cells, also while cells come and go. A cell that is added opens none
 * before the others have closed theirs, and the others get those of one that is gone once it has closed them: so there
 * are never more than the cells' shares.
 */
export class ConnectionShares {
  readonly #servers = new Map<string | null, Server>();

  /** `server`: the environment variable of its address; null: that of the directory. The handles have no connection yet. */
  join(server: string | null, databases: CellDatabases): void {
    const shared = this.#servers.get(server) ?? { cells: new Set(), dividing: Promise.resolve() };
    this.#servers.set(server, shared);
    shared.cells.add(databases);
    shared.dividing = divideAfter(shared.dividing, shared.cells);
  }

  /** After the handles were closed. */
  leave(server: string | null, databases: CellDatabases): void {
    const shared = this.#servers.get(server);
    if (shared?.cells.delete(databases) !== true) return;
    shared.dividing = divideAfter(shared.dividing, shared.cells);
  }
}

async function divideAfter(
  before: Promise<void>,
  cells: ReadonlySet<CellDatabases>,
): Promise<void> {
  await before;
  const share = shareConnections(cells.size);
  const hasLess = ({ writes }: CellDatabases) => writes.connectionsMax() < share.writes;
  const { less = [], enough = [] } = Object.groupBy(cells, (cell) =>
    hasLess(cell) ? 'less' : 'enough',
  );
  await resizeAll(enough, share);
  await resizeAll(less, share);
}

async function resizeAll(cells: readonly CellDatabases[], share: PoolSizes): Promise<void> {
  await Promise.all(
    cells.flatMap(({ writes, groupWrites, reads, lookups }) => [
      writes.resize(share.writes),
      groupWrites.resize(share.groupWrites),
      reads.resize(share.reads),
      lookups.resize(share.lookups),
    ]),
  );
}
