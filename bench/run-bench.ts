import { openBenchServer } from './bench-database.ts';
import { createTargets } from './create-targets.ts';
import { describeMachine, type Machine, othersCpuShare } from './describe-machine.ts';
import type { LoadReport } from './load-plan.ts';
import { type RoundDeps, runRound } from './run-round.ts';
import type { Scenario, ScenarioName } from './scenarios.ts';
import { type ScenarioSummary, summarize } from './summarize.ts';

/** Odd, so that the median was measured. */
const ROUNDS = 3;
/** Long enough for the compiler, and for the service's places at operators to fill up. */
const WARM_UP_MS = 2_500;

export type BenchOptions = Readonly<{ scenarios: readonly Scenario[]; seconds: number }>;

export type BenchResult = Readonly<{
  scenarios: ReadonlyMap<ScenarioName, ScenarioSummary>;
  machine: Machine;
  /** What else was using the machine before each round. */
  othersCpuShares: readonly number[];
  problems: readonly string[];
}>;

export type BenchDeps = Readonly<{ say: (line: string) => void; signal: AbortSignal }>;

/** Measures the scenarios in turns, so that whatever else the machine does meets all of them. */
export async function runBench(deps: BenchDeps, options: BenchOptions): Promise<BenchResult> {
  deps.say('starting a throw-away PostgreSQL');
  const server = await openBenchServer({ say: () => undefined });
  try {
    deps.signal.throwIfAborted();
    const wallets = Math.max(...options.scenarios.map((scenario) => scenario.wallets));
    deps.say(`creating merchants: ${wallets}`);
    const targets = await server.prepare((database) =>
      createTargets({ ...deps, database }, wallets),
    );
    const rounds = await runRounds({ ...deps, server, targets }, options);
    return { ...rounds, machine: describeMachine(server.version) };
  } finally {
    await server.close();
  }
}

async function runRounds(
  deps: BenchDeps & RoundDeps,
  { scenarios, seconds }: BenchOptions,
): Promise<Omit<BenchResult, 'machine'>> {
  const reports = new Map<ScenarioName, LoadReport[]>(scenarios.map(({ name }) => [name, []]));
  const othersCpuShares: number[] = [];
  const problems: string[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const scenario of scenarios) {
      deps.signal.throwIfAborted();
      othersCpuShares.push(await othersCpuShare());
      const times = { warmUpMs: WARM_UP_MS, measureMs: seconds * 1_000 };
      const result = await runRound(deps, scenario, times);
      const { perSecond, latencyMs } = result.report.closedLoop;
      deps.say(
        `round ${round} of ${ROUNDS}: ${scenario.name} ${Math.round(perSecond)}/s, ` +
          `p50 ${latencyMs.p50.toFixed(2)} ms`,
      );
      reports.get(scenario.name)?.push(result.report);
      problems.push(...result.problems.map((problem) => `${scenario.name}: ${problem}`));
    }
  }
  const summaries = scenarios.map(
    (scenario) => [scenario.name, summarize(scenario, reports.get(scenario.name) ?? [])] as const,
  );
  return { scenarios: new Map(summaries), othersCpuShares, problems };
}
