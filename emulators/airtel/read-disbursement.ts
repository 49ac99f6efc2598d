import { readDecimalAmount } from '../kernel/decimal-amount.ts';
import { isJsonObject, type JsonObject } from '../kernel/read-json-object.ts';
import { AirtelRefusal } from './airtel-answers.ts';
import type { AirtelSettings, AirtelVersion } from './airtel-state.ts';
import { internationalNumber, type Market } from './check-caller.ts';

export type DisbursementOrder = Readonly<{
  id: string;
  reference: string;
  msisdn: string;
  amountMinor: bigint;
  currency: string;
  type: 'B2C' | 'B2B';
  walletType: 'NORMAL' | 'SALARY';
  sealedPin: string;
}>;

/** Alphanumeric only: the real operator was seen to refuse ids with dashes. */
const ID = /^[A-Za-z0-9]{1,64}$/;

/** A number in its source text, because a double may hold another amount. */
class NumberAsWritten {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Reads the body of one version, with all checks that the operator makes before it checks the PIN. */
export function readDisbursement(
  { body, version }: Readonly<{ body: Buffer; version: AirtelVersion }>,
  market: Market,
  settings: AirtelSettings,
): DisbursementOrder {
  const order = parseObject(body);
  const payee = objectIn(order, 'payee');
  const transaction = objectIn(order, 'transaction');
  const id = idIn(transaction, 'id');
  const reference = idIn(order, 'reference');
  const national = textIn(payee, 'msisdn');
  const sealedPin = textIn(order, 'pin');
  const type = version === 'v1' ? 'B2C' : wordIn(transaction, 'type', ['B2C', 'B2B'] as const);
  const walletType =
    version === 'v3' ? wordIn(payee, 'wallet_type', ['NORMAL', 'SALARY'] as const) : 'NORMAL';
  if (version === 'v2') checkPayeeOfV2(payee, market);
  const amountMinor = amountOf(transaction, settings);
  const msisdn = internationalNumber(market, national, 'DP00900001012');
  const { currency } = market;
  return { id, reference, msisdn, amountMinor, currency, type, walletType, sealedPin };
}

function parseObject(body: Buffer): JsonObject {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    const value: unknown = JSON.parse(text, keepAmountAsWritten);
    if (isJsonObject(value)) return value;
  } catch {
    // Falls through: invalid JSON is refused like JSON of another shape.
  }
  throw new AirtelRefusal('ROUTER003', { why: 'the body is not a JSON object' });
}

function keepAmountAsWritten(key: string, value: unknown, context?: { source?: string }): unknown {
  const isAmount = key === 'amount' && typeof value === 'number';
  return isAmount ? new NumberAsWritten(context?.source ?? '') : value;
}

function memberOf(object: JsonObject, name: string): unknown {
  const value = object[name];
  if (value === undefined || value === null || value === '') {
    throw new AirtelRefusal('ROUTER003', { why: `no ${name}` });
  }
  return value;
}

function invalid(why: string): AirtelRefusal {
  return new AirtelRefusal('DP00900001013', { resultCode: 'ESB000008', why });
}

function objectIn(object: JsonObject, name: string): JsonObject {
  const value = memberOf(object, name);
  if (!isJsonObject(value)) throw invalid(`${name} is not an object`);
  return value;
}

function textIn(object: JsonObject, name: string): string {
  const value = memberOf(object, name);
  if (typeof value !== 'string') throw invalid(`${name} is not a string`);
  return value;
}

function idIn(object: JsonObject, name: string): string {
  const value = textIn(object, name);
  if (!ID.test(value)) throw invalid(`${name} is not 1 to 64 letters and digits`);
  return value;
}

function wordIn<Word extends string>(
  object: JsonObject,
  name: string,
  words: readonly Word[],
): Word {
  const value = textIn(object, name);
  const word = words.find((known) => known === value);
  if (word === undefined) throw invalid(`${name} is not one of ${words.join(', ')}`);
  return word;
}

/** The name is optional, because not every payer knows it. */
function checkPayeeOfV2(payee: JsonObject, market: Market): void {
  if (textIn(payee, 'currency') !== market.currency) throw new AirtelRefusal('ROUTER112');
  if (payee['name'] !== undefined && typeof payee['name'] !== 'string') {
    throw invalid('name is not a string');
  }
}

function amountOf(
  transaction: JsonObject,
  { amountMinMinor, amountMaxMinor }: AirtelSettings,
): bigint {
  const written = memberOf(transaction, 'amount');
  if (!(written instanceof NumberAsWritten)) throw invalid('amount is not a number');
  if (written.text.startsWith('-')) throw new AirtelRefusal('DP00900001004');
  const amountMinor = readDecimalAmount(written.text);
  if (amountMinor === null) throw invalid('amount is not a decimal with at most two places');
  if (amountMinor < amountMinMinor || amountMinor > amountMaxMinor) {
    throw new AirtelRefusal('DP00900001004');
  }
  return amountMinor;
}
