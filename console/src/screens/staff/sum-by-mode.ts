import type { Mode } from '../../api/types.ts';
import { type Sum, sumByCurrency } from '../../format/format-amount.ts';

type Item = Readonly<{ mode: Mode; currency: string; amount: number | string }>;

const MODES: readonly Mode[] = ['live', 'test'];

/** Live and test money are never one figure. Live first; a mode without items has none. */
export function sumByMode(
  items: readonly Item[],
): readonly Readonly<{ mode: Mode; sums: readonly Sum[] }>[] {
  return MODES.flatMap((mode) => {
    const sums = sumByCurrency(items.filter((item) => item.mode === mode));
    return sums.length === 0 ? [] : [{ mode, sums }];
  });
}
