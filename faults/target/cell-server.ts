import { setTimeout as pause } from 'node:timers/promises';
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../../service/src/postgres/embedded/open-embedded-postgres.ts';
import { startLinkProxy } from '../proxy/link-proxy.ts';
import { signal } from './break-database.ts';
import {
  createDataFolder,
  findPostmaster,
  type Postmaster,
  removeDataFolder,
} from './data-folder.ts';
import { listServerProcesses, throughLink } from './target-database.ts';

/** The environment variable in which services find its address. */
export const CELL_SERVER_VARIABLE = 'FAR_DATABASE_URL';

/** When it was down; undefined: there was no server to break. */
export type Away = Readonly<{ from: Date; to: Date }> | undefined;

/** The second PostgreSQL server, with the cells that are not on the server of the directory. */
export type CellServer = Readonly<{
  dataDir: string;
  /** The addresses for services and for migrations, through a link: it keeps its port over restarts. */
  serviceUrl: string;
  ownerUrl: string;
  isAway(): boolean;
  /** Undefined while it does not run. */
  find(): Promise<Postmaster | undefined>;
  /** Kills all its processes at once, and starts it again after that time. */
  kill(awayMs: number): Promise<Away>;
  /** Stops all its processes for that time: connections are accepted but not answered. */
  pause(awayMs: number): Promise<Away>;
  close(): Promise<void>;
}>;

export async function openCellServer(): Promise<CellServer> {
  const dataDir = await createDataFolder();
  // In the role of a service it would be started again at once.
  const user = { dataDir, role: 'admin', description: 'fault harness' } as const;
  const start = () => openEmbeddedPostgres({ say: () => undefined }, user);
  let server: EmbeddedPostgres = await start();
  const find = () => findPostmaster(dataDir);
  const link = await startLinkProxy({ targetPort: async () => portOf(await find()) });
  let away: Promise<unknown> | undefined;

  async function beAway(work: () => Promise<boolean>): Promise<Away> {
    if (away !== undefined) return undefined;
    const from = new Date();
    const working = work();
    away = working.catch(() => undefined);
    try {
      return (await working) ? { from, to: new Date() } : undefined;
    } finally {
      away = undefined;
    }
  }

  async function signalAll(name: NodeJS.Signals): Promise<boolean> {
    const pids = await listServerProcesses(dataDir);
    for (const pid of pids) signal(pid, name);
    return pids.length > 0;
  }

  return {
    dataDir,
    serviceUrl: throughLink(server.serviceConnectionString ?? '', link),
    ownerUrl: throughLink(server.connectionString, link),
    isAway: () => away !== undefined,
    find,
    kill: (awayMs) =>
      beAway(async () => {
        const killed = await signalAll('SIGKILL');
        await pause(awayMs);
        await server.close();
        server = await start();
        return killed;
      }),
    pause: (awayMs) =>
      beAway(async () => {
        const stopped = await signalAll('SIGSTOP');
        await pause(awayMs);
        await signalAll('SIGCONT');
        return stopped;
      }),
    async close() {
      await away;
      await link.close();
      await server.close();
      await removeDataFolder(dataDir);
    },
  };
}

function portOf(postmaster: Postmaster | undefined): number | undefined {
  return postmaster === undefined ? undefined : Number(new URL(postmaster.databaseUrl).port);
}
