import type { PlanSize } from './plan/make-plan.ts';
import { SEED_MAX } from './plan/make-plan.ts';
import { runSeed, type SeedResult } from './run-seed.ts';

/** Whichever comes first. */
type Extent = Readonly<{ seedsMax: number; untilMs: number }>;

export type SeedsOptions = Readonly<{
  firstSeed: number;
  extent: Extent;
  size: PlanSize;
  runsFolder: string;
  keep: boolean;
  signal: AbortSignal;
  onPhase: (progress: Progress) => void;
  onResult: (result: SeedResult) => void;
}>;

export type Progress = Readonly<{ seed: number; done: number; phase: string }>;

/** Seed after seed; a violation does not end it, since the next seeds may show others. */
export async function runSeeds(options: SeedsOptions): Promise<readonly SeedResult[]> {
  const { extent, signal } = options;
  const results: SeedResult[] = [];
  const mayGoOn = () => results.length < extent.seedsMax && performance.now() < extent.untilMs;
  // At least one, however short the time.
  do {
    const seed = (options.firstSeed + results.length) % (SEED_MAX + 1);
    const done = results.length;
    const say = (phase: string) => options.onPhase({ seed, done, phase });
    const { size, runsFolder, keep } = options;
    const result = await runSeed({ seed, size, runsFolder, keep, signal, say });
    // What was interrupted says nothing.
    if (signal.aborted) break;
    results.push(result);
    options.onResult(result);
  } while (mayGoOn());
  return results;
}
