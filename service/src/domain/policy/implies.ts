import type { RuleConditions, Window } from './policy.ts';

/** Whether the second conditions hold whenever the first do. False where that is not certain. */
export function implies(one: RuleConditions, other: RuleConditions): boolean {
  return (
    atLeast(one.amountAtLeastMinor, other.amountAtLeastMinor) &&
    atLeast(other.amountBelowMinor, one.amountBelowMinor, 'absent is most') &&
    within(one.sources, other.sources) &&
    within(one.operators, other.operators) &&
    within(one.countries, other.countries) &&
    within(one.wallets, other.wallets) &&
    within(one.keys, other.keys) &&
    within(one.nameMatch, other.nameMatch) &&
    same(one.firstPayment, other.firstPayment) &&
    same(one.onAllowList, other.onAllowList) &&
    atLeast(other.similarWithinMs, one.similarWithinMs, 'absent is most') &&
    (other.hours === null || JSON.stringify(one.hours) === JSON.stringify(other.hours)) &&
    impliesSum(one.sum, other.sum) &&
    impliesCount(one.count, other.count) &&
    impliesMetadata(one.metadata, other.metadata)
  );
}

/** Compares bounds. An absent one is the least, or the most. */
function atLeast<Bound extends bigint | number>(
  bound: Bound | null,
  least: Bound | null,
  absent: 'absent is least' | 'absent is most' = 'absent is least',
): boolean {
  if (absent === 'absent is most') return bound === null || (least !== null && bound >= least);
  return least === null || (bound !== null && bound >= least);
}

function within<Word>(words: readonly Word[] | null, allowed: readonly Word[] | null): boolean {
  if (allowed === null) return true;
  return words?.every((word) => allowed.includes(word)) ?? false;
}

function same(value: boolean | null, wanted: boolean | null): boolean {
  return wanted === null || value === wanted;
}

function impliesSum(one: RuleConditions['sum'], other: RuleConditions['sum']): boolean {
  if (other === null) return true;
  if (one === null || one.by !== other.by || !sameWindow(one.window, other.window)) return false;
  return one.aboveMinor >= other.aboveMinor;
}

function impliesCount(one: RuleConditions['count'], other: RuleConditions['count']): boolean {
  if (other === null) return true;
  if (one === null || one.by !== other.by || !sameWindow(one.window, other.window)) return false;
  return one.above >= other.above;
}

function sameWindow(one: Window, other: Window): boolean {
  if (one.kind === 'day' || other.kind === 'day') return one.kind === other.kind;
  return one.seconds === other.seconds;
}

function impliesMetadata(
  one: RuleConditions['metadata'],
  other: RuleConditions['metadata'],
): boolean {
  return (other ?? []).every(({ key, values }) =>
    one?.some((known) => known.key === key && within(known.values, values)),
  );
}
