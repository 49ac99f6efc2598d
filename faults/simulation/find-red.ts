import type { Deviation } from './deviation.ts';
import type { Extreme } from './extremes.ts';
import { runSchedule } from './run-schedule.ts';

type World = Readonly<{ deviation?: Deviation; extremes?: readonly Extreme[] }>;

export type SeedsToTry = Readonly<{
  /** All seeds from 1 to this one. */
  within: number;
  /** Tried before all others: it was red when the search was last made. */
  likely?: number | undefined;
}>;

/**
 * A seed in which something does not hold and, when a bug is planted, does hold without it; null: none. Unless the
 * likely one is red, it is the first.
 */
export async function findRed(
  world: World,
  { within, likely }: SeedsToTry,
): Promise<number | null> {
  if (likely !== undefined && (await isRed(world, likely))) return likely;
  for (let seed = 1; seed <= within; seed += 1) {
    if (await isRed(world, seed)) return seed;
  }
  return null;
}

async function isRed({ deviation, ...same }: World, seed: number): Promise<boolean> {
  if (deviation === undefined) return (await runSchedule({ ...same, seed })).findings.length > 0;
  const { findings } = await runSchedule({ ...same, deviation, seed });
  return findings.length > 0 && (await runSchedule({ ...same, seed })).findings.length === 0;
}
