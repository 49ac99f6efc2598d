import { randomBytes } from 'node:crypto';
import { chown, mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

import { createFileOnce, errorCode, exists, makeOpenFolder } from './atomic-files.ts';
import { runProgram, type ServerAccount } from './run-program.ts';
import { chooseServerAccount } from './server-account.ts';

export type ClusterPlace = Readonly<{
  dataDir: string;
  /** The folder that holds the cluster: `dataDir`, or a separate one that the server can reach. */
  home: string;
  clusterDir: string;
  passwordFile: string;
  logFile: string;
  locationFile: string;
}>;

/** Where root keeps what the server's user cannot reach below the data folder. */
export const OUTSIDE_HOME = '/var/lib/kafue';

const LOCATION_FILE = 'postgres-location';
const NOTE_FILE = 'belongs-to';
const PROBE_TIMEOUT_MS = 30_000;

/** The place of the existing cluster of this data folder, or the one that a new cluster would have inside it. */
export async function findClusterPlace(dataDir: string): Promise<ClusterPlace> {
  await mkdir(dataDir, { recursive: true });
  const folder = await realpath(dataDir);
  return placeIn(folder, (await readLocation(folder)) ?? folder);
}

/** An empty folder is not a cluster: the file that initdb writes first decides. */
export async function hasCluster(place: ClusterPlace): Promise<boolean> {
  return exists(join(place.clusterDir, 'PG_VERSION'));
}

/** The place of the cluster, and the user that its server runs as. */
export async function chooseClusterPlace(
  deps: { say: (line: string) => void },
  dataDir: string,
): Promise<{ place: ClusterPlace; account: ServerAccount | undefined }> {
  const found = await findClusterPlace(dataDir);
  const account = await chooseServerAccount(found.clusterDir);
  if (account === undefined) return { place: found, account };
  const place = await placeForAccount(found, account);
  if (place.home !== place.dataDir) {
    deps.say(
      `PostgreSQL runs as user "${account.name}", who cannot enter ${place.dataDir}: ` +
        `its files are in ${place.home}.`,
    );
  }
  return { place, account };
}

async function placeForAccount(found: ClusterPlace, account: ServerAccount): Promise<ClusterPlace> {
  if (await hasCluster(found)) {
    if (await canEnter(found.clusterDir, account)) return found;
    throw new Error(
      `The database in ${found.clusterDir} belongs to user "${account.name}", who may not enter a ` +
        'folder above it. Let that user pass (chmod o+x) or move the data folder.',
    );
  }
  if (found.home !== found.dataDir) {
    await makeOpenFolder(found.home);
    return found;
  }
  return (await canWrite(found.dataDir, account)) ? found : makeOutsidePlace(found.dataDir);
}

/**
 * The name is random and not derived from the path: a folder that was moved keeps its cluster, and a new folder under
 * the old path gets a new one. The location file decides between two concurrent starts.
 */
async function makeOutsidePlace(dataDir: string): Promise<ClusterPlace> {
  const proposed = join(OUTSIDE_HOME, randomBytes(6).toString('hex'));
  await createFileOnce(join(dataDir, LOCATION_FILE), `${proposed}\n`);
  const home = (await readLocation(dataDir)) ?? proposed;
  await makeOpenFolder(OUTSIDE_HOME);
  await makeOpenFolder(home);
  await createFileOnce(join(home, NOTE_FILE), `${dataDir}\n`);
  return placeIn(dataDir, home);
}

function placeIn(dataDir: string, home: string): ClusterPlace {
  return {
    dataDir,
    home,
    clusterDir: join(home, 'postgres'),
    passwordFile: join(dataDir, 'postgres-password'),
    // The server inherits the open file, so its user need not be able to reach the folder.
    logFile: join(dataDir, 'postgres.log'),
    locationFile: join(dataDir, LOCATION_FILE),
  };
}

async function readLocation(dataDir: string): Promise<string | undefined> {
  const path = join(dataDir, LOCATION_FILE);
  try {
    const home = (await readFile(path, 'utf8')).trim();
    if (isAbsolute(home)) return home;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  throw new Error(`${path} must hold the absolute path of the folder with the database.`);
}

/** Tests by writing, because modes, ACLs, mounts and namespaces all matter. */
async function canWrite(folder: string, account: ServerAccount): Promise<boolean> {
  const trial = await mkdtemp(join(folder, 'postgres-probe-'));
  try {
    await chown(trial, account.uid, account.gid);
    return await runsInShell(': > "$1/file"', trial, account);
  } catch {
    return false;
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
}

async function canEnter(folder: string, account: ServerAccount): Promise<boolean> {
  return runsInShell('cd "$1"', folder, account);
}

async function runsInShell(
  script: string,
  argument: string,
  account: ServerAccount,
): Promise<boolean> {
  const result = await runProgram({
    path: '/bin/sh',
    args: ['-c', script, 'sh', argument],
    account,
    timeoutMs: PROBE_TIMEOUT_MS,
  });
  return result.exitCode === 0;
}
