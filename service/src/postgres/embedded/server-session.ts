import { Client } from 'pg';

import { errorCode } from './atomic-files.ts';
import { servicePassword } from './cluster-password.ts';
import { DATABASE, DURABLE_SETTINGS, HOST, ROLE, SERVICE_ROLE } from './server-settings.ts';

/** There is one service per cluster; administration commands may run beside it. */
export type ServerUser = Readonly<{ role: 'service' | 'admin'; description: string }>;

/** Advisory locks have two-part keys: this number, then one of those below. */
const LOCKS = 0x6b61_6675;
/** Shared by all users of the server. A process that gets it exclusively is the last one and stops the server. */
const USERS_LOCK = 1;
const SERVICE_LOCK = 2;

const CONNECT_TIMEOUT_MS = 2_000;
/** Held exclusively only by a process that stops the server: then the connection ends before this timeout. */
const USERS_LOCK_TIMEOUT_MS = 10_000;
/** The connection of a service that was killed may outlive it by a moment. */
const SERVICE_LOCK_TIMEOUT_MS = 2_000;

const LOCK_NOT_AVAILABLE = '55P03';
const CANNOT_CONNECT_NOW = '57P03';
const TOO_MANY_CONNECTIONS = '53300';
/** Stopped by a person, stopped after a crash, not ready yet, or the lock was not available in time. */
const GOING_AWAY = ['57P01', '57P02', CANNOT_CONNECT_NOW, LOCK_NOT_AVAILABLE];
const SQL_STATE = /^[0-9A-Z]{5}$/;

export class AlreadyRunning extends Error {
  override readonly name = 'AlreadyRunning';
}

export function connectionStringFor(server: { port: number; password: string }): string {
  return `postgresql://${ROLE}:${server.password}@${HOST}:${server.port}/${DATABASE}`;
}

export function serviceConnectionStringFor(server: { port: number; password: string }): string {
  const password = servicePassword(server.password);
  return `postgresql://${SERVICE_ROLE}:${password}@${HOST}:${server.port}/${DATABASE}`;
}

/** False in clusters from before the service had its own role. */
export async function hasServiceRole(client: Client): Promise<boolean> {
  const result = await client.query('select 1 from pg_roles where rolname = $1', [SERVICE_ROLE]);
  return result.rowCount === 1;
}

/** A connection to the server. */
export type ServerConnection = Readonly<{
  client: Client;
  /** Resolves when the connection ends. The client's own event is missed by code that begins to listen after it. */
  ended: Promise<void>;
}>;

/**
 * Tries once to connect. "busy": the server responds, but accepts no connections yet; "silent": there is no response.
 * Any other error, such as a wrong password, is permanent and is thrown.
 */
export async function tryToConnect(
  server: { port: number; password: string },
  applicationName: string,
): Promise<ServerConnection | 'busy' | 'silent'> {
  const client = new Client({
    connectionString: connectionStringFor(server),
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  // A server that dies is noticed by the end of the connection; the error adds nothing.
  client.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
  try {
    await client.connect();
    return { client, ended };
  } catch (error) {
    await client.end().catch(() => undefined);
    const code = errorCode(error) ?? '';
    if (code === CANNOT_CONNECT_NOW || code === TOO_MANY_CONNECTIONS) return 'busy';
    if (!SQL_STATE.test(code)) return 'silent';
    throw new Error(`The embedded PostgreSQL refuses the service: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** False: the server ended meanwhile. Throws AlreadyRunning when another service uses it. */
export async function takeLocks(client: Client, user: ServerUser): Promise<boolean> {
  try {
    await setLockTimeout(client, USERS_LOCK_TIMEOUT_MS);
    await client.query('select pg_advisory_lock_shared($1, $2)', [LOCKS, USERS_LOCK]);
    if (user.role === 'service') await takeServiceLock(client);
    return true;
  } catch (error) {
    if (!SQL_STATE.test(errorCode(error) ?? '') && !(error instanceof AlreadyRunning)) return false;
    if (GOING_AWAY.includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}

async function takeServiceLock(client: Client): Promise<void> {
  await setLockTimeout(client, SERVICE_LOCK_TIMEOUT_MS);
  try {
    await client.query('select pg_advisory_lock($1, $2)', [LOCKS, SERVICE_LOCK]);
  } catch (error) {
    if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error;
    throw new AlreadyRunning((await findServiceHolder(client)) ?? 'another service', {
      cause: error,
    });
  }
}

async function setLockTimeout(client: Client, timeoutMs: number): Promise<void> {
  await client.query("select set_config('lock_timeout', $1, false)", [String(timeoutMs)]);
}

async function findServiceHolder(client: Client): Promise<string | undefined> {
  const result = await client.query<{ holder: string }>(
    `select activity.application_name as holder
       from pg_locks as held
       join pg_stat_activity as activity on activity.pid = held.pid
      where held.locktype = 'advisory' and held.granted
        and held.classid = $1 and held.objid = $2
        and held.database = (select oid from pg_database where datname = current_database())`,
    [LOCKS, SERVICE_LOCK],
  );
  return result.rows[0]?.holder;
}

/** Releases all locks, and returns whether no other process uses the server; then none can start to use it either. */
export async function releaseLocks(client: Client): Promise<boolean> {
  await client.query('select pg_advisory_unlock_all()');
  const result = await client.query<{ last: boolean }>(
    'select pg_try_advisory_lock($1, $2) as last',
    [LOCKS, USERS_LOCK],
  );
  return result.rows[0]?.last === true;
}

export async function assertDurable(client: Client): Promise<void> {
  const result = await client.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [DURABLE_SETTINGS],
  );
  for (const name of DURABLE_SETTINGS) {
    const setting = result.rows.find((row) => row.name === name)?.setting;
    if (setting === 'on') continue;
    throw new Error(
      `The embedded PostgreSQL runs with ${name} = ${setting}: what it confirms could be lost. ` +
        `Find what sets it (alter database, alter role) and set it to on.`,
    );
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
