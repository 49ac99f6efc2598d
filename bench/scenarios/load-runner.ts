import type { Workload } from '../load/load-plan.ts';
import type { Runner, ScenarioContext, Turn } from '../scenario.ts';
import type { RunningSide, SideReport } from '../sides/running-side.ts';

/** Once for every runner, for the compiler. */
const FIRST_WARM_UP_MS = 2_500;
/** At the start of every turn, for the process that makes the load. */
const WARM_UP_MS = 500;
/** Open loops run at half the speed that was reached: busy, with room to recover from a stall. */
const PACED_SHARE = 0.5;

type LoadRunnerOptions = Readonly<{
  name: string;
  what: string;
  side: RunningSide;
  connections: number;
  workload: Workload;
  /** False for a single connection: one request after the other cannot hide a queue. */
  isPaced: boolean;
}>;

/** Measures at full speed, and then at half that speed for the latencies. */
export function loadRunner(
  { measureMs }: Pick<ScenarioContext, 'measureMs'>,
  { name, what, side, connections, workload, isPaced }: LoadRunnerOptions,
): Runner {
  const itemsPerAnswer = workload.kind === 'bulk' ? workload.transfersPerCall : 1;
  const measure = async (warmUpMs: number, ratePerSecond: number | null): Promise<Turn> =>
    toTurn(
      await side.measure({ connections, workload, warmUpMs, measureMs, ratePerSecond }),
      itemsPerAnswer,
    );
  const runner: Runner = {
    name,
    what,
    connections,
    async warmUp() {
      await measure(FIRST_WARM_UP_MS, null);
    },
    run: () => measure(WARM_UP_MS, null),
  };
  if (!isPaced) return runner;
  return {
    ...runner,
    async runPaced(perSecond) {
      const ratePerSecond = Math.max(1, Math.round((perSecond * PACED_SHARE) / itemsPerAnswer));
      return { ...(await measure(WARM_UP_MS, ratePerSecond)), ratePerSecond };
    },
  };
}

export function toTurn({ result, cost }: SideReport, itemsPerAnswer = 1): Turn {
  return {
    perSecond: result.perSecond * itemsPerAnswer,
    latencyMs: result.latencyMs,
    loadCpuShare: result.cpuShare,
    cost,
  };
}
