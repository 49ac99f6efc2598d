export function thousands(value: number): string {
  return Math.round(value).toLocaleString('en-GB');
}

export function milliseconds(value: number): string {
  return `${value < 10 ? value.toFixed(2) : thousands(value)} ms`;
}

export function roundRatio(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** For the ends of axes, where space is short: `12k`, `0.5`. */
export function brief(value: number): string {
  if (value >= 1_000_000) return `${trimmed(value / 1_000_000)}M`;
  if (value >= 1_000) return `${trimmed(value / 1_000)}k`;
  return trimmed(value);
}

function trimmed(value: number): string {
  return String(Number(value.toPrecision(3)));
}
