import { WAITING_PHONE } from '../load/transfer-request.ts';
import type { Scenario, ScenarioContext, Turn } from '../scenario.ts';
import type { RunningSide } from '../sides/running-side.ts';
import { SERVICE } from '../sides/side-spec.ts';
import { toTurn } from './load-runner.ts';

/** One call is being read while another is stored and a third is answered. */
const CALLS_AT_ONCE = 3;
const TRANSFERS_PER_CALL = 1_000;

/** A file of payouts, sent by as few calls as the API allows. */
export const bulk: Scenario = {
  name: 'bulk',
  group: 'side by side',
  async open(context) {
    const side = await context.side(SERVICE);
    return [
      {
        name: 'bulk',
        what: 'one wallet, 1,000 transfers per call; latency: of a call',
        connections: CALLS_AT_ONCE,
        async warmUp() {
          await payInBulk(context, side);
        },
        run: () => payInBulk(context, side),
      },
    ];
  },
};

async function payInBulk(context: ScenarioContext, side: RunningSide): Promise<Turn> {
  const report = await side.measure({
    connections: CALLS_AT_ONCE,
    workload: {
      kind: 'bulk',
      targets: context.targets.slice(0, 1),
      phone: WAITING_PHONE,
      transfersPerCall: TRANSFERS_PER_CALL,
    },
    warmUpMs: 0,
    measureMs: context.measureMs,
    ratePerSecond: null,
  });
  // Calls are few and large, so the time runs from the first to the end of the last, not over a fixed window.
  const calls = report.statuses['200'] ?? 0;
  const elapsedMs = report.endedAtMs - report.startedAtMs;
  return {
    ...toTurn(report, TRANSFERS_PER_CALL),
    perSecond: (1_000 * calls * TRANSFERS_PER_CALL) / elapsedMs,
  };
}
