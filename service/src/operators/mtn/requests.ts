import type { Payout } from '../contract/connector.ts';
import { writeAmountText } from '../wire/amount-text.ts';
import type { WireRequest } from '../wire/operator-wire.ts';
import { type SendWindow, windowOf } from '../wire/send-window.ts';
import type { MtnTerms } from './settings.ts';

const TRANSFERS = '/disbursement/v1_0/transfer';
const NOTE_LENGTH_MAX = 128;
/** MTN accepts no null, and an empty note fails its validation. */
const NOTE = 'Payout';

/** A request before it has a token and a deadline. */
export type MtnRequest = SendWindow &
  Readonly<{
    method: 'GET' | 'POST';
    path: string;
    headers: Readonly<Record<string, string>>;
    body: string | null;
  }>;

/** Undefined if the amount needs more decimals than the market has. */
export function transferRequest(
  payout: Payout,
  terms: Pick<MtnTerms, 'amountDecimals' | 'currency'>,
  callbackUrl: string | null,
): MtnRequest | undefined {
  const amount = writeAmountText(payout.amountMinor, terms.amountDecimals);
  if (amount === undefined) return undefined;
  const body = {
    amount,
    currency: terms.currency ?? payout.currency,
    externalId: payout.operatorReference,
    payee: { partyIdType: 'MSISDN', partyId: msisdnOf(payout.phone) },
    payerMessage: noteOf(`${NOTE} ${payout.operatorReference}`),
    payeeNote: noteOf(payout.narration),
  };
  return {
    method: 'POST',
    path: TRANSFERS,
    headers: {
      'content-type': 'application/json',
      'x-reference-id': payout.operatorReference,
      ...(callbackUrl === null ? {} : { 'x-callback-url': callbackUrl }),
    },
    body: JSON.stringify(body),
    ...windowOf(payout),
  };
}

export function statusRequest(payout: Payout): MtnRequest {
  return readRequest(`${TRANSFERS}/${encodeURIComponent(payout.operatorReference)}`);
}

/** MTN's pages write the kind of id in capitals, but the API accepts only lower case. */
export function holderRequest(phone: string, asked: 'basicuserinfo' | 'active'): MtnRequest {
  return readRequest(`/disbursement/v1_0/accountholder/msisdn/${msisdnOf(phone)}/${asked}`);
}

export function balanceRequest(): MtnRequest {
  return readRequest('/disbursement/v1_0/account/balance');
}

export function tokenRequest(terms: MtnTerms, timeoutMs: number): WireRequest {
  return {
    method: 'POST',
    path: '/disbursement/token/',
    headers: {
      authorization: `Basic ${basicCredentials(terms)}`,
      'ocp-apim-subscription-key': terms.subscriptionKey,
      'content-type': 'application/json',
    },
    // Without a body MTN's gateway answers 411; with a form body it answers an HTML page.
    body: JSON.stringify({ grant_type: 'client_credentials' }),
    timeoutMs,
  };
}

export function basicCredentials({ apiUser, apiKey }: MtnTerms): string {
  return Buffer.from(`${apiUser}:${apiKey}`).toString('base64');
}

/** `+260966123456` becomes `260966123456`. */
export function msisdnOf(phone: string): string {
  return phone.replace(/^\+/, '');
}

/**
 * A text that MTN accepts as a note: even an apostrophe is refused with 400, so everything but plain letters, digits
 * and a few signs becomes a space, and accents are dropped.
 */
export function noteOf(text: string | null): string {
  const plain = (text ?? '')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9.,_-]+/g, ' ')
    .trim()
    .slice(0, NOTE_LENGTH_MAX)
    .trim();
  return plain === '' ? NOTE : plain;
}

function readRequest(path: string): MtnRequest {
  return { method: 'GET', path, headers: {}, body: null };
}
