import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';

import { endLeftProcesses } from './end-left-processes.ts';
import { findPostmaster, isPostmaster, type Postmaster } from './find-postmaster.ts';
import {
  type Cluster,
  readLogTail,
  type ServerProcess,
  startPostmaster,
  stopPostmaster,
} from './postmaster-process.ts';
import {
  AlreadyRunning,
  releaseLocks,
  type ServerConnection,
  type ServerUser,
  takeLocks,
  tryToConnect,
} from './server-session.ts';

/** One user's session with the running server: a connection that holds the locks. */
export type ServerSession = ServerConnection & Readonly<{ server: Postmaster }>;

type Deps = Readonly<{ say: (line: string) => void; signal: AbortSignal }>;
type Entrance = Readonly<{ server: ServerProcess; user: ServerUser }>;

/** Longer than the children of a killed server need to end. */
const ATTEMPTS_MAX = 10;
/** Then those of its children that are still there will not end by themselves. */
const PATIENT_ATTEMPTS = 5;
const ATTEMPT_PAUSE_MS = 400;
const CONNECT_PAUSE_MIN_MS = 25;
const CONNECT_PAUSE_MAX_MS = 250;
/** Crash recovery replays at most a few gigabytes of log. */
const READY_TIMEOUT_MS = 300_000;
const READY_NOTICE_MS = 3_000;
const SILENCE_TIMEOUT_MS = 10_000;
const STOP_TIMEOUT_MS = 60_000;
const HARD_STOP_TIMEOUT_MS = 5_000;

/**
 * Finds the running server or starts one, and takes the user's locks on it. At any step another process may have been
 * faster, or the server may be stopping: then it tries again.
 */
export async function enterServer(
  deps: Deps,
  cluster: Cluster,
  user: ServerUser,
): Promise<ServerSession & Readonly<{ reassigned: boolean }>> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const found = await findPostmaster(cluster.place.clusterDir);
    if (found !== undefined) {
      const server = watched(cluster, found);
      const session = await tryToEnter(deps, cluster, { server, user });
      if (session !== undefined) return { ...session, reassigned: true };
    } else {
      if (attempt > PATIENT_ATTEMPTS && user.role === 'service') await endLeftBehind(deps, cluster);
      const server = await startPostmaster(cluster);
      const session = await enterStarted(deps, cluster, { server, user });
      // When two start at once on the previous port, one of them connects to the server of the other.
      if (session !== undefined)
        return { ...session, reassigned: session.server.pid !== server.pid };
    }
    await pause(ATTEMPT_PAUSE_MS, undefined, { signal: deps.signal });
  }
  throw new Error(
    `The embedded PostgreSQL does not start. The end of ${cluster.place.logFile}:\n` +
      (await readLogTail(cluster.place.logFile)),
  );
}

async function endLeftBehind(deps: Deps, { place }: Cluster): Promise<void> {
  const ended = await endLeftProcesses(place.clusterDir);
  if (ended === 0) return;
  const processes = ended === 1 ? '1 process' : `${ended} processes`;
  deps.say(`Ended ${processes} that a crash of PostgreSQL left behind.`);
}

/** Releases the user's locks, and stops the server when no other process uses it. */
export async function leaveServer(cluster: Cluster, client: Client): Promise<void> {
  const { clusterDir } = cluster.place;
  try {
    if (!(await releaseLocks(client))) return;
    const server = await findPostmaster(clusterDir);
    if (server === undefined) return;
    const stop = { pid: server.pid, signal: 'SIGINT', timeoutMs: STOP_TIMEOUT_MS } as const;
    await stopPostmaster(clusterDir, stop);
  } catch {
    // The connection broke, so the server is gone or will be found by the next start.
  } finally {
    await client.end().catch(() => undefined);
  }
}

function watched(cluster: Cluster, found: Postmaster): ServerProcess {
  return { ...found, isAlive: () => isPostmaster(found.pid, cluster.place.clusterDir) };
}

async function enterStarted(
  deps: Deps,
  cluster: Cluster,
  entrance: Entrance,
): Promise<ServerSession | undefined> {
  try {
    return await tryToEnter(deps, cluster, entrance);
  } catch (error) {
    // A server that accepts no connection, for example because of a wrong password, must not keep running.
    if (!(error instanceof AlreadyRunning) && !deps.signal.aborted) {
      const { pid } = entrance.server;
      const stop = { pid, signal: 'SIGINT', timeoutMs: STOP_TIMEOUT_MS } as const;
      await stopPostmaster(cluster.place.clusterDir, stop);
    }
    throw error;
  }
}

/** Undefined: the server has ended, and another try is worthwhile. */
async function tryToEnter(
  deps: Deps,
  cluster: Cluster,
  entrance: Entrance,
): Promise<ServerSession | undefined> {
  const connection = await connectWhenReady(deps, cluster, entrance);
  if (connection === 'ended') return undefined;
  if (connection === 'silent') {
    await stopSilent(deps, cluster, entrance);
    return undefined;
  }
  const { client } = connection;
  if (await takeLocksOrLeave(cluster, { client, entrance })) {
    const server = await findPostmaster(cluster.place.clusterDir);
    if (server?.port === entrance.server.port) return { ...connection, server };
  }
  await client.end().catch(() => undefined);
  return undefined;
}

async function connectWhenReady(
  deps: Deps,
  cluster: Cluster,
  { server, user }: Entrance,
): Promise<ServerConnection | 'ended' | 'silent'> {
  const timeout = AbortSignal.timeout(READY_TIMEOUT_MS);
  const notice = AbortSignal.timeout(READY_NOTICE_MS);
  let silence = AbortSignal.timeout(SILENCE_TIMEOUT_MS);
  let noticed = false;
  for (let pauseMs = CONNECT_PAUSE_MIN_MS; !timeout.aborted; pauseMs *= 1.5) {
    const target = { port: server.port, password: cluster.password };
    const answer = await tryToConnect(target, user.description);
    if (typeof answer !== 'string') return answer;
    if (!(await server.isAlive())) return 'ended';
    if (answer === 'busy') silence = AbortSignal.timeout(SILENCE_TIMEOUT_MS);
    if (silence.aborted) return 'silent';
    if (notice.aborted && !noticed) {
      noticed = true;
      deps.say('PostgreSQL is not ready yet: it recovers from a crash, or is shutting down.');
    }
    const nextMs = Math.min(pauseMs, CONNECT_PAUSE_MAX_MS);
    await pause(nextMs, undefined, { signal: deps.signal });
  }
  return 'silent';
}

async function takeLocksOrLeave(
  cluster: Cluster,
  held: { client: Client; entrance: Entrance },
): Promise<boolean> {
  const { client, entrance } = held;
  try {
    return await takeLocks(client, entrance.user);
  } catch (error) {
    // The other service may end at this moment and leave the server to us.
    await leaveServer(cluster, client);
    if (!(error instanceof AlreadyRunning)) throw error;
    throw new AlreadyRunning(
      `The data folder ${cluster.place.dataDir} is in use by: ${error.message}. ` +
        'Stop that one first, or set DATA_DIR to another folder.',
      { cause: error },
    );
  }
}

/** A server that is stopped hard recovers at its next start; nothing that it confirmed is lost. */
async function stopSilent(deps: Deps, cluster: Cluster, silent: Entrance): Promise<void> {
  const { clusterDir } = cluster.place;
  const { pid } = silent.server;
  if (silent.user.role !== 'service') {
    throw new Error(
      `The embedded PostgreSQL (process ${pid}) runs but does not answer. Start the service, which ` +
        'restarts it, or end that process.',
    );
  }
  deps.say(`PostgreSQL (process ${pid}) runs but does not answer: restarting it.`);
  const timeoutMs = HARD_STOP_TIMEOUT_MS;
  if (await stopPostmaster(clusterDir, { pid, signal: 'SIGQUIT', timeoutMs })) return;
  await stopPostmaster(clusterDir, { pid, signal: 'SIGKILL', timeoutMs });
}
