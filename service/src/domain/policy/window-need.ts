import { businessDayStart } from '../business-day.ts';
import type { Order, WindowNeed } from './order.ts';
import type { CountedBy, Window } from './policy.ts';

/** What has to be counted for an order; null: the order has no such subject. */
export function windowNeed(order: Order, by: CountedBy, window: Window): WindowNeed | null {
  const subject = subjectOf(order, by);
  if (subject === null) return null;
  return { by, subject, currency: order.currency, window: needWindow(order, window) };
}

/** One text for each need: equal needs have equal keys. */
export function windowNeedKey({ by, subject, currency, window }: WindowNeed): string {
  const span = window.kind === 'day' ? `day ${window.startsAt.getTime()}` : window.seconds;
  return `${by} ${subject} ${currency} ${span}`;
}

function needWindow({ at, country }: Order, window: Window): WindowNeed['window'] {
  if (window.kind === 'sliding') return window;
  return { kind: 'day', startsAt: businessDayStart(at, country) };
}

function subjectOf(order: Order, by: CountedBy): string | null {
  switch (by) {
    case 'wallet':
      return order.walletId;
    case 'key':
      return order.keyId;
    case 'person':
      return order.personId;
    case 'recipient':
      return order.phone;
    case 'operator':
      return order.operator;
    default: {
      const unhandled: never = by;
      throw new Error(`unhandled ${String(unhandled)}`);
    }
  }
}
