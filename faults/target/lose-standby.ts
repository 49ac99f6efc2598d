import { setTimeout as pause } from 'node:timers/promises';
import type { WindowRecord } from '../journal/exchange-record.ts';
import type { Journal } from '../journal/open-journal.ts';
import { findPostmaster } from './data-folder.ts';
import { queryOnce } from './query-once.ts';
import { pollUntil } from './wait-for-quiet.ts';

const CANCEL_INTERVAL_MS = 25;
/** Until some commit shows that the server wants the standby. */
const BEGIN_TIMEOUT_MS = 5_000;
/** A server that was killed meanwhile starts again first. */
const RESET_TIMEOUT_MS = 60_000;

type Deps = Readonly<{
  dataDir: string;
  windows: Journal<WindowRecord>;
  now: () => Date;
  signal: AbortSignal;
}>;

/**
 * Every commit waits for a standby that does not exist, and every such wait is cancelled, as an administrator would
 * do it: the server then calls the commit done, with a warning only. Notes from when to when no commit can have
 * been confirmed.
 */
export async function loseStandby(deps: Deps, forMs: number): Promise<boolean> {
  try {
    await query(deps, `alter system set synchronous_standby_names = 'nowhere'`);
    await query(deps, 'select pg_reload_conf()');
    const waits = async () => (await query(deps, CANCEL)).length > 0;
    void query(deps, COMMIT).catch(() => undefined);
    if (!(await pollUntil(deps.signal, BEGIN_TIMEOUT_MS, waits))) return false;
    const from = deps.now().toISOString();
    const endMs = performance.now() + forMs;
    while (performance.now() < endMs && !deps.signal.aborted) {
      await query(deps, CANCEL);
      await pause(CANCEL_INTERVAL_MS);
    }
    const to = deps.now().toISOString();
    await deps.windows.write({ kind: 'standby missing', from, to, walletId: null });
    return true;
  } finally {
    await pollUntil(deps.signal, RESET_TIMEOUT_MS, () => reset(deps));
  }
}

async function reset(deps: Deps): Promise<boolean> {
  await query(deps, 'alter system reset synchronous_standby_names');
  await query(deps, 'select pg_reload_conf()');
  const [row] = await query(deps, `select current_setting('synchronous_standby_names') as names`);
  return row?.['names'] === '';
}

async function query({ dataDir }: Deps, text: string) {
  const postmaster = await findPostmaster(dataDir);
  if (postmaster === undefined) throw new Error('the database is not there');
  return queryOnce<Record<string, unknown>>(postmaster.databaseUrl, text);
}

/** A commit of nothing, so that there is one that waits. */
const COMMIT = `select pg_logical_emit_message(true, 'faults', '')`;
const CANCEL = `
  select pid, pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
