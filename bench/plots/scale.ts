/** Maps a value to a position. */
export type Scale = Readonly<{
  at(value: number): number;
  ticks: readonly number[];
}>;

type Span = Readonly<{ from: number; to: number }>;

/** From zero to a round number that is at least `max`. */
export function linearScale(max: number, { from, to }: Span, ticksWanted: number): Scale {
  const top = max > 0 ? max : 1;
  const step = roundStep(top / ticksWanted);
  const count = Math.max(1, Math.ceil(top / step - 1e-9));
  const end = step * count;
  return {
    at: (value) => from + ((to - from) * value) / end,
    ticks: Array.from({ length: count + 1 }, (_, index) => step * index),
  };
}

/** 1, 2 or 5 times a power of ten. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((one) => one * power >= rough * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** The margin of a logarithmic scale, so that no value lies on its edge. */
const LOG_MARGIN = 1.25;

/** Logarithmic, with a margin at both ends. */
export function logScale({ min, max }: { min: number; max: number }, { from, to }: Span): Scale {
  const low = Math.log10(min / LOG_MARGIN);
  const high = Math.log10(max * LOG_MARGIN);
  const first = Math.ceil(low);
  const count = Math.max(0, Math.floor(high) - first + 1);
  return {
    at: (value) => from + ((to - from) * (Math.log10(value) - low)) / (high - low),
    ticks: Array.from({ length: count }, (_, index) => 10 ** (first + index)),
  };
}
