import type { Config } from '../config/config.ts';
import { type ConnectionAdmission, createAdmission } from '../postgres/admit-connections.ts';
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
  type ResizableDatabase,
} from '../postgres/database.ts';
import { DIRECTORY, DIRECTORY_COPY, searchPathOf } from '../schema/service-schema.ts';
import type { Logger } from '../telemetry/logger.ts';

const DIRECTORY_CONNECTIONS_MAX = 8;
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
  /** The environment variable of that; null: the server of the directory. */
  urlVariable: string | null;
  /** Whether another cell is there too. */
  sharesServer: boolean;
}>;

/** The handles of one cell. */
export type CellDatabases = Readonly<{
  writes: ResizableDatabase;
  /** For groups of transfers: gives up soon when one of their wallets is locked. */
  groupWrites: ResizableDatabase;
  reads: ResizableDatabase;
  /**
   * Looks keys up, and asks whether the cell answers. It has connections of its own: calls of one merchant that
   * wait for a lock do not delay the keys of others.
   */
  lookups: ResizableDatabase;
}>;

/** How many connections each of them may have. */
export type PoolSizes = Readonly<Record<keyof CellDatabases, number>>;

type OpenDeps = Readonly<{ config: Config; logger: Logger }>;

/** Decides about new connections to one server. */
export function createServerAdmission({ config, logger }: OpenDeps): ConnectionAdmission {
  return createAdmission({
    allowUnsafe: config.allowUnsafeDatabase,
    onRefused: (error) => logger.error({ err: error }, 'a new database connection was refused'),
  });
}

/** People, keys, routes and what else is not of one book. */
export function openDirectory(
  deps: OpenDeps,
  at: Readonly<{ connectionString: () => string; admission: ConnectionAdmission }>,
): Database {
  return open(deps, {
    ...at,
    applicationName: 'kafue directory',
    connectionsMax: DIRECTORY_CONNECTIONS_MAX,
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

/** The handles have no connection before they are given some (connection-shares.ts). */
export function openCellDatabases(
  deps: OpenDeps &
    Readonly<{ connectionString: CellPlace['connectionString']; admission: ConnectionAdmission }>,
  { name, schema, connectionString, sharesServer }: CellPlace,
): CellDatabases {
  const isAtHome = connectionString === deps.connectionString;
  const admission = isAtHome ? deps.admission : createServerAdmission(deps);
  const openFor = (work: string, options: Pick<DatabaseOptions, 'keepPlans' | 'lockTimeoutMs'>) =>
    open(deps, {
      connectionString,
      admission,
      applicationName: sharesServer ? `kafue ${name} ${work}` : `kafue ${work}`,
      connectionsMax: 0,
      searchPath: searchPathOf({ schema }),
      ...options,
    });
  return {
    writes: openFor('writer', { keepPlans: true }),
    groupWrites: openFor('group writer', {
      keepPlans: true,
      lockTimeoutMs: GROUP_LOCK_TIMEOUT_MS,
    }),
    reads: openFor('reader', {}),
    lookups: openFor('lookups', {}),
  };
}

function open(
  { logger }: OpenDeps,
  { applicationName, ...options }: Omit<DatabaseOptions, 'deadlineMs' | 'onError'>,
): ResizableDatabase {
  return openDatabase({
    ...options,
    applicationName: `${applicationName} ${process.pid}`,
    deadlineMs: COMMIT_DEADLINE_MS,
    onError: (error) => logger.warn({ err: error }, 'a database connection was lost'),
  });
}
