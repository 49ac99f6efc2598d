import type { Exchange } from './read-journals.ts';

/** A transfer as an answer showed it. */
export type ShownTransfer = Readonly<{
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

export function isInitiation({ request }: Exchange): boolean {
  return request.method === 'POST' && request.path === INITIATE_PATH;
}

export function isList({ request }: Exchange): boolean {
  return request.method === 'GET' && request.path.startsWith(LIST_PATH);
}

/** Every transfer in any answer. */
export function findShownTransfers(exchanges: readonly Exchange[]): readonly ShownTransfer[] {
  return exchanges.flatMap((exchange) => {
    const { answered, request } = exchange;
    const content = memberOf(answered?.body, 'data');
    const see = (how: ShownTransfer['how'], transfer: unknown): ShownTransfer[] =>
      isObject(transfer) ? [{ exchange, how, transfer }] : [];
    if (answered?.status === CREATED && isInitiation(exchange)) return see('accepted', content);
    if (answered?.status === CONFLICT) return see('duplicate', memberOf(content, 'transfer'));
    if (answered?.status !== OK || request.path.endsWith('/history')) return [];
    if (request.path.startsWith(EVENTS_PATH)) return [];
    if (request.path.endsWith('/cancel')) return see('cancelled', content);
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
