import type { Deviation } from './deviation.ts';
import type { Extreme } from './extremes.ts';
import { runSchedule } from './run-schedule.ts';

type TestSystem = Readonly<{ deviation?: Deviation; extremes?: readonly Extreme[] }>;

export type SeedsToTry = Readonly<{
  /** All seeds from 1 to this one. */
  within: number;
  /** Tried first: it had a violation when the search was last made. */
  likely?: number | undefined;
}>;

/**
 * The likely seed, or else the first one, with a violation that, when a bug is planted, does not occur without the bug;
 * null: none of `within` seeds.
 */
export async function findRed(
  world: TestSystem,
  { within, likely }: SeedsToTry,
): Promise<number | null> {
  if (likely !== undefined && (await isRed(world, likely))) return likely;
  for (let seed = 1; seed <= within; seed += 1) {
    if (await isRed(world, seed)) return seed;
  }
  return null;
}

async function isRed({ deviation, ...same }: TestSystem, seed: number): Promise<boolean> {
  if (deviation === undefined) return (await runSchedule({ ...same, seed })).findings.length > 0;
  const { findings } = await runSchedule({ ...same, deviation, seed });
  return findings.length > 0 && (await runSchedule({ ...same, seed })).findings.length === 0;
}
