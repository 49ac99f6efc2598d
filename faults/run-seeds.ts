import { SEED_MAX } from './plan/make-plan.ts';
import type { PlanSize } from './plan/plan-size.ts';
import { runSeed, type SeedResult } from './run-seed.ts';

/** Ends at the first limit that is reached. */
type Extent = Readonly<{ seedsMax: number; untilMs: number }>;

export type SeedsOptions = Readonly<{
  firstSeed: number;
  extent: Extent;
  /** How many seeds run at the same time, each with its own processes. */
  atOnce: number;
  size: PlanSize;
  /** How many cells there are; left out: one. */
  cells?: number;
  runsFolder: string;
  keep: boolean;
  signal: AbortSignal;
  onPhase: (progress: Progress) => void;
  onResult: (result: SeedResult) => void;
}>;

export type Progress = Readonly<{ seed: number; done: number; phase: string }>;

/** Runs seeds one after another. It continues after a violation, because later seeds may show others. */
export async function runSeeds(options: SeedsOptions): Promise<readonly SeedResult[]> {
  const { extent, signal, size, runsFolder, keep, cells = 1 } = options;
  const results: SeedResult[] = [];
  let begun = 0;
  const mayBegin = () =>
    // Runs at least one seed, however short the time.
    begun === 0 || (begun < extent.seedsMax && performance.now() < extent.untilMs);

  async function runOn(): Promise<void> {
    while (mayBegin() && !signal.aborted) {
      const seed = (options.firstSeed + begun) % (SEED_MAX + 1);
      begun += 1;
      const say = (phase: string) => options.onPhase({ seed, done: results.length, phase });
      const result = await runSeed({ seed, size, cells, runsFolder, keep, signal, say });
      // An interrupted seed has no result.
      if (signal.aborted) return;
      results.push(result);
      options.onResult(result);
    }
  }

  await Promise.all(Array.from({ length: options.atOnce }, runOn));
  return results.toSorted((one, other) => one.seed - other.seed);
}
