import { WAITING_PHONE } from '../load/transfer-request.ts';
import type { Runner, Scenario, Stage, Turn } from '../scenario.ts';
import type { RunningSide } from '../sides/running-side.ts';
import { serviceSide } from '../sides/side-spec.ts';
import { loadRunner, toTurn } from './load-runner.ts';
import { MANY_CONNECTIONS } from './pressure.ts';

/** More than the service lets wait, so that it is the service that says no and not the sender. */
const CROWD_CONNECTIONS = 6_000;
const TIMES_THE_LIMIT = 2;
/** Until as many are waiting as may. */
const WARM_UP_MS = 2_500;

const CROWDED = serviceSide('overload', { mayRefuse: true });

/**
 * What happens past the limit: requests come in at twice the rate that can be stored, whatever the
 * answers are. The excess must be refused quickly, and must not cost what could have been stored.
 */
export const overload: Scenario = {
  name: 'overload',
  act: 'overload',
  async open(stage) {
    const side = await stage.side(CROWDED);
    const workload = {
      kind: 'transfers',
      targets: stage.targets.slice(0, 1),
      phone: WAITING_PHONE,
    } as const;
    const best = loadRunner(stage, {
      name: 'overload-best',
      what: 'one wallet, as much as is answered',
      side,
      connections: MANY_CONNECTIONS,
      workload,
      isPaced: false,
    });
    let bestPerSecond = 0;
    const runBest = async () => {
      const turn = await best.run();
      bestPerSecond = turn.perSecond;
      return turn;
    };
    const crowd: Runner = {
      name: 'overload-twice',
      what: 'one wallet, at twice that rate; the rest is refused',
      connections: CROWD_CONNECTIONS,
      async warmUp() {
        await runBest();
        await rush(stage, side, { workload, ratePerSecond: TIMES_THE_LIMIT * bestPerSecond });
      },
      run: () => rush(stage, side, { workload, ratePerSecond: TIMES_THE_LIMIT * bestPerSecond }),
    };
    return [{ ...best, run: runBest }, crowd];
  },
};

async function rush(
  { measureMs }: Stage,
  side: RunningSide,
  load: Pick<Parameters<RunningSide['measure']>[0], 'workload'> & { ratePerSecond: number },
): Promise<Turn> {
  const ratePerSecond = Math.round(load.ratePerSecond);
  const report = await side.measure({
    connections: MANY_CONNECTIONS,
    connectionsMax: CROWD_CONNECTIONS,
    workload: load.workload,
    warmUpMs: WARM_UP_MS,
    measureMs,
    ratePerSecond,
  });
  const { refusedPerSecond, refusedLatencyMs } = report.result;
  return {
    ...toTurn(report),
    figures: {
      ratePerSecond,
      refusedPerSecond,
      refusedP50Ms: refusedLatencyMs.p50,
      refusedP99Ms: refusedLatencyMs.p99,
    },
  };
}
