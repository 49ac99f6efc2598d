import { chown, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { replaceFile, syncFolder } from './atomic-files.ts';
import { servicePassword } from './cluster-password.ts';
import { type ClusterPlace, hasCluster } from './cluster-place.ts';
import { runProgram, type ServerAccount } from './run-program.ts';
import type { ServerProgram } from './server-program.ts';
import { DATABASE, HOST_RULES, ROLE, SERVICE_ROLE, settingArguments } from './server-settings.ts';

const CREATE_TIMEOUT_MS = 120_000;
const DRAFT_SUFFIX = '.new-';

type NewCluster = Readonly<{
  place: ClusterPlace;
  account: ServerAccount | undefined;
  program: ServerProgram;
  password: string;
}>;

/**
 * Creates the cluster unless it exists. It is built in a separate folder and renamed once it is complete, so a start
 * that is killed, or two concurrent starts, never leave half a cluster.
 */
export async function ensureCluster(
  deps: { say: (line: string) => void },
  cluster: NewCluster,
): Promise<void> {
  const { clusterDir } = cluster.place;
  if (!(await hasCluster(cluster.place))) {
    deps.say(`Creating the database in ${clusterDir}.`);
    await createCluster(cluster);
  }
  await removeDrafts(clusterDir);
}

async function createCluster(cluster: NewCluster): Promise<void> {
  const { clusterDir } = cluster.place;
  const draft = await mkdtemp(`${clusterDir}${DRAFT_SUFFIX}`);
  try {
    const { account } = cluster;
    if (account !== undefined) await chown(draft, account.uid, account.gid);
    await initialise(cluster, draft);
    await createDatabase(cluster, draft);
    await rename(draft, clusterDir);
    await syncFolder(dirname(clusterDir));
  } catch (error) {
    // Another start was faster: its cluster is in place, and it may have removed our draft.
    if (!(await hasCluster(cluster.place))) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function initialise(cluster: NewCluster, draft: string): Promise<void> {
  const result = await runProgram({
    path: cluster.program.initdb,
    args: [
      `--pgdata=${draft}`,
      // The superuser gets no password and no rule in pg_hba.conf, so that no login as superuser is possible.
      '--username=postgres',
      '--auth=reject',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--data-checksums',
      '--no-instructions',
    ],
    account: cluster.account,
    timeoutMs: CREATE_TIMEOUT_MS,
  });
  if (result.exitCode !== 0) throw creationFailed('initdb', result.output);
  await replaceFile(join(draft, 'pg_hba.conf'), { text: HOST_RULES, account: cluster.account });
}

/** In single-user mode, so that the cluster is complete before any server listens. */
async function createDatabase(cluster: NewCluster, draft: string): Promise<void> {
  const quiet = { exit_on_error: 'on', log_min_error_statement: 'panic', log_checkpoints: 'off' };
  const result = await runProgram({
    path: cluster.program.postgres,
    args: ['--single', '-D', draft, ...settingArguments(quiet), 'postgres'],
    account: cluster.account,
    input:
      `create role ${ROLE} login createdb password '${cluster.password}';\n` +
      `create role ${SERVICE_ROLE} login password '${servicePassword(cluster.password)}';\n` +
      // The owner may see and end what the service does.
      `grant ${SERVICE_ROLE} to ${ROLE};\n` +
      `create database ${DATABASE} owner ${ROLE};\n`,
    timeoutMs: CREATE_TIMEOUT_MS,
  });
  if (result.exitCode !== 0) throw creationFailed('postgres --single', result.output);
}

function creationFailed(program: string, output: string): Error {
  return new Error(`The database could not be created; ${program} says:\n${output.trim()}`);
}

/** Removes drafts of starts that were killed. Once the cluster is in place they are not needed. */
async function removeDrafts(clusterDir: string): Promise<void> {
  const home = dirname(clusterDir);
  for (const name of await readdir(home)) {
    if (!name.startsWith(`${basename(clusterDir)}${DRAFT_SUFFIX}`)) continue;
    // Removing one that a slower start still writes to may fail; the next start removes it.
    await rm(join(home, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
