import type { Machine } from './describe-machine.ts';
import { type Ratio, ratiosOf } from './ratios.ts';
import type { Measured } from './run-bench.ts';
import type { Scenario, ScenarioName } from './scenarios.ts';
import { type ScenarioSummary, summarize } from './summarize.ts';

export type BenchResult = Readonly<{
  scenarios: ReadonlyMap<ScenarioName, ScenarioSummary>;
  ratios: readonly Ratio[];
  machine: Machine;
  othersCpuShares: readonly number[];
  problems: readonly string[];
}>;

export function toResult(
  measured: Measured & Readonly<{ machine: Machine }>,
  scenarios: readonly Scenario[],
): BenchResult {
  const { turns, machine, othersCpuShares, problems } = measured;
  const summaries = scenarios.map(
    (scenario) => [scenario.name, summarize(scenario, turns.get(scenario.name) ?? [])] as const,
  );
  return {
    scenarios: new Map(summaries),
    ratios: ratiosOf(turns),
    machine,
    othersCpuShares,
    problems,
  };
}
