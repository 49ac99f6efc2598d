import { ensurePassword } from './cluster-password.ts';
import { chooseClusterPlace, OUTSIDE_HOME } from './cluster-place.ts';
import { ensureCluster } from './create-cluster.ts';
import { enterServer, leaveServer } from './enter-server.ts';
import { holdSession } from './hold-session.ts';
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
  const enter = () => enterServer({ say: deps.say, signal: closing.signal }, cluster, user);
  const session = await enter();
  const hold = holdSession(
    { say: deps.say, closing, enter, leave: ({ client }) => leaveServer(cluster, client) },
    { session, returns: user.role === 'service' },
  );
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
