import { setImmediate as breathe } from 'node:timers/promises';
import { type Extreme, SURVIVED } from './extremes.ts';
import type { Finding } from './finding.ts';
import { runSchedule } from './run-schedule.ts';
import type { TraceLine } from './trace.ts';

/** How many schedules run before the event loop gets a turn, for signals and progress. */
const SCHEDULES_PER_TURN = 50;
/** One bug affects many schedules; the first few are kept with their timelines. */
export const RED_KEPT_MAX = 10;

/** A schedule with violations, with its whole trace. */
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
  /** The first schedules with violations. */
  red: readonly RedSchedule[];
}>;

export type SeedRange = Readonly<{
  firstSeed: number;
  schedules: number;
  /** The extremes of the worlds; default: the extremes that the service survives. */
  extremes?: readonly Extreme[];
}>;

export type Progress = Readonly<{ done: number; redSchedules: number }>;

/** Runs one schedule per seed, until all are done or it is stopped. */
export async function simulateSeeds(
  { firstSeed, schedules, extremes = SURVIVED }: SeedRange,
  control: Readonly<{ onProgress: (progress: Progress) => void; isStopped: () => boolean }>,
): Promise<Tally> {
  const red: RedSchedule[] = [];
  let [done, transfers, steps, violations, redSchedules] = [0, 0, 0, 0, 0];
  for (; done < schedules && !control.isStopped(); done += 1) {
    const seed = firstSeed + done;
    const result = await runSchedule({ seed, extremes });
    transfers += result.transfers;
    steps += result.steps;
    violations += result.findings.length;
    if (result.findings.length > 0) {
      redSchedules += 1;
      if (red.length < RED_KEPT_MAX) red.push(await replay(seed, extremes));
    }
    if (done % SCHEDULES_PER_TURN > 0) continue;
    control.onProgress({ done, redSchedules });
    await breathe();
  }
  return { schedules: done, transfers, steps, violations, redSchedules, red };
}

/** Runs the schedule again and keeps the lines of its trace. */
async function replay(seed: number, extremes: readonly Extreme[]): Promise<RedSchedule> {
  const { findings, lines } = await runSchedule({ seed, extremes, keepLines: true });
  return { seed, findings, lines };
}
