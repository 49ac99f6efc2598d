import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Country } from '../../domain/operator.ts';
import { parsePhone } from '../../domain/phone-number.ts';
import type { CallbackReading, RawCallback } from '../contract/connector.ts';
import { reportedPayout } from '../contract/reported-payout.ts';
import { readSentText } from './compare-reported.ts';
import { fromAirtelId, readMinor } from './formats.ts';

type Claim = Extract<CallbackReading, { kind: 'read' }>['claims'];
type JsonObject = Readonly<Record<string, unknown>>;

const CLAIMS: ReadonlyMap<string, Claim> = new Map([
  ['TS', 'paid'],
  ['TF', 'failed'],
  ['TIP', 'pending'],
]);
/** The member as Airtel writes it, with the comma that joins it to the others. */
const HASH_MEMBER = /,\s*"hash"\s*:\s*"[^"\\]*"|"hash"\s*:\s*"[^"\\]*"\s*,/;

type CallbackOptions = Readonly<{
  callbackSecret?: string | undefined;
  readsTexts: boolean;
  country: Country;
}>;

/** Reads a hint about one of our payouts. If there is a secret, the hash must be valid. */
export function readCallback(callback: RawCallback, options: CallbackOptions): CallbackReading {
  const { callbackSecret: secret } = options;
  const text = callback.body.toString('utf8');
  const body = readObject(text);
  const transaction = body === undefined ? undefined : asObject(body['transaction']);
  if (body === undefined || transaction === undefined)
    return unreadable('not a callback of Airtel');
  if (secret !== undefined) {
    const hash = body['hash'] ?? callback.headers['hash'];
    if (typeof hash !== 'string') return { kind: 'forged', cause: 'no hash' };
    const texts = signedTexts(text, body, transaction);
    if (!texts.some((signed) => holds(signed, hash, secret))) {
      return { kind: 'forged', cause: 'a wrong hash' };
    }
  }
  const { id, status_code: status } = transaction;
  const operatorReference = typeof id === 'string' ? fromAirtelId(id) : undefined;
  if (operatorReference === undefined) return unreadable('an id that is none of ours');
  const claims = (typeof status === 'string' ? CLAIMS.get(status) : undefined) ?? 'unknown';
  const verified = secret !== undefined;
  return { kind: 'read', operatorReference, claims, verified, ...reportedBy(transaction, options) };
}

/** Fields are not documented, and are read if they appear; the text has all three values or none. */
function reportedBy(transaction: JsonObject, { readsTexts, country }: CallbackOptions) {
  const text = textOf(transaction['message']);
  const sent = readsTexts ? readSentText(text) : undefined;
  const amount = textOf(transaction['amount']) ?? sent?.amount ?? '';
  const number = textOf(transaction['msisdn']) ?? sent?.number ?? '';
  return reportedPayout({
    amountMinor: readMinor(amount) ?? null,
    currency: textOf(transaction['currency']) ?? sent?.currency ?? null,
    phone: parsePhone(number, country) ?? null,
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/**
 * The texts that the hash may cover. Airtel does not document whether it covers the body without the hash or only the
 * object in it, and with which spacing. A hash in a header covers the body as it is.
 */
function signedTexts(text: string, body: JsonObject, transaction: JsonObject): string[] {
  const { hash: ownHash, ...rest } = body;
  const whole = ownHash === undefined ? text : text.replace(HASH_MEMBER, '');
  return [whole, JSON.stringify(rest), JSON.stringify(transaction)];
}

function holds(signed: string, hash: string, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(signed).digest();
  const given = Buffer.from(hash, 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function readObject(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

function unreadable(cause: string): CallbackReading {
  return { kind: 'unreadable', cause };
}
