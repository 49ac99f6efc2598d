import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { WindowRecord } from '../journal/exchange-record.ts';
import type { Journal } from '../journal/open-journal.ts';
import { signal } from './break-database.ts';
import { findCluster, findPostmaster } from './data-folder.ts';
import { queryOnce } from './query-once.ts';
import { pollUntil } from './wait-for-quiet.ts';

const CANCEL_INTERVAL_MS = 25;
/** How long to wait until a commit waits for the standby. */
const BEGIN_TIMEOUT_MS = 5_000;
/** Enough for a server that was killed meanwhile to start again. */
const RESET_TIMEOUT_MS = 60_000;
const STANDBY = 'nowhere';
/** How long to look for a commit that can be stopped, and how long it stays stopped when others no longer wait. */
const STOP_TIMEOUT_MS = 2_000;
const STOPPED_MS = 700;

type Deps = Readonly<{
  dataDir: string;
  windows: Journal<WindowRecord>;
  now: () => Date;
  signal: AbortSignal;
}>;

/**
 * Every commit waits for a standby that does not exist, and every such wait is cancelled, as an administrator could
 * do. The server then reports the commit as done, with only a warning. Records from when to when no commit can have
 * been confirmed.
 *
 * The last commit that waits is stopped with SIGSTOP and becomes visible only after others that were written later.
 */
export async function loseStandby(deps: Deps, forMs: number): Promise<boolean> {
  const file = join(await findCluster(deps.dataDir), 'postgresql.conf');
  const before = await readFile(file, 'utf8');
  // Two such faults at once would each restore the other's setting.
  if (before.includes(STANDBY)) return false;
  let stopped: number | undefined;
  try {
    await writeFile(file, `${before}\nsynchronous_standby_names = '${STANDBY}'\n`);
    await reload(deps);
    void query(deps, COMMIT).catch(() => undefined);
    const begins = async () => (await query(deps, CANCEL)).length > 0;
    if (!(await pollUntil(deps.signal, BEGIN_TIMEOUT_MS, begins))) return false;
    const from = deps.now().toISOString();
    const endMs = performance.now() + forMs;
    while (performance.now() < endMs && !deps.signal.aborted) {
      await query(deps, CANCEL);
      await pause(CANCEL_INTERVAL_MS);
    }
    stopped = await stopCommit(deps);
    const to = deps.now().toISOString();
    await deps.windows.write({ kind: 'standby missing', from, to, walletId: null });
    return true;
  } finally {
    await writeFile(file, before);
    const reset = pollUntil(deps.signal, RESET_TIMEOUT_MS, () => isReset(deps));
    await Promise.all([reset, resumeLater(stopped)]);
  }
}

/** Stops a server process that has written events and waits for the standby; undefined: there was none. */
async function stopCommit(deps: Deps): Promise<number | undefined> {
  let stopped: number | undefined;
  await pollUntil(deps.signal, STOP_TIMEOUT_MS, async () => {
    const [row] = await query(deps, WRITER);
    const pid = Number(row?.['pid']);
    if (row !== undefined && signal(pid, 'SIGSTOP')) stopped = pid;
    else await query(deps, CANCEL);
    return stopped !== undefined;
  });
  return stopped;
}

/** Also when the server was killed meanwhile: it does not start again while one of its processes is stopped. */
async function resumeLater(pid: number | undefined): Promise<void> {
  if (pid === undefined) return;
  await pause(STOPPED_MS);
  signal(pid, 'SIGCONT');
}

async function isReset(deps: Deps): Promise<boolean> {
  await reload(deps);
  await query(deps, CANCEL);
  const [row] = await query(deps, `select current_setting('synchronous_standby_names') as names`);
  return row?.['names'] === '';
}

/** Makes the server reload its configuration. */
async function reload({ dataDir }: Deps): Promise<void> {
  const postmaster = await findPostmaster(dataDir);
  if (postmaster === undefined) throw new Error('the database is not running');
  process.kill(postmaster.pid, 'SIGHUP');
}

async function query({ dataDir }: Deps, text: string) {
  const postmaster = await findPostmaster(dataDir);
  if (postmaster === undefined) throw new Error('the database is not running');
  return queryOnce<Record<string, unknown>>(postmaster.databaseUrl, text);
}

/** A commit without changes, so that one waits. */
const COMMIT = `select pg_logical_emit_message(true, 'faults', '')`;
const CANCEL = `
  select pid, pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
/** Excludes the process that places events in the feed, which holds an advisory lock: no event would be placed. */
const WRITER = `
  select a.pid from pg_stat_activity a
  join pg_locks l on l.pid = a.pid
  join pg_class c on c.oid = l.relation and c.relname = 'feed_pending'
  where a.wait_event = 'SyncRep' and l.mode = 'RowExclusiveLock'
    and not exists (select from pg_locks o where o.pid = a.pid and o.locktype = 'advisory')
  limit 1`;
