import type { Deviation } from './deviation.ts';
import type { Extreme } from './extremes.ts';
import { runSchedule } from './run-schedule.ts';

type World = Readonly<{ deviation?: Deviation; extremes?: readonly Extreme[] }>;

/**
 * The first seed with a violation that, when a bug is planted, does not occur without the bug; null: none of
 * `within` seeds.
 */
export async function findFirstRed(world: World, within: number): Promise<number | null> {
  const { deviation, ...same } = world;
  for (let seed = 1; seed <= within; seed += 1) {
    const { findings } = await runSchedule({ ...world, seed });
    if (findings.length === 0) continue;
    const without = deviation === undefined ? [] : (await runSchedule({ ...same, seed })).findings;
    if (without.length === 0) return seed;
  }
  return null;
}
