import { withBenchDatabase } from '../database/bench-database.ts';
import { settleLatencies } from '../database/settle-latencies.ts';
import { waitUntilSettled } from '../database/wait-until-settled.ts';
import { PAYING_PHONE } from '../load/transfer-request.ts';
import type { Runner, Scenario, ScenarioContext, Turn } from '../scenario.ts';
import type { RunningSide } from '../sides/running-side.ts';
import { SETTLING, SETTLING_AMONG_MANY } from '../sides/side-spec.ts';
import { MANY_CONNECTIONS } from './connections.ts';
import { toTurn } from './load-runner.ts';

const FIRST_WARM_UP_MS = 2_500;

/**
 * The whole path of a transfer, with a sandbox that answers at once: from the first request until the last transfer has
 * succeeded. One wallet, for which acceptance and settlement compete; and the same while most other books are small, where
 * a plan made for small books would read the whole of a large one.
 */
export const settle: Scenario = {
  name: 'settle',
  group: 'side by side',
  async open(context) {
    const alone = await context.side(SETTLING);
    const amongMany = await context.side(SETTLING_AMONG_MANY);
    return [
      runnerOf(context, { name: 'settle', where: 'one wallet', side: alone }),
      runnerOf(context, {
        name: 'settle-among-many',
        where: 'one wallet, beside books with few transfers',
        side: amongMany,
        prepare: () => settleInAllBooks(context, amongMany),
      }),
    ];
  },
};

type Settling = Readonly<{
  name: string;
  where: string;
  side: RunningSide;
  prepare?: () => Promise<void>;
}>;

function runnerOf(context: ScenarioContext, { name, where, side, prepare }: Settling): Runner {
  return {
    name,
    what: `${where}, accepted to succeeded; latency: from the one to the other`,
    connections: MANY_CONNECTIONS,
    async warmUp() {
      await prepare?.();
      await settleFor(context, side, FIRST_WARM_UP_MS);
    },
    run: () => settleFor(context, side, context.measureMs),
  };
}

/** A few transfers in every book. */
async function settleInAllBooks(
  { targets, measureMs, signal }: ScenarioContext,
  side: RunningSide,
): Promise<void> {
  const workload = { kind: 'transfers', targets, phone: PAYING_PHONE } as const;
  const { databaseUrl = '' } = side;
  await side.measure({
    connections: MANY_CONNECTIONS,
    workload,
    warmUpMs: 0,
    measureMs,
    ratePerSecond: null,
  });
  await withBenchDatabase(databaseUrl, (database) => waitUntilSettled({ database, signal }));
}

export async function settleFor(
  context: Pick<ScenarioContext, 'signal' | 'targets'>,
  side: RunningSide,
  measureMs: number,
): Promise<Turn> {
  const { databaseUrl } = side;
  if (databaseUrl === undefined) throw new Error('nothing is settled without a database');
  return withBenchDatabase(databaseUrl, async (database) => {
    const report = await side.measure(
      {
        connections: MANY_CONNECTIONS,
        workload: { kind: 'transfers', targets: context.targets.slice(0, 1), phone: PAYING_PHONE },
        // Nothing is left out: transfers that were accepted during the warm-up must be settled too.
        warmUpMs: 0,
        measureMs,
        ratePerSecond: null,
      },
      { done: () => waitUntilSettled({ database, signal: context.signal }) },
    );
    const settledAtMs = Date.now();
    const accepted = report.statuses['201'] ?? 0;
    return {
      ...toTurn(report),
      perSecond: (1_000 * accepted) / (settledAtMs - report.startedAtMs),
      latencyMs: await settleLatencies(database, new Date(report.startedAtMs)),
      figures: {
        acceptedPerSecond: report.result.perSecond,
        lastSettledAfterMs: settledAtMs - report.endedAtMs,
      },
    };
  });
}
