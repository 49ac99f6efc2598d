import { COUNTRIES, OPERATORS } from '../operator.ts';
import { SOURCES } from '../source.ts';
import { bitOf, type CompiledHours, type CompiledRule } from './compile-policy.ts';
import type { Answers, Order } from './order.ts';
import { windowNeed } from './window-need.ts';

/** What of an order the rules compare, found once for all of them. */
export type OrderFacts = Readonly<{
  order: Order;
  amount: number;
  sourceBit: number;
  operatorBit: number;
  countryBit: number;
}>;

export function factsOf(order: Order): OrderFacts {
  return {
    order,
    amount: Number(order.amountMinor),
    sourceBit: bitOf(SOURCES, order.source),
    operatorBit: bitOf(OPERATORS, order.operator),
    countryBit: bitOf(COUNTRIES, order.country),
  };
}

/** Whether all conditions hold that the order itself decides. The cheap ones come first. */
export function holdsAlone(rule: CompiledRule, facts: OrderFacts): boolean {
  if (facts.amount < rule.amountFrom || facts.amount >= rule.amountBelow) return false;
  if ((rule.sourceBits & facts.sourceBit) === 0) return false;
  if ((rule.operatorBits & facts.operatorBit) === 0) return false;
  if ((rule.countryBits & facts.countryBit) === 0) return false;
  const { order } = facts;
  if (rule.wallets !== null && !rule.wallets.has(order.walletId)) return false;
  if (rule.keys !== null && (order.keyId === null || !rule.keys.has(order.keyId))) return false;
  if (rule.when.metadata !== null && !metadataHolds(rule.when.metadata, order)) return false;
  return rule.hours === null || isOrderWithinHours(rule.hours, order);
}

/** Whether the conditions hold that need more than the order: past payouts, the allow list, the account's name. */
export function holdsByAnswers(rule: CompiledRule, order: Order, answers: Answers): boolean {
  const { when } = rule;
  return (
    (when.firstPayment === null || answers.isFirstPayment() === when.firstPayment) &&
    (when.onAllowList === null || answers.isOnAllowList() === when.onAllowList) &&
    (when.similarWithinMs === null || answers.isSimilar(when.similarWithinMs)) &&
    (when.nameMatch === null || when.nameMatch.includes(answers.nameMatch() ?? 'unknown')) &&
    (when.sum === null || exceedsSum(when.sum, order, answers)) &&
    (when.count === null || exceedsCount(when.count, order, answers))
  );
}

/** The order itself counts. An order without the subject, such as a person's order that has no key, exceeds nothing. */
function exceedsSum(
  { by, window, aboveMinor }: NonNullable<CompiledRule['when']['sum']>,
  order: Order,
  answers: Answers,
): boolean {
  const need = windowNeed(order, by, window);
  return need !== null && answers.sumMinor(need) + order.amountMinor > aboveMinor;
}

function exceedsCount(
  { by, window, above }: NonNullable<CompiledRule['when']['count']>,
  order: Order,
  answers: Answers,
): boolean {
  const need = windowNeed(order, by, window);
  return need !== null && answers.count(need) + 1 > above;
}

function metadataHolds(
  wanted: NonNullable<CompiledRule['when']['metadata']>,
  { metadata }: Order,
): boolean {
  return (
    metadata !== null &&
    wanted.every(({ key, values }) => {
      const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
      return value !== undefined && values.includes(value);
    })
  );
}

/** Either time is enough: else an order made before the hours, to be sent within them, would avoid the rule. */
function isOrderWithinHours(hours: CompiledHours, { at, sendAt }: Order): boolean {
  return isWithinHours(hours, at) || (sendAt !== null && isWithinHours(hours, sendAt));
}

/** Hours that go over midnight belong to the day on which they began. */
function isWithinHours(hours: CompiledHours, at: Date): boolean {
  const { weekday, minute } = hours.clock.localMoment(at);
  const { fromMinute, toMinute, beginsOn } = hours;
  const beganToday = beginsOn[weekday] === true;
  if (fromMinute < toMinute) return beganToday && minute >= fromMinute && minute < toMinute;
  const beganYesterday = beginsOn[(weekday + 6) % 7] === true;
  return (beganToday && minute >= fromMinute) || (beganYesterday && minute < toMinute);
}
