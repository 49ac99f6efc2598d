import type { Config } from '../config/config.ts';
import { type Admission, createAdmission } from '../postgres/admit-connections.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../postgres/database.ts';
import { DIRECTORY, DIRECTORY_COPY, searchPathOf } from '../schema/service-schema.ts';
import type { Logger } from '../telemetry/logger.ts';

/** Connections of one process: writers commit groups, readers serve everything else. */
const WRITERS_MAX = 12;
/** One for each kind of group that moves money. */
const GROUP_WRITERS_MAX = 3;
const READERS_MAX = 8;
/** A cell has at least this many of each, however many cells share its server. */
const CONNECTIONS_MIN = 2;
/**
 * How long a whole group waits for one locked wallet, and with it all commands behind the group. Far longer than other
 * processes normally keep a wallet locked.
 */
const GROUP_LOCK_TIMEOUT_MS = 1_000;
/** Past this deadline the response is 503, and the group's outcome is unknown. */
const COMMIT_DEADLINE_MS = 8_000;

/** Where a cell is. */
export type CellPlace = Readonly<{
  name: string;
  schema: string;
  /** Where its server is now. */
  connectionString: () => string;
  /** The cells that share this server's connections. */
  cellsOnServer: number;
}>;

/** The handles of one cell. */
export type CellDatabases = Readonly<{
  writes: Database;
  /** For groups of transfers: gives up soon when one of their wallets is locked. */
  groupWrites: Database;
  reads: Database;
  /** Asks whether the cell answers. It has a connection of its own, so that no work is ahead of the question. */
  probe: Database;
}>;

type OpenDeps = Readonly<{ config: Config; logger: Logger }>;

/** Decides about new connections to one server. */
export function createServerAdmission({ config, logger }: OpenDeps): Admission {
  return createAdmission({
    allowUnsafe: config.allowUnsafeDatabase,
    onRefused: (error) => logger.error({ err: error }, 'a new database connection was refused'),
  });
}

/** People, keys, routes and what else is not of one book. */
export function openDirectory(
  deps: OpenDeps,
  at: Readonly<{ connectionString: () => string; admission: Admission }>,
): Database {
  return open(deps, {
    ...at,
    applicationName: 'kafue directory',
    connectionsMax: READERS_MAX,
    searchPath: [DIRECTORY.schema],
  });
}

/** The copy of the directory on another server. */
export function openCopy(deps: OpenDeps, connectionString: () => string): Database {
  return open(deps, {
    connectionString,
    admission: createServerAdmission(deps),
    applicationName: 'kafue copier',
    connectionsMax: 1,
    searchPath: [DIRECTORY_COPY.schema],
  });
}

export function openCellDatabases(
  deps: OpenDeps &
    Readonly<{ connectionString: CellPlace['connectionString']; admission: Admission }>,
  { name, schema, connectionString, cellsOnServer }: CellPlace,
): CellDatabases {
  const isAtHome = connectionString === deps.connectionString;
  const admission = isAtHome ? deps.admission : createServerAdmission(deps);
  const share = (connectionsMax: number) =>
    Math.max(CONNECTIONS_MIN, Math.floor(connectionsMax / cellsOnServer));
  const openFor = (
    work: string,
    connectionsMax: number,
    options: Pick<DatabaseOptions, 'keepPlans' | 'lockTimeoutMs'>,
  ) =>
    open(deps, {
      connectionString,
      admission,
      applicationName: cellsOnServer === 1 ? `kafue ${work}` : `kafue ${name} ${work}`,
      connectionsMax,
      searchPath: searchPathOf({ schema }),
      ...options,
    });
  return {
    writes: openFor('writer', share(WRITERS_MAX), { keepPlans: true }),
    groupWrites: openFor('group writer', share(GROUP_WRITERS_MAX), {
      keepPlans: true,
      lockTimeoutMs: GROUP_LOCK_TIMEOUT_MS,
    }),
    reads: openFor('reader', share(READERS_MAX), {}),
    probe: openFor('probe', 1, {}),
  };
}

function open(
  { logger }: OpenDeps,
  { applicationName, ...options }: Omit<DatabaseOptions, 'deadlineMs' | 'onError'>,
): Database {
  return openDatabase({
    ...options,
    applicationName: `${applicationName} ${process.pid}`,
    deadlineMs: COMMIT_DEADLINE_MS,
    onError: (error) => logger.warn({ err: error }, 'a database connection was lost'),
  });
}
