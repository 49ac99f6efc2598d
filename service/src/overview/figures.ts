import type { Currency } from '../domain/money.ts';
import type { Country, Operator } from '../domain/operator.ts';
import type { TransferState } from '../domain/transfer-state.ts';

/** How many transfers of one sort were created in a period, and their sum. */
export type Group = Readonly<{
  state: TransferState;
  currency: Currency;
  operator: Operator;
  country: Country;
  count: number;
  sumMinor: bigint;
}>;

/** What was created in a period and became of it. Figures of several periods can be added up. */
export type Figures = Readonly<{
  groups: readonly Group[];
  /** Paid transfers by the step of their time to paid. */
  paidBySteps: ReadonlyMap<number, number>;
}>;

/** Each step is a tenth longer than the one before, so a percentile is right within 5 %. */
export const STEP = 1.1;

export function sumUp<K extends keyof Group>(
  figures: readonly Figures[],
  by: readonly K[],
): readonly (Pick<Group, K> & Readonly<{ count: number; sumMinor: bigint }>)[] {
  const sums = new Map<string, Pick<Group, K> & { count: number; sumMinor: bigint }>();
  for (const group of figures.flatMap(({ groups }) => groups)) {
    const name = by.map((field) => String(group[field])).join(' ');
    const { count, sumMinor } = sums.get(name) ?? { count: 0, sumMinor: 0n };
    const total = { count: count + group.count, sumMinor: sumMinor + group.sumMinor };
    sums.set(name, { ...group, ...total });
  }
  return [...sums.values()];
}

export function countStates(figures: readonly Figures[], states: readonly TransferState[]): number {
  const groups = figures.flatMap((one) => one.groups);
  return groups.reduce((sum, { state, count }) => sum + (states.includes(state) ? count : 0), 0);
}

/** The time in which this share of the paid transfers was paid; null: none was. */
export function percentileMs(figures: readonly Figures[], share: number): number | null {
  const counts = new Map<number, number>();
  for (const [step, count] of figures.flatMap(({ paidBySteps }) => [...paidBySteps])) {
    counts.set(step, (counts.get(step) ?? 0) + count);
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let passed = 0;
  for (const [step, count] of [...counts].sort(([a], [b]) => a - b)) {
    passed += count;
    if (passed >= all * share) return Math.round(STEP ** (step + 0.5));
  }
  return null;
}
