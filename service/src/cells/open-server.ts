import { AdminRefused } from '../domain/admin-refused.ts';
import { createAdmission } from '../postgres/admit-connections.ts';
import { findTlsProblem } from '../postgres/connection-tls.ts';
import {
  type Database,
  DatabaseUnreachable,
  openDatabase,
  type Statement,
} from '../postgres/database.ts';

const VARIABLE = /^[A-Z][A-Z0-9_]{0,99}$/;
const DATABASE_URL = /^postgres(?:ql)?:\/\//;
const LIKE_THIS = 'Make it look like postgres://user:password@host:5432/database.';
const CONNECTIONS_MAX = 2;
/** A migration may have to rewrite the largest table. */
const DEADLINE_MS = 3_600_000;

export type Environment = Readonly<Record<string, string | undefined>>;

/** A server that is not the directory's. */
export type OtherServer = Readonly<{
  /** As the owner of its tables, where there are two roles. */
  database: Database;
  /** The role of the service; undefined: it is the owner. */
  role: string | undefined;
  /** Its name and host, for people: never a password. */
  place: string;
  close(): Promise<void>;
}>;

/**
 * Opens the server whose address is in an environment variable. The same variable with MIGRATION_ before it may have the
 * address of the owner of its tables, as with DATABASE_URL.
 */
export async function openServer(env: Environment, variable: string): Promise<OtherServer> {
  const service = readServerUrl(env, variable);
  const ownerVariable = `MIGRATION_${variable}`;
  const hasOwner = (env[ownerVariable] ?? '') !== '';
  const owner = hasOwner ? readServerUrl(env, ownerVariable) : service;
  const place = describePlace(owner);
  const role = owner === service ? undefined : await readRole(env, { url: service, variable });
  const database = open(env, owner);
  try {
    await database.query(WHO_AM_I);
  } catch (error) {
    await database.close();
    throw explain(error, { place, variable: hasOwner ? ownerVariable : variable });
  }
  return { database, role, place, close: () => database.close() };
}

/** Throws when the variable has no address of a database. */
export function readServerUrl(env: Environment, variable: string): string {
  if (!VARIABLE.test(variable)) throw new AdminRefused('CELL_VARIABLE_INVALID', {});
  const url = env[variable] ?? '';
  if (url === '') throw new AdminRefused('CELL_URL_MISSING', { variable });
  const isUrl = DATABASE_URL.test(url) && URL.canParse(url);
  const problem = isUrl ? findTlsProblem(url) : LIKE_THIS;
  if (problem !== undefined) throw new AdminRefused('CELL_URL_INVALID', { variable, problem });
  return url;
}

/** `kafue at db.example.com:5432`. */
export function describePlace(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${pathname.slice(1)} at ${hostname}:${port || '5432'}`;
}

function open(env: Environment, connectionString: string): Database {
  return openDatabase({
    connectionString,
    applicationName: `kafue cells ${process.pid}`,
    connectionsMax: CONNECTIONS_MAX,
    deadlineMs: DEADLINE_MS,
    admission: createAdmission({ allowUnsafe: env.ALLOW_UNSAFE_DATABASE === '1' }),
    onError: () => undefined,
  });
}

async function readRole(
  env: Environment,
  { url, variable }: Readonly<{ url: string; variable: string }>,
): Promise<string> {
  const database = open(env, url);
  try {
    const [row] = await database.query<{ role: string }>(WHO_AM_I);
    return row?.role ?? '';
  } catch (error) {
    throw explain(error, { place: describePlace(url), variable });
  } finally {
    await database.close();
  }
}

function explain(
  error: unknown,
  { place, variable }: Readonly<{ place: string; variable: string }>,
): unknown {
  if (!(error instanceof DatabaseUnreachable)) return error;
  const cause = error.cause instanceof Error ? error.cause.message.replace(/\.$/, '') : '';
  return new AdminRefused('CELL_UNREACHABLE', { place, variable, cause: cause || 'no answer' });
}

const WHO_AM_I: Statement = { name: '', text: 'select current_user::text as role' };
