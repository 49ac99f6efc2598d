export function thousands(value: number): string {
  return Math.round(value).toLocaleString('en-GB');
}

export function milliseconds(value: number): string {
  return `${value < 10 ? value.toFixed(2) : thousands(value)} ms`;
}

export function roundRatio(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
