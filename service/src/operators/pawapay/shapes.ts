import { formatMinor } from '../../domain/money.ts';
import type { Payout } from '../contract/connector.ts';

const MESSAGE_LENGTH_MIN = 4;
const MESSAGE_LENGTH_MAX = 22;

export function payoutBody(payout: Payout, provider: string): string {
  const customerMessage = toCustomerMessage(payout.narration);
  return JSON.stringify({
    payoutId: payout.operatorReference,
    recipient: {
      type: 'MMO',
      accountDetails: { phoneNumber: toPhoneNumber(payout.phone), provider },
    },
    amount: toAmount(payout.amountMinor),
    currency: payout.currency,
    ...(customerMessage === undefined ? {} : { customerMessage }),
  });
}

/** Digits with the country code, without a plus. */
export function toPhoneNumber(e164: string): string {
  return e164.replace(/^\+/, '');
}

/** `15` rather than `15.00`: not every provider accepts decimals. */
function toAmount(amountMinor: bigint): string {
  return formatMinor(amountMinor).replace(/\.00$/, '');
}

/**
 * Letters, digits and spaces. Letters lose their accents, everything else becomes a space; a text that is then too
 * short is left out.
 */
function toCustomerMessage(narration: string | null): string | undefined {
  const plain = (narration ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^0-9A-Za-z]+/g, ' ')
    .trim()
    .slice(0, MESSAGE_LENGTH_MAX)
    .trim();
  return plain.length < MESSAGE_LENGTH_MIN ? undefined : plain;
}
