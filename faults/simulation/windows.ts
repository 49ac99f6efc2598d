import type { Random } from '../plan/random.ts';

/** A stretch of simulated time, from its first moment up to its end. */
export type Window = Readonly<{ fromMs: number; toMs: number }>;

export function isWithin(windows: readonly Window[], atMs: number): boolean {
  return windows.some(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs);
}

/** Up to so many windows that are over when everything heals. */
export function drawWindows(
  random: Random,
  bounds: Readonly<{ countMax: number; lengthMaxMs: number; healsAtMs: number }>,
): readonly Window[] {
  const { countMax, lengthMaxMs, healsAtMs } = bounds;
  return Array.from({ length: random.between(0, countMax) }, () => {
    const fromMs = random.between(0, Math.floor(healsAtMs / 2));
    // Most are short: a cube pulls the draw towards the small ones.
    const part = (random.between(1, 1_000) / 1_000) ** 3;
    return { fromMs, toMs: Math.min(healsAtMs, fromMs + Math.ceil(part * lengthMaxMs)) };
  });
}
