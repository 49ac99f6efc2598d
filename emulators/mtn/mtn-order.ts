import type { PlainAnswer } from '../kernel/answer.ts';
import { readDecimalAmount } from '../kernel/decimal-amount.ts';
import { isJsonObject, type JsonObject, readJsonObject } from '../kernel/read-json-object.ts';
import { badRequest, refuse } from './mtn-errors.ts';
import type { MtnSettings } from './mtn-settings.ts';
import { isUuidV4 } from './uuid-v4.ts';

type PayeeIdType = 'MSISDN' | 'EMAIL' | 'PARTY_CODE';

/** The part of an order that transfers, deposits and refunds share. */
export type MtnOrder = Readonly<{
  amountMinor: bigint;
  amount: string;
  currency: string;
  externalId: string;
  payerMessage: string;
  payeeNote: string;
}>;

export type Payee = Readonly<{ partyIdType: PayeeIdType; partyId: string }>;

export type Read<T> =
  | Readonly<{ kind: 'read'; value: T }>
  | Readonly<{ kind: 'refused'; answer: PlainAnswer }>;

/** Printable ASCII without the special characters of markup, queries and quotes. */
const PLAIN_TEXT = /^[A-Za-z0-9 .,:_/()@#+!?=*%$-]*$/;
const CURRENCY = /^[A-Z]{3}$/;
const PAYEE_IDS: Readonly<Record<PayeeIdType, RegExp>> = {
  MSISDN: /^[1-9][0-9]{7,14}$/,
  EMAIL: /^[^@\s]+@[^@\s]+$/,
  PARTY_CODE: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
};

function refused(answer: PlainAnswer): Readonly<{ kind: 'refused'; answer: PlainAnswer }> {
  return { kind: 'refused', answer };
}

function invalid(message: string): Readonly<{ kind: 'refused'; answer: PlainAnswer }> {
  return refused(refuse('VALIDATION_ERROR', message));
}

export function readBody(body: Buffer, contentType: string): Read<JsonObject> {
  if (!/^application\/json(?:;|$)/i.test(contentType)) {
    return refused(badRequest('Content-Type is not application/json.'));
  }
  const value = readJsonObject(body);
  return value === null ? refused(badRequest('The body is not JSON.')) : { kind: 'read', value };
}

export function readOrder(settings: MtnSettings, fields: JsonObject): Read<MtnOrder> {
  const { amount, currency, externalId, payerMessage, payeeNote } = fields;
  if (!isText(amount) || !isText(currency)) return invalid('amount and currency are texts.');
  if (!isText(externalId) || !isText(payerMessage) || !isText(payeeNote)) {
    return invalid('externalId, payerMessage and payeeNote are texts, and not empty.');
  }
  if (![externalId, payerMessage, payeeNote].every((text) => PLAIN_TEXT.test(text))) {
    return refused(badRequest('There are special characters in a text.'));
  }
  if (Math.max(payerMessage.length, payeeNote.length) > settings.noteCharactersMax) {
    return invalid(`Notes have at most ${settings.noteCharactersMax} characters.`);
  }
  const amountMinor = readDecimalAmount(amount, settings.decimalsMax);
  if (amountMinor === null || amountMinor === 0n) return invalid('amount is not valid here.');
  if (!CURRENCY.test(currency)) return invalid('currency is not valid.');
  if (currency !== settings.currency) return refused(refuse(settings.wrongCurrency));
  const order = { amountMinor, amount, currency, externalId, payerMessage, payeeNote };
  return { kind: 'read', value: order };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

export function readPayee(value: unknown): Read<Payee> {
  if (!isJsonObject(value)) return invalid('payee is missing.');
  const { partyIdType, partyId } = value;
  if (partyIdType !== 'MSISDN' && partyIdType !== 'EMAIL' && partyIdType !== 'PARTY_CODE') {
    return invalid('partyIdType is not MSISDN, EMAIL or PARTY_CODE.');
  }
  if (typeof partyId !== 'string' || !PAYEE_IDS[partyIdType].test(partyId)) {
    return invalid('partyId is not valid.');
  }
  return { kind: 'read', value: { partyIdType, partyId } };
}

export function readReferenceToRefund(value: unknown): Read<string> {
  if (typeof value !== 'string' || !isUuidV4(value)) {
    return invalid('referenceIdToRefund is not a UUID of version 4.');
  }
  return { kind: 'read', value };
}
