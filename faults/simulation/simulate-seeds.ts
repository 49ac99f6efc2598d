import { setImmediate as breathe } from 'node:timers/promises';
import { type Extreme, SURVIVED } from './extremes.ts';
import type { Finding } from './finding.ts';
import { runSchedule } from './run-schedule.ts';
import type { TraceLine } from './trace.ts';

/** Schedules between two breaths, in which signals are heard and progress is told. */
const SCHEDULES_PER_BREATH = 50;
/** One bug breaks many schedules; the first few are kept with their timelines. */
export const RED_KEPT_MAX = 10;

/** A schedule in which something did not hold, with all that happened in it. */
export type RedSchedule = Readonly<{
  seed: number;
  findings: readonly Finding[];
  lines: readonly TraceLine[];
}>;

export type Tally = Readonly<{
  schedules: number;
  transfers: number;
  /** Steps of simulated time. */
  steps: number;
  violations: number;
  redSchedules: number;
  /** The first of them. */
  red: readonly RedSchedule[];
}>;

export type SeedRange = Readonly<{
  firstSeed: number;
  schedules: number;
  /** The dangers of the worlds; those that the service survives when left out. */
  extremes?: readonly Extreme[];
}>;

export type Progress = Readonly<{ done: number; redSchedules: number }>;

/** Schedule after schedule, each from a seed of its own, until all are done or it is told to stop. */
export async function simulateSeeds(
  { firstSeed, schedules, extremes = SURVIVED }: SeedRange,
  told: Readonly<{ onProgress: (progress: Progress) => void; isStopped: () => boolean }>,
): Promise<Tally> {
  const red: RedSchedule[] = [];
  let [done, transfers, steps, violations, redSchedules] = [0, 0, 0, 0, 0];
  for (; done < schedules && !told.isStopped(); done += 1) {
    const seed = firstSeed + done;
    const result = await runSchedule({ seed, extremes });
    transfers += result.transfers;
    steps += result.steps;
    violations += result.findings.length;
    if (result.findings.length > 0) {
      redSchedules += 1;
      if (red.length < RED_KEPT_MAX) red.push(await replay(seed, extremes));
    }
    if (done % SCHEDULES_PER_BREATH > 0) continue;
    told.onProgress({ done, redSchedules });
    await breathe();
  }
  return { schedules: done, transfers, steps, violations, redSchedules, red };
}

/** Once more, this time with everything written down. */
async function replay(seed: number, extremes: readonly Extreme[]): Promise<RedSchedule> {
  const { findings, lines } = await runSchedule({ seed, extremes, keepLines: true });
  return { seed, findings, lines };
}
