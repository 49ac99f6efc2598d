import { median } from '../load/latencies.ts';
import type { BenchResult } from './bench-result.ts';

/** Above this the process that makes the load may be what limits the result. */
const LOAD_CPU_SHARE_MAX = 0.85;
const OTHERS_CPU_SHARE_MAX = 0.1;

/** Reasons to trust the figures less. */
export function warningsOf({ scenarios, othersCpuShares }: BenchResult): readonly string[] {
  const warnings: string[] = [];
  for (const [name, { loadCpuShare }] of scenarios) {
    if (loadCpuShare <= LOAD_CPU_SHARE_MAX) continue;
    warnings.push(
      `${name}: the load itself used ${percent(loadCpuShare)} of a core and may be the limit`,
    );
  }
  const others = median(othersCpuShares);
  if (others > OTHERS_CPU_SHARE_MAX) {
    warnings.push(
      `other programs used ${percent(others)} of the machine: repeat on a quiet one for figures, ` +
        'and trust ratios more than figures',
    );
  }
  return warnings;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
