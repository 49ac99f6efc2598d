import type { CompiledPolicy, CompiledRule } from './compile-policy.ts';
import { factsOf, holdsAlone } from './match-rule.ts';
import type { Need, Order } from './order.ts';
import { windowNeed, windowNeedKey } from './window-need.ts';

const NO_NEEDS: readonly Need[] = [];

/**
 * What must be known to decide about an order, each once. Empty: the order alone decides. Rules that cannot match,
 * without the past ask for nothing.
 */
export function needsOf(policy: CompiledPolicy, order: Order): readonly Need[] {
  if (policy.isSimple) return NO_NEEDS;
  const facts = factsOf(order);
  const needs = new Map<string, Need>();
  for (const rule of policy.rules) {
    if (!rule.isSimple && holdsAlone(rule, facts)) addNeeds(needs, rule, order);
  }
  return [...needs.values()];
}

function addNeeds(needs: Map<string, Need>, { when }: CompiledRule, order: Order): void {
  for (const kind of ['sum', 'count'] as const) {
    const asked = when[kind];
    if (asked === null) continue;
    const of = windowNeed(order, asked.by, asked.window);
    if (of !== null) needs.set(`${kind} ${windowNeedKey(of)}`, { kind, of });
  }
  if (when.firstPayment !== null) needs.set('firstPayment', { kind: 'firstPayment' });
  if (when.nameMatch !== null) needs.set('nameMatch', { kind: 'nameMatch' });
  if (when.onAllowList !== null) needs.set('onAllowList', { kind: 'onAllowList' });
  const withinMs = when.similarWithinMs;
  if (withinMs !== null) needs.set(`similar ${withinMs}`, { kind: 'similar', withinMs });
}
