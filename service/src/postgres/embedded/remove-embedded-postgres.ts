import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

import { findClusterPlace, hasCluster, OUTSIDE_HOME } from './cluster-place.ts';
import { findPostmaster } from './find-postmaster.ts';
import { stopPostmaster } from './postmaster-process.ts';

const OWN_FILES = /^(?:postgres(?:$|[.-])|postgresql-)/;
const STOP_TIMEOUT_MS = 30_000;

/** Stops the server and removes everything that belongs to it, in the data folder and outside of it. */
export async function removeEmbeddedPostgres(options: { dataDir: string }): Promise<void> {
  const place = await findClusterPlace(options.dataDir);
  if (await hasCluster(place)) {
    const running = await findPostmaster(place.clusterDir);
    const stop = { pid: running?.pid ?? 0, timeoutMs: STOP_TIMEOUT_MS } as const;
    if (running !== undefined) {
      const gentle = await stopPostmaster(place.clusterDir, { ...stop, signal: 'SIGINT' });
      if (!gentle) await stopPostmaster(place.clusterDir, { ...stop, signal: 'SIGKILL' });
    }
  }
  if (place.home !== place.dataDir) {
    await rm(place.home, { recursive: true, force: true });
    // Only when it is empty: other data folders, and the copied programs, may still be there.
    await rmdir(OUTSIDE_HOME).catch(() => undefined);
  }
  for (const name of await readdir(place.dataDir)) {
    if (!OWN_FILES.test(name)) continue;
    await rm(join(place.dataDir, name), { recursive: true, force: true });
  }
}
