import type { Payout } from '../contract/connector.ts';
import { writeAmountText } from '../wire/amount-text.ts';
import type { WireRequest } from '../wire/operator-wire.ts';
import type { ZamtelTerms } from './settings.ts';

/** Undefined if the amount needs more decimals than Zamtel accepts. */
export function payoutRequest(
  payout: Payout,
  terms: ZamtelTerms,
  timeoutMs: number,
): WireRequest | undefined {
  const amount = writeAmountText(payout.amountMinor, terms.amountDecimals);
  if (amount === undefined) return undefined;
  // The names are spelled as Zamtel does, including capitals.
  const parameters = [
    ['ThirdPartyID', terms.thirdPartyId],
    ['Password', terms.password],
    ['Amount', amount],
    ['Msisdn', zamtelMsisdn(payout.phone)],
    ['Shortcode', terms.shortcode],
    ['identifier', terms.identifier],
    ['credential', terms.credential],
    ['ConversationId', payout.operatorReference],
  ] as const;
  const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return {
    method: 'GET',
    path: `/B2CReq?${query.join('&')}`,
    headers: { accept: 'application/json' },
    body: null,
    timeoutMs,
  };
}

/** `+260955123456` becomes `260955123456`. */
export function zamtelMsisdn(phone: string): string {
  return phone.replace(/^\+/, '');
}
