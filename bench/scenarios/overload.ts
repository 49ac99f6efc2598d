import { REQUESTS_UNDER_WAY_MAX } from '../../service/src/http/server/concurrency-limit.ts';
import { WAITING_PHONE } from '../load/transfer-request.ts';
import type { Scenario, ScenarioContext, Turn } from '../scenario.ts';
import type { RunningSide } from '../sides/running-side.ts';
import { serviceSide } from '../sides/side-spec.ts';
import { MANY_CONNECTIONS } from './connections.ts';
import { loadRunner, toTurn } from './load-runner.ts';

const TIMES_THE_LIMIT = 2;
/** Until the first refused clients have retried. */
const WARM_UP_MS = 3_000;

const TOO_MANY = serviceSide('overload', { mayRefuse: true });

/**
 * Measures what happens past the limit: twice as many clients at once as the service admits. The excess must be refused
 * quickly, and must not reduce what is stored. A refused client retries after Retry-After.
 */
export const overload: Scenario = {
  name: 'overload',
  group: 'overload',
  async open(context) {
    const side = await context.side(TOO_MANY);
    const connections = TIMES_THE_LIMIT * REQUESTS_UNDER_WAY_MAX;
    return [
      loadRunner(context, {
        name: 'overload-best',
        what: 'one wallet, as many clients as there are at best',
        side,
        connections: MANY_CONNECTIONS,
        workload: workloadOf(context),
        isPaced: false,
      }),
      {
        name: 'overload-twice',
        what: 'one wallet, twice as many clients as are let in; the rest is refused',
        connections,
        async warmUp() {
          await measureRefusals(context, side, connections);
        },
        run: () => measureRefusals(context, side, connections),
      },
    ];
  },
};

function workloadOf({ targets }: ScenarioContext) {
  return { kind: 'transfers', targets: targets.slice(0, 1), phone: WAITING_PHONE } as const;
}

async function measureRefusals(
  context: ScenarioContext,
  side: RunningSide,
  connections: number,
): Promise<Turn> {
  const report = await side.measure({
    connections,
    workload: workloadOf(context),
    warmUpMs: WARM_UP_MS,
    measureMs: context.measureMs,
    ratePerSecond: null,
  });
  const { refusedPerSecond, refusedLatencyMs } = report.result;
  return {
    ...toTurn(report),
    figures: {
      refusedPerSecond,
      refusedP50Ms: refusedLatencyMs.p50,
      refusedP99Ms: refusedLatencyMs.p99,
    },
  };
}
