import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { findPostmaster } from './data-folder.ts';
import { queryOnce } from './query-once.ts';
import { listServerProcesses } from './target-database.ts';

const PER_MILLE = 1_000;
/** Leaves the service's pools fewer connections than normal. */
const CONNECTIONS_TAKEN_MAX = 80;

export async function killPostmaster(dataDir: string): Promise<boolean> {
  const postmaster = await findPostmaster(dataDir);
  return postmaster !== undefined && signal(postmaster.pid, 'SIGKILL');
}

/** Kills one backend of the service; PostgreSQL then restarts all its processes. */
export async function killBackend(dataDir: string, perMille: number): Promise<boolean> {
  const postmaster = await findPostmaster(dataDir);
  if (postmaster === undefined) return false;
  const backends = await queryOnce<{ pid: number }>(postmaster.databaseUrl, BACKENDS);
  const chosen = backends[Math.floor((backends.length * perMille) / PER_MILLE)];
  return chosen !== undefined && signal(chosen.pid, 'SIGKILL');
}

/** Stops every process of the server with SIGSTOP for a time. */
export async function pausePostgres(dataDir: string, pauseMs: number): Promise<boolean> {
  const pids = await listServerProcesses(dataDir);
  const stopped = pids.filter((pid) => signal(pid, 'SIGSTOP'));
  await pause(pauseMs);
  for (const pid of stopped) signal(pid, 'SIGCONT');
  return stopped.length > 0;
}

/** Simulates a forgotten transaction that locks all wallets. */
export async function holdWallets(dataDir: string, holdMs: number): Promise<boolean> {
  return withClient(dataDir, async (client) => {
    await client.query('begin');
    await client.query('select from wallets order by book_id, id for update');
    await pause(holdMs);
    await client.query('rollback');
    return true;
  });
}

/** The same with one wallet. Resolves to the time when it was locked; undefined: it was not. */
export async function holdWallet(
  dataDir: string,
  { walletId, holdMs }: Readonly<{ walletId: string; holdMs: number }>,
): Promise<Readonly<{ fromMs: number; toMs: number }> | undefined> {
  const held = await withClient(dataDir, async (client) => {
    await client.query('begin');
    await client.query('select from wallets where id = $1 for update', [walletId]);
    const fromMs = Date.now();
    await pause(holdMs);
    const toMs = Date.now();
    await client.query('rollback');
    return { fromMs, toMs };
  });
  return held === false ? undefined : held;
}

/**
 * A statement that began after midnight may lock a wallet before one that began earlier. Then the wallet's day is
 * ahead of the earlier statement's day, and the day's total must still count.
 */
export async function turnDay(dataDir: string): Promise<boolean> {
  const postmaster = await findPostmaster(dataDir);
  if (postmaster === undefined) return false;
  await queryOnce(postmaster.databaseUrl, TURN_DAY);
  return true;
}

const TURN_DAY = `
  update wallets set day = (now() at time zone 'utc')::date + 1
  where day = (now() at time zone 'utc')::date`;

/** Takes so many connections that the server has few left. */
export async function useUpConnections(dataDir: string, holdMs: number): Promise<boolean> {
  const taken: Promise<boolean>[] = [];
  for (let count = 0; count < CONNECTIONS_TAKEN_MAX; count += 1) {
    taken.push(
      withClient(dataDir, async (client) => {
        await client.query('select pg_sleep($1)', [holdMs / PER_MILLE]);
        return true;
      }).catch(() => false),
    );
  }
  return (await Promise.all(taken)).includes(true);
}

async function withClient<Result>(
  dataDir: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result | false> {
  const postmaster = await findPostmaster(dataDir);
  if (postmaster === undefined) return false;
  const client = new Client({
    connectionString: postmaster.databaseUrl,
    application_name: 'faults',
  });
  // A dying server emits an error here too; the query fails anyway.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** False: there is no such process. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

const BACKENDS = `
  select pid from pg_stat_activity
  where datname = current_database() and application_name like 'kafue %'
  order by backend_start, pid`;
