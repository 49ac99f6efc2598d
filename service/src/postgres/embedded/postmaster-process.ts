import { spawn } from 'node:child_process';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { errorCode } from './atomic-files.ts';
import type { ClusterPlace } from './cluster-place.ts';
import { isPostmaster, type Postmaster } from './find-postmaster.ts';
import { findFreePort, isFreePort } from './free-port.ts';
import { accountOptions, programEnvironment, type ServerAccount } from './run-program.ts';
import type { ServerProgram } from './server-program.ts';
import { SERVER_SETTINGS, settingArguments } from './server-settings.ts';

export type Cluster = Readonly<{
  place: ClusterPlace;
  account: ServerAccount | undefined;
  program: ServerProgram;
  password: string;
  /** Instead of those in SERVER_SETTINGS, or beside them. */
  settings?: Readonly<Record<string, string>>;
}>;

/** A server that is running or starting, and how to check that it is alive. */
export type ServerProcess = Postmaster & Readonly<{ isAlive: () => Promise<boolean> }>;

const LOG_BYTES_MAX = 10 * 1024 * 1024;
const LOG_TAIL_LINES = 15;
const OWNER_ONLY = 0o600;
const STOP_POLL_MS = 20;

/**
 * Starts a server that outlives this process: in a separate session, with the log as its output. It is started directly
 * and not by pg_ctl, which passes the paths to a shell.
 */
export async function startPostmaster(cluster: Cluster): Promise<ServerProcess> {
  const { clusterDir, logFile } = cluster.place;
  const settings = settingArguments({ ...SERVER_SETTINGS, ...cluster.settings });
  const lastPort = await readLastPort(clusterDir);
  const port =
    lastPort !== undefined && (await isFreePort(lastPort)) ? lastPort : await findFreePort();
  await rotateLog(logFile);
  const log = await open(logFile, 'a', OWNER_ONLY);
  try {
    // The data folder's owner must be able to start the server without root later.
    if (cluster.account !== undefined) await log.chown(cluster.account.uid, cluster.account.gid);
    const child = spawn(
      cluster.program.postgres,
      ['-D', clusterDir, '-p', String(port), ...settings],
      {
        ...accountOptions(cluster.account),
        cwd: '/',
        env: programEnvironment(),
        stdio: ['ignore', log.fd, log.fd],
        detached: true,
      },
    );
    let alive = true;
    child.once('exit', () => {
      alive = false;
    });
    await new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.unref();
    if (child.pid === undefined) throw new Error('PostgreSQL could not be started.');
    return { pid: child.pid, port, isAlive: async () => alive };
  } finally {
    await log.close();
  }
}

/** Sends a signal and waits until the server has ended; false when it did not end in time. */
export async function stopPostmaster(
  clusterDir: string,
  stop: { pid: number; signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'; timeoutMs: number },
): Promise<boolean> {
  // The process id may belong to another program by now.
  if (!(await isPostmaster(stop.pid, clusterDir))) return true;
  try {
    process.kill(stop.pid, stop.signal);
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return true;
    throw error;
  }
  const timeout = AbortSignal.timeout(stop.timeoutMs);
  while (await isPostmaster(stop.pid, clusterDir)) {
    if (timeout.aborted) return false;
    await pause(STOP_POLL_MS);
  }
  return true;
}

/** The last lines of the server's log, for an error message. */
export async function readLogTail(logFile: string): Promise<string> {
  const text = await readFile(logFile, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n');
}

async function rotateLog(logFile: string): Promise<void> {
  const log = await stat(logFile).catch(() => undefined);
  if (log !== undefined && log.size > LOG_BYTES_MAX) await rename(logFile, `${logFile}.1`);
}

/** A server that restarts on its old port is found by the connections that are waiting for it. */
async function readLastPort(clusterDir: string): Promise<number | undefined> {
  const options = await readFile(join(clusterDir, 'postmaster.opts'), 'utf8').catch(() => '');
  const port = /"-p" "(\d{1,5})"/.exec(options)?.[1];
  return port === undefined ? undefined : Number(port);
}
