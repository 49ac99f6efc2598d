import { REQUESTS_UNDER_WAY_MAX } from '../../service/src/http/server/concurrency-limit.ts';
import { WAITING_PHONE } from '../load/transfer-request.ts';
import type { Scenario, Stage, Turn } from '../scenario.ts';
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
  act: 'overload',
  async open(stage) {
    const side = await stage.side(TOO_MANY);
    const connections = TIMES_THE_LIMIT * REQUESTS_UNDER_WAY_MAX;
    return [
      loadRunner(stage, {
        name: 'overload-best',
        what: 'one wallet, as many clients as there are at best',
        side,
        connections: MANY_CONNECTIONS,
        workload: workloadOf(stage),
        isPaced: false,
      }),
      {
        name: 'overload-twice',
        what: 'one wallet, twice as many clients as are let in; the rest is refused',
        connections,
        async warmUp() {
          await concurrencyLimit(stage, side, connections);
        },
        run: () => concurrencyLimit(stage, side, connections),
      },
    ];
  },
};

function workloadOf({ targets }: Stage) {
  return { kind: 'transfers', targets: targets.slice(0, 1), phone: WAITING_PHONE } as const;
}

async function concurrencyLimit(
  stage: Stage,
  side: RunningSide,
  connections: number,
): Promise<Turn> {
  const report = await side.measure({
    connections,
    workload: workloadOf(stage),
    warmUpMs: WARM_UP_MS,
    measureMs: stage.measureMs,
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
