import { availableParallelism } from 'node:os';
import { runInWorker } from './run-in-worker.ts';
import { type Progress, RED_KEPT_MAX, type SeedRange, type Tally } from './simulate-seeds.ts';

const MS_PER_MINUTE = 60_000;

export type SimulationSummary = Tally &
  Readonly<{ firstSeed: number; elapsedMs: number; schedulesPerMinute: number }>;

export type SimulationOptions = SeedRange &
  Readonly<{
    /** The number of threads; default: the number of cores. */
    workers?: number;
    onProgress?: (progress: Progress) => void;
    /** Stops the simulation early; finished schedules still count. */
    signal?: AbortSignal;
  }>;

/** Simulates schedules from the first seed on all cores. */
export async function runSimulation(options: SimulationOptions): Promise<SimulationSummary> {
  const { onProgress, signal } = options;
  const startedMs = performance.now();
  const ranges = shareOut(options, options.workers ?? availableParallelism());
  const progress = ranges.map((): Progress => ({ done: 0, redSchedules: 0 }));
  const tallies = await Promise.all(
    ranges.map(async (range, index) => {
      const note = (own: Progress): void => {
        progress[index] = own;
        onProgress?.({
          done: sum(progress, 'done'),
          redSchedules: sum(progress, 'redSchedules'),
        });
      };
      const job = { kind: 'simulate', range } as const;
      return (await runInWorker(job, { onProgress: note, signal })).tally;
    }),
  );
  const elapsedMs = performance.now() - startedMs;
  const schedules = sum(tallies, 'schedules');
  return {
    firstSeed: options.firstSeed,
    schedules,
    transfers: sum(tallies, 'transfers'),
    steps: sum(tallies, 'steps'),
    violations: sum(tallies, 'violations'),
    redSchedules: sum(tallies, 'redSchedules'),
    red: tallies.flatMap(({ red }) => red).slice(0, RED_KEPT_MAX),
    elapsedMs,
    schedulesPerMinute: Math.round((schedules / elapsedMs) * MS_PER_MINUTE),
  };
}

/** Gives each thread consecutive seeds, so that the tallies can be joined in order. */
function shareOut(
  { firstSeed, schedules, extremes }: SeedRange,
  workers: number,
): readonly SeedRange[] {
  const count = Math.max(1, Math.min(workers, schedules));
  const startOf = (index: number) => Math.floor((schedules * index) / count);
  return Array.from({ length: count }, (_, index) => ({
    firstSeed: firstSeed + startOf(index),
    schedules: startOf(index + 1) - startOf(index),
    ...(extremes === undefined ? {} : { extremes }),
  }));
}

function sum<Name extends string>(
  rows: readonly Readonly<Record<Name, number>>[],
  name: Name,
): number {
  return rows.reduce((total, row) => total + row[name], 0);
}
