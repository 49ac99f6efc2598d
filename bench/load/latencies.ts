const FIRST_CAPACITY = 65_536;

export type LatencySummary = Readonly<{
  count: number;
  p50: number;
  p90: number;
  p99: number;
  max: number;
}>;

/** Keeps every latency of a phase, so that percentiles are exact. */
export class Latencies {
  #latencies = new Float64Array(FIRST_CAPACITY);
  #count = 0;

  add(latencyMs: number): void {
    if (this.#count === this.#latencies.length) this.#latencies = doubled(this.#latencies);
    this.#latencies[this.#count] = latencyMs;
    this.#count += 1;
  }

  summarize(): LatencySummary {
    const sorted = this.#latencies.slice(0, this.#count).sort();
    return {
      count: this.#count,
      p50: percentile(sorted, 50),
      p90: percentile(sorted, 90),
      p99: percentile(sorted, 99),
      max: percentile(sorted, 100),
    };
  }
}

function doubled(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * values.length);
  larger.set(values);
  return larger;
}

/** The smallest value that at least `percent` of all values do not exceed. NaN if there are none. */
export function percentile(sorted: ArrayLike<number>, percent: number): number {
  const rank = Math.ceil((percent / 100) * sorted.length);
  return sorted[Math.max(0, rank - 1)] ?? Number.NaN;
}

/** The middle value; of an even number, the mean of the two in the middle. NaN if there are none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const upper = sorted[sorted.length >> 1] ?? Number.NaN;
  if (sorted.length % 2 === 1) return upper;
  return ((sorted[(sorted.length >> 1) - 1] ?? Number.NaN) + upper) / 2;
}
