import type { Machine } from './describe-machine.ts';
import type { Measured } from './measured.ts';
import { type Ratio, ratiosOf } from './ratios.ts';
import { type RunnerSummary, summarize } from './summarize.ts';

export type BenchResult = Readonly<{
  scenarios: ReadonlyMap<string, RunnerSummary>;
  ratios: readonly Ratio[];
  machine: Machine;
  othersCpuShares: readonly number[];
  problems: readonly string[];
  elapsedMs: number;
}>;

export function toResult(measured: Measured & Readonly<{ machine: Machine }>): BenchResult {
  const { runners, turns, machine, othersCpuShares, problems, elapsedMs } = measured;
  const summaries = runners.map(
    (runner) => [runner.name, summarize(runner, turns.get(runner.name) ?? [])] as const,
  );
  return {
    scenarios: new Map(summaries),
    ratios: ratiosOf(turns),
    machine,
    othersCpuShares,
    problems,
    elapsedMs,
  };
}
