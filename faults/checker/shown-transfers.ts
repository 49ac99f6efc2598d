import type { Exchange } from './read-journals.ts';

/** A transfer as some answer showed it. */
export type Sighting = Readonly<{
  exchange: Exchange;
  how: 'accepted' | 'duplicate' | 'read' | 'cancelled' | 'listed';
  transfer: Readonly<Record<string, unknown>>;
}>;

const CREATED = 201;
const CONFLICT = 409;
const OK = 200;

const INITIATE_PATH = '/api/v1/payments/transfers/mobile-money';
const LIST_PATH = '/api/v1/payments/transfers?';
const EVENTS_PATH = '/api/v1/payments/events?';

export function isInitiation({ asked }: Exchange): boolean {
  return asked.method === 'POST' && asked.path === INITIATE_PATH;
}

export function isList({ asked }: Exchange): boolean {
  return asked.method === 'GET' && asked.path.startsWith(LIST_PATH);
}

/** Every transfer that any answer showed. */
export function findSightings(exchanges: readonly Exchange[]): readonly Sighting[] {
  return exchanges.flatMap((exchange) => {
    const { answered, asked } = exchange;
    const content = memberOf(answered?.body, 'data');
    const see = (how: Sighting['how'], transfer: unknown): Sighting[] =>
      isObject(transfer) ? [{ exchange, how, transfer }] : [];
    if (answered?.status === CREATED && isInitiation(exchange)) return see('accepted', content);
    if (answered?.status === CONFLICT) return see('duplicate', memberOf(content, 'transfer'));
    if (answered?.status !== OK || asked.path.endsWith('/history')) return [];
    if (asked.path.startsWith(EVENTS_PATH)) return [];
    if (asked.path.endsWith('/cancel')) return see('cancelled', content);
    if (!isList(exchange)) return see('read', content);
    const items = memberOf(content, 'items');
    return Array.isArray(items) ? items.flatMap((item) => see('listed', item)) : [];
  });
}

export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The error code of a refusal. */
export function codeOf({ answered }: Exchange): string | null {
  return textOf(memberOf(memberOf(memberOf(answered?.body, 'data'), 'error'), 'code'));
}
