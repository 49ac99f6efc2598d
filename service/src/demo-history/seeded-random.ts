/** Random choices that are the same for the same seed, so that what the demo shows can be described and tested. */
export type SeededRandom = Readonly<{
  /** From 0 up to, and without, 1. */
  next(): number;
  /** A whole number, both bounds included. */
  whole(range: Readonly<{ min: number; max: number }>): number;
  pick<T>(items: readonly [T, ...T[]]): T;
  /** True in this share of all calls. */
  chance(share: number): boolean;
}>;

const TWO_TO_32 = 2 ** 32;

/** The generator mulberry32: 32 bits of state, and good enough for what people look at. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / TWO_TO_32;
  };
  const whole: SeededRandom['whole'] = ({ min, max }) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    whole,
    pick: (items) => items[whole({ min: 0, max: items.length - 1 })] ?? items[0],
    chance: (share) => next() < share,
  };
}
