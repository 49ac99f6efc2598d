import { setTimeout as pause } from 'node:timers/promises';
import { ensurePassword } from './cluster-password.ts';
import { chooseClusterPlace, OUTSIDE_HOME } from './cluster-place.ts';
import { ensureCluster } from './create-cluster.ts';
import { enterServer, leaveServer, type Session } from './enter-server.ts';
import type { Cluster } from './postmaster-process.ts';
import { prepareServerProgram } from './server-program.ts';
import {
  assertDurable,
  connectionStringFor,
  hasServiceRole,
  type ServerUser,
  serviceConnectionStringFor,
} from './server-session.ts';

export { AlreadyRunning } from './server-session.ts';

export type EmbeddedPostgres = Readonly<{
  /** As the owner of the database. Read it for each new connection: after a crash the port may be another one. */
  connectionString: string;
  /** As the role that owns nothing; undefined in a cluster from before that role existed. Likewise. */
  serviceConnectionString: string | undefined;
  /** Whether the server was already running, used by another process or left by a crash. */
  reassigned: boolean;
  close(): Promise<void>;
}>;

type OpenOptions = Readonly<{
  dataDir: string;
  role: 'service' | 'admin';
  description: string;
  /** Of a server that this call starts: instead of those in SERVER_SETTINGS, or beside them. */
  settings?: Readonly<Record<string, string>>;
}>;

const REENTRY_PAUSE_MIN_MS = 250;
const REENTRY_PAUSE_MAX_MS = 30_000;

/**
 * Opens the PostgreSQL server of `dataDir`, creating and starting it where needed. It serves any number of users on
 * this machine, and the last one to close it stops it. Only one service may use it: a second one gets AlreadyRunning
 * with the description of the first, of which PostgreSQL keeps 63 bytes.
 */
export async function openEmbeddedPostgres(
  deps: { say: (line: string) => void },
  options: OpenOptions,
): Promise<EmbeddedPostgres> {
  const cluster = await prepareCluster(deps, options);
  const user: ServerUser = { role: options.role, description: options.description };
  const closing = new AbortController();
  const session = await enterServer({ say: deps.say, signal: closing.signal }, cluster, user);
  const hold = holdOn({ say: deps.say, closing }, { cluster, user, session });
  let separate: boolean;
  try {
    await assertDurable(session.client);
    separate = await hasServiceRole(session.client);
  } catch (error) {
    await hold.release();
    throw error;
  }
  let closed: Promise<void> | undefined;
  const server = () => ({ port: hold.port(), password: cluster.password });
  return {
    get connectionString() {
      return connectionStringFor(server());
    },
    get serviceConnectionString() {
      return separate ? serviceConnectionStringFor(server()) : undefined;
    },
    reassigned: session.reassigned,
    close: () => {
      closed ??= hold.release();
      return closed;
    },
  };
}

async function prepareCluster(
  deps: { say: (line: string) => void },
  { dataDir, settings }: OpenOptions,
): Promise<Cluster> {
  const { place, account } = await chooseClusterPlace(deps, dataDir);
  const copyHome = account === undefined ? place.dataDir : OUTSIDE_HOME;
  const program = await prepareServerProgram(deps, { account, copyHome });
  const password = await ensurePassword(place);
  const cluster = { place, account, program, password, ...(settings && { settings }) };
  await ensureCluster(deps, cluster);
  return cluster;
}

/**
 * Keeps a service's session over a crash of the server: PostgreSQL restarts by itself after a child process dies, and
 * is started again here after it died itself. Without the locks another service could start, and the next
 * administration command would stop the server as its last user.
 */
function holdOn(
  deps: { say: (line: string) => void; closing: AbortController },
  first: { cluster: Cluster; user: ServerUser; session: Session },
): { port: () => number; release: () => Promise<void> } {
  const { cluster, user } = first;
  const { signal } = deps.closing;
  let session: Session | undefined;
  let { port } = first.session.server;
  let reentry = Promise.resolve();

  function watch(entered: Session): void {
    session = entered;
    ({ port } = entered.server);
    entered.client.once('end', () => {
      session = undefined;
      if (user.role === 'service' && !signal.aborted) reentry = enterAgain();
    });
  }

  async function enterAgain(): Promise<void> {
    deps.say('The connection to PostgreSQL broke: restoring it.');
    for (let pauseMs = REENTRY_PAUSE_MIN_MS; !signal.aborted; pauseMs *= 2) {
      try {
        watch(await enterServer({ say: deps.say, signal }, cluster, user));
        deps.say('PostgreSQL is running again.');
        return;
      } catch (error) {
        if (signal.aborted) return;
        deps.say(error instanceof Error ? error.message : String(error));
      }
      await pause(Math.min(pauseMs, REENTRY_PAUSE_MAX_MS), undefined, { signal }).catch(
        () => undefined,
      );
    }
  }

  async function release(): Promise<void> {
    deps.closing.abort();
    await reentry;
    const last = session;
    session = undefined;
    if (last !== undefined) await leaveServer(cluster, last.client);
  }

  watch(first.session);
  return { port: () => port, release };
}
