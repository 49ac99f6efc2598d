import type { Country, Mode, Order } from '../plan/plan.ts';

/** The keys and ids that clients use. */
export type Access = Readonly<{
  keys: Readonly<Record<Mode, string>>;
  /** The keys of a merchant that must not see the payer's objects. */
  otherKeys: Readonly<Record<Mode, string>>;
  /** That merchant's recipients. */
  otherRecipients: Readonly<Record<Mode, string>>;
  wallets: Readonly<Record<Mode, Readonly<Record<'ZMW' | 'NGN', string>>>>;
}>;

const CURRENCIES = { zm: 'ZMW', ng: 'NGN' } as const;
const OTHER_COUNTRY: Readonly<Record<Country, Country>> = { zm: 'ng', ng: 'zm' };
const OTHER_MODE: Readonly<Record<Mode, Mode>> = { test: 'live', live: 'test' };
const UNKNOWN_WALLET = '00000000-0000-4000-8000-000000000000';
/** More than both wallets were funded with. */
const TOO_MUCH = '999999999.99';
const FOREIGN_PHONE = '+447700900123';

/** The body of an order, with its deliberate error. */
export function writeBody(access: Access, order: Order): string {
  const { flaw } = order;
  const rest = {
    reference: order.reference,
    phone: flaw === 'foreign phone' ? FOREIGN_PHONE : order.phone,
    operator: order.operator,
    country: order.country,
    walletId: walletOf(access, order),
    ...(order.narration === null ? {} : { narration: order.narration }),
    ...(order.recipientName === null ? {} : { recipientName: order.recipientName }),
    ...(flaw === 'unknown field' ? { ammount: 1 } : {}),
  };
  // The amount keeps its spelling, so JSON.stringify does not write it.
  return `{"amount":${amountOf(order)},${JSON.stringify(rest).slice(1)}`;
}

function amountOf({ flaw, amountText }: Order): string {
  switch (flaw) {
    case 'three decimals':
      return '1.005';
    case 'zero':
      return '0';
    case 'amount as text':
      return `"${amountText}"`;
    case 'more than there is':
      return TOO_MUCH;
    default:
      return amountText;
  }
}

function walletOf({ wallets }: Access, { flaw, country, mode }: Order): string {
  switch (flaw) {
    case 'unknown wallet':
      return UNKNOWN_WALLET;
    case 'wallet of the other mode':
      return wallets[OTHER_MODE[mode]][CURRENCIES[country]];
    case 'wallet of the other currency':
      return wallets[mode][CURRENCIES[OTHER_COUNTRY[country]]];
    default:
      return wallets[mode][CURRENCIES[country]];
  }
}
