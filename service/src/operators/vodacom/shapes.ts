import { createHash } from 'node:crypto';
import { formatMinor } from '../../domain/money.ts';
import type { Account, Payout } from '../contract/connector.ts';
import { toConversationId, toTransactionReference } from './references.ts';
import type { VodacomOptions } from './settings.ts';

const DESCRIPTION_LENGTH_MAX = 256;
const DESCRIPTION_WHEN_EMPTY = 'Payout';
const CONVERSATION_ID_LENGTH = 32;

type Place = Pick<VodacomOptions, 'environment' | 'market' | 'country' | 'serviceProviderCode'>;

/** `/sandbox/ipg/v2/vodacomTZN/getSession/`; the slash at the end is part of every path. */
export function vodacomPath({ environment, market }: Place, operation: string): string {
  const context = environment === 'production' ? 'openapi' : 'sandbox';
  return `/${context}/ipg/v2/${market}/${operation}`;
}

export function payoutBody(place: Place, payout: Payout): string {
  return JSON.stringify({
    input_Amount: toAmount(payout.amountMinor),
    input_Country: place.country,
    input_Currency: payout.currency,
    input_CustomerMSISDN: toMsisdn(payout.phone),
    input_ServiceProviderCode: place.serviceProviderCode,
    input_ThirdPartyConversationID: toConversationId(payout.operatorReference),
    input_TransactionReference: toTransactionReference(payout.operatorReference),
    input_PaymentItemsDesc: toDescription(payout.narration),
  });
}

export function statusParameters(
  place: Place,
  asked: Readonly<{ payout: Payout; conversationId: string }>,
): Record<string, string> {
  return {
    input_QueryReference: toConversationId(asked.payout.operatorReference),
    input_ServiceProviderCode: place.serviceProviderCode,
    input_ThirdPartyConversationID: asked.conversationId,
    input_Country: place.country,
  };
}

export function nameParameters(
  place: Place,
  asked: Readonly<{ account: Account; conversationId: string }>,
): Record<string, string> {
  return {
    input_CustomerMSISDN: toMsisdn(asked.account.phone),
    input_Country: place.country,
    input_ServiceProviderCode: place.serviceProviderCode,
    input_ThirdPartyConversationID: asked.conversationId,
    input_KycQueryType: 'Name',
  };
}

/** Without an amount, which reverses the whole payout. */
export function reversalBody(
  place: Place,
  asked: Readonly<{ transactionId: string; conversationId: string }>,
): string {
  return JSON.stringify({
    input_Country: place.country,
    input_ServiceProviderCode: place.serviceProviderCode,
    input_ThirdPartyConversationID: asked.conversationId,
    input_TransactionID: asked.transactionId,
  });
}

/**
 * The id of the one reversal that a payout can have. It is derived from the payout's own, so that repeated requests,
 * also from two machines, are one request for the operator.
 */
export function reversalConversationId(operatorReference: string): string {
  const hash = createHash('sha256').update(`reversal of ${operatorReference}`).digest('hex');
  return hash.slice(0, CONVERSATION_ID_LENGTH);
}

/** `10` rather than `10.00`: not every market has decimals. */
function toAmount(amountMinor: bigint): string {
  return formatMinor(amountMinor).replace(/\.00$/, '');
}

function toMsisdn(e164: string): string {
  return e164.replace(/^\+/, '');
}

/** Letters lose their accents, and every other character that is not allowed becomes a space. */
function toDescription(narration: string | null): string {
  const plain = (narration ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^0-9A-Za-z_+]+/g, ' ')
    .slice(0, DESCRIPTION_LENGTH_MAX)
    .trim();
  return plain === '' ? DESCRIPTION_WHEN_EMPTY : plain;
}
