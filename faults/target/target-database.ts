import { execFile } from 'node:child_process';
import { open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../../service/src/postgres/embedded/open-embedded-postgres.ts';
import type { SystemPlan } from '../plan/plan.ts';
import { type LinkProxy, startLinkProxy } from '../proxy/link-proxy.ts';
import { createDataFolder, findPostmaster, removeDataFolder } from './data-folder.ts';

const run = promisify(execFile);
/** Enough for a new cluster and one run. */
const SMALL_DISK = 'size=320m';
const FILLER = 'filler';
const FILLER_CHUNK_BYTES = 1024 * 1024;

export type TargetDatabase = Readonly<{
  dataDir: string;
  /** The URL that the service uses, through the link; undefined: it starts its own server. */
  serviceUrl: string | undefined;
  /** The URL for migrations, where there is a service URL. */
  ownerUrl: string | undefined;
  /** Undefined for the service's own server, which is reached without a link. */
  link: LinkProxy | undefined;
  /** Whether its files are on a disk that can be filled. */
  hasSmallDisk: boolean;
  fillDisk(fullMs: number): Promise<boolean>;
  close(): Promise<void>;
}>;

/** Creates the database's folder and, for a shared database, its server and the link to it. */
export async function openTargetDatabase(system: SystemPlan): Promise<TargetDatabase> {
  const dataDir = await createDataFolder();
  const hasSmallDisk = system.smallDisk && (await mountSmallDisk(dataDir));
  let server: EmbeddedPostgres | undefined;
  let link: LinkProxy | undefined;
  if (system.database === 'shared') {
    // In the role of a service it also restarts the server after a kill.
    const user = { dataDir, role: 'service', description: 'fault harness' } as const;
    server = await openEmbeddedPostgres({ say: () => undefined }, user);
    link = await startLinkProxy({ targetPort: () => findPort(dataDir) });
  }
  return {
    dataDir,
    serviceUrl: link && throughLink(server?.serviceConnectionString ?? '', link),
    ownerUrl: link && throughLink(server?.connectionString ?? '', link),
    link,
    hasSmallDisk,
    fillDisk: (fullMs) => (hasSmallDisk ? fillFor(dataDir, fullMs) : Promise.resolve(false)),
    async close() {
      await link?.close();
      await server?.close();
      await removeDataFolder(dataDir, async () =>
        hasSmallDisk ? run('umount', ['--lazy', dataDir]) : undefined,
      );
    },
  };
}

async function findPort(dataDir: string): Promise<number | undefined> {
  const postmaster = await findPostmaster(dataDir);
  return postmaster === undefined ? undefined : Number(new URL(postmaster.databaseUrl).port);
}

export function throughLink(connectionString: string, { port }: LinkProxy): string {
  const url = new URL(connectionString);
  url.host = `127.0.0.1:${port}`;
  return url.href;
}

/** False where mounting is not permitted. */
async function mountSmallDisk(folder: string): Promise<boolean> {
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `${SMALL_DISK},mode=755`, 'tmpfs', folder]);
    return true;
  } catch {
    return false;
  }
}

async function fillFor(folder: string, fullMs: number): Promise<boolean> {
  const path = join(folder, FILLER);
  const file = await open(path, 'w');
  try {
    const chunk = Buffer.alloc(FILLER_CHUNK_BYTES);
    while ((await file.write(chunk).catch(() => undefined)) !== undefined);
    await pause(fullMs);
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
  return true;
}

/** Every process of the server, the postmaster first; reads /proc, so only on Linux. */
export async function listServerProcesses(dataDir: string): Promise<readonly number[]> {
  const postmaster = await findPostmaster(dataDir);
  if (postmaster === undefined) return [];
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const children = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      return parent === postmaster.pid ? [Number(pid)] : [];
    }),
  );
  return [postmaster.pid, ...children.flat()];
}
