import { setTimeout as wait } from 'node:timers/promises';
import type { Database, Statement } from '../../service/src/postgres/database.ts';
import { withBenchDatabase } from '../database/bench-database.ts';
import { AMOUNT_MINOR } from '../load/transfer-request.ts';
import type { ScenarioContext } from '../scenario.ts';
import type { RunningSide } from '../sides/running-side.ts';

const SAMPLE_EVERY_MS = 250;
const PATIENCE_MS = 300_000;

export type Drained = Readonly<{ perSecond: number; residentMbMax: number }>;

/** Opens the operator and waits until the last transfer of the backlog is final. */
export async function drainBacklog(
  { signal, targets }: Pick<ScenarioContext, 'signal' | 'targets'>,
  side: RunningSide,
  { backlog }: Readonly<{ backlog: number }>,
): Promise<Drained> {
  const walletId = targets[0]?.walletId;
  if (side.databaseUrl === undefined || walletId === undefined) throw new Error('nothing to drain');
  return withBenchDatabase(side.databaseUrl, async (database) => {
    let residentMbMax = 0;
    await openOperator(database, { walletId, backlog });
    const startedMs = performance.now();
    for (;;) {
      const left = await countWaiting(database, walletId);
      residentMbMax = Math.max(residentMbMax, side.residentMb() ?? Number.NaN);
      if (left === 0) break;
      if (performance.now() - startedMs > PATIENCE_MS)
        throw new Error('the backlog does not drain');
      await wait(SAMPLE_EVERY_MS, undefined, { signal });
    }
    const elapsedMs = performance.now() - startedMs;
    return { perSecond: (1_000 * backlog) / elapsedMs, residentMbMax };
  });
}

async function openOperator(
  database: Database,
  { walletId, backlog }: Readonly<{ walletId: string; backlog: number }>,
): Promise<void> {
  const [opened] = await database.query<{ count: number }>(OPEN, [walletId]);
  if (opened?.count !== backlog) throw new Error(`${opened?.count} were waiting, not ${backlog}`);
}

async function countWaiting(database: Database, walletId: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(COUNT, [walletId, AMOUNT_MINOR]);
  return row?.count ?? 0;
}

// The effect of an operator that opens on its queue: all of it is due.
const OPEN: Statement = {
  name: '',
  text: `
    with opened as (
      update transfers set next_action_at = now()
      where wallet_id = $1 and state = 'queued' and next_action_at is not null
      returning 1
    )
    select count(*)::integer as count from opened`,
};

// The held amount is what is not settled: one row, however many transfers there are.
const COUNT: Statement = {
  name: 'count-waiting',
  text: 'select (held_minor / $2::bigint)::integer as count from wallets where id = $1',
};
