import { withBenchDatabase } from '../database/bench-database.ts';
import { settleLatencies } from '../database/settle-latencies.ts';
import { waitUntilSettled } from '../database/wait-until-settled.ts';
import { PAYING_PHONE } from '../load/transfer-request.ts';
import type { Scenario, Stage, Turn } from '../scenario.ts';
import type { RunningSide } from '../sides/running-side.ts';
import { SETTLING } from '../sides/side-spec.ts';
import { MANY_CONNECTIONS } from './connections.ts';
import { toTurn } from './load-runner.ts';

const FIRST_WARM_UP_MS = 2_500;

/**
 * The whole path of a transfer, with a sandbox that answers at once: from the first request until the last transfer has
 * succeeded. One wallet, for which acceptance and settlement compete.
 */
export const settle: Scenario = {
  name: 'settle',
  act: 'side by side',
  async open(stage) {
    const side = await stage.side(SETTLING);
    return [
      {
        name: 'settle',
        what: 'one wallet, accepted to succeeded; latency: from the one to the other',
        connections: MANY_CONNECTIONS,
        async warmUp() {
          await settleFor(stage, side, FIRST_WARM_UP_MS);
        },
        run: () => settleFor(stage, side, stage.measureMs),
      },
    ];
  },
};

export async function settleFor(
  stage: Pick<Stage, 'signal' | 'targets'>,
  side: RunningSide,
  measureMs: number,
): Promise<Turn> {
  const { databaseUrl } = side;
  if (databaseUrl === undefined) throw new Error('nothing is settled without a database');
  return withBenchDatabase(databaseUrl, async (database) => {
    const report = await side.measure({
      connections: MANY_CONNECTIONS,
      workload: { kind: 'transfers', targets: stage.targets.slice(0, 1), phone: PAYING_PHONE },
      // Nothing is left out: transfers that were accepted during the warm-up must be settled too.
      warmUpMs: 0,
      measureMs,
      ratePerSecond: null,
    });
    await waitUntilSettled({ database, signal: stage.signal });
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
