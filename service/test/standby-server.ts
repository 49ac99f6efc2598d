import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, openDatabase } from '../src/postgres/database.ts';
import { findClusterPlace } from '../src/postgres/embedded/cluster-place.ts';
import { openEmbeddedPostgres } from '../src/postgres/embedded/open-embedded-postgres.ts';
import { prepareDatabase } from '../src/schema/prepare-database.ts';
import { MAIN_CELL, searchPathOf } from '../src/schema/service-schema.ts';
import { createDataDir, removeDataDir } from './data-dir.ts';
import { readPostmasterPid } from './embedded/data-folders.ts';
import { pollUntil } from './poll.ts';

export type StandbyServer = Readonly<{
  connectionString: string;
  database: Database;
  /** From now on every commit waits for a standby that does not exist. */
  demandStandby(): Promise<void>;
  /** Resolves when a commit waits for the standby, with the pid of its session. */
  untilCommitWaits(): Promise<number>;
  query(text: string): Promise<void>;
  close(): Promise<void>;
}>;

/** The test's own PostgreSQL server, with our tables, whose configuration the test may change. */
export async function openStandbyServer(): Promise<StandbyServer> {
  const dataDir = await createDataDir();
  const user = { dataDir, role: 'admin', description: 'kafue test' } as const;
  const server = await openEmbeddedPostgres({ say: () => undefined }, user);
  const { connectionString } = server;
  const database = openDatabase({
    connectionString,
    applicationName: 'kafue-test',
    connectionsMax: 2,
    searchPath: searchPathOf(MAIN_CELL),
    onError: () => undefined,
  });
  await prepareDatabase(database, { role: undefined, say: () => undefined });
  const first = async <T>(text: string): Promise<T | undefined> =>
    (await database.query<{ value: T }>({ name: '', text }))[0]?.value;
  return {
    connectionString,
    database,
    async demandStandby() {
      const { clusterDir } = await findClusterPlace(dataDir);
      const file = join(clusterDir, 'postgresql.conf');
      await appendFile(file, `\nsynchronous_standby_names = 'missing'\n`);
      process.kill(await readPostmasterPid(clusterDir), 'SIGHUP');
      const names = `select current_setting('synchronous_standby_names') as value`;
      await pollUntil('the new configuration', async () => (await first(names)) === 'missing');
    },
    async untilCommitWaits() {
      let pid: number | undefined;
      await pollUntil('a commit to wait for the standby', async () => {
        pid = await first<number>(WAITING);
        return pid !== undefined;
      });
      return pid ?? 0;
    },
    async query(text) {
      await database.query({ name: '', text });
    },
    async close() {
      await database.close();
      await server.close();
      await removeDataDir(dataDir);
    },
  };
}

const WAITING = `select pid as value from pg_stat_activity where wait_event = 'SyncRep' limit 1`;
