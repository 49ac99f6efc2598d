import type { Random } from '../plan/random.ts';

/** A period of simulated time; the end is exclusive. */
export type Window = Readonly<{ fromMs: number; toMs: number }>;

export function isWithin(windows: readonly Window[], atMs: number): boolean {
  return windows.some(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs);
}

/** Draws windows that end before the faults end. */
export function drawWindows(
  random: Random,
  bounds: Readonly<{ countMax: number; lengthMaxMs: number; healsAtMs: number }>,
): readonly Window[] {
  const { countMax, lengthMaxMs, healsAtMs } = bounds;
  return Array.from({ length: random.between(0, countMax) }, () => {
    const fromMs = random.between(0, Math.floor(healsAtMs / 2));
    // The cube makes most windows short.
    const part = (random.between(1, 1_000) / 1_000) ** 3;
    return { fromMs, toMs: Math.min(healsAtMs, fromMs + Math.ceil(part * lengthMaxMs)) };
  });
}
