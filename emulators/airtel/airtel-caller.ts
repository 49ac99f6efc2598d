import {
  constants,
  createCipheriv,
  createHash,
  createPublicKey,
  type KeyObject,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';
import { isJsonObject } from '../kernel/read-json-object.ts';
import type { RunningAirtelEmulator } from './airtel-emulator.ts';
import type { AirtelVersion } from './airtel-state.ts';
import type { Padding } from './unseal.ts';

/** For tests: a client of the operator over HTTP that can omit or corrupt any part of a request. */
export type Reply = Readonly<{ status: number; headers: Headers; body: unknown }>;
export type Order = Readonly<Record<string, unknown>>;

type Call = Readonly<{
  method?: string;
  path: string;
  headers?: Readonly<Record<string, string | null>>;
  body?: string;
}>;

export async function call(
  { url }: RunningAirtelEmulator,
  { method = 'GET', path, headers = {}, body }: Call,
): Promise<Reply> {
  const sent = Object.entries(headers).filter(
    (header): header is [string, string] => header[1] !== null,
  );
  const answer = await fetch(`${url}${path}`, { method, headers: sent, body: body ?? null });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    body: text.startsWith('{') ? JSON.parse(text) : text,
  };
}

/** A member deep inside an answer, such as `status.response_code`. */
export function at({ body }: Reply, path: string): unknown {
  let value: unknown = body;
  for (const name of path.split('.')) value = isJsonObject(value) ? value[name] : undefined;
  return value;
}

async function getToken(emulator: RunningAirtelEmulator): Promise<string> {
  const { clientId, clientSecret } = emulator.credentials;
  const fields = {
    client_id: clientId,
    client_secret: clientSecret,
    grant_type: 'client_credentials',
  };
  const reply = await call(emulator, {
    method: 'POST',
    path: '/auth/oauth2/token',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  return String(at(reply, 'access_token'));
}

export async function headersFor(
  emulator: RunningAirtelEmulator,
  country: 'ZM' | 'NG' = 'ZM',
): Promise<Record<string, string>> {
  return {
    authorization: `Bearer ${await getToken(emulator)}`,
    'x-country': country,
    'x-currency': country === 'ZM' ? 'ZMW' : 'NGN',
    'content-type': 'application/json',
  };
}

export async function getKey(emulator: RunningAirtelEmulator): Promise<KeyObject> {
  const headers = await headersFor(emulator);
  const reply = await call(emulator, { path: '/v1/rsa/encryption-keys', headers });
  const key = Buffer.from(String(at(reply, 'data.key')), 'base64');
  return createPublicKey({ key, type: 'spki', format: 'der' });
}

export function seal(key: KeyObject, text: string, padding: Padding): string {
  const message = Buffer.from(text);
  switch (padding) {
    case 'pkcs1':
      return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, message).toString(
        'base64',
      );
    case 'oaep-sha1':
      return publicEncrypt({ key, oaepHash: 'sha1' }, message).toString('base64');
    case 'oaep-sha256-mgf1sha256':
      return publicEncrypt({ key, oaepHash: 'sha256' }, message).toString('base64');
    case 'oaep-sha256-mgf1sha1':
      return publicEncrypt(
        { key, padding: constants.RSA_NO_PADDING },
        padWithTwoHashes(message),
      ).toString('base64');
    default: {
      const unhandled: never = padding;
      throw new Error(`unhandled padding ${String(unhandled)}`);
    }
  }
}

const BLOCK_BYTES = 256;

/** Pads by hand, because Node cannot hash the label with SHA-256 and the masks with SHA-1. */
function padWithTwoHashes(message: Buffer): Buffer {
  const seed = randomBytes(32);
  const rest = Buffer.alloc(BLOCK_BYTES - 1 - seed.length);
  createHash('sha256').digest().copy(rest);
  rest[rest.length - message.length - 1] = 1;
  message.copy(rest, rest.length - message.length);
  cover(rest, seed);
  cover(seed, rest);
  return Buffer.concat([Buffer.from([0]), seed, rest]);
}

function cover(target: Buffer, from: Buffer): void {
  for (let index = 0; index < target.length; index += 1) {
    const counter = Buffer.from([0, 0, 0, Math.floor(index / 20)]);
    const mask = createHash('sha1').update(from).update(counter).digest();
    target[index] = (target[index] ?? 0) ^ (mask[index % 20] ?? 0);
  }
}

export function sign(
  key: KeyObject,
  body: string,
  padding: Padding,
): Readonly<{ 'x-key': string; 'x-signature': string }> {
  const aesKey = randomBytes(32);
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', aesKey, iv);
  const signature = Buffer.concat([cipher.update(body), cipher.final()]).toString('base64');
  const together = `${aesKey.toString('base64')}:${iv.toString('base64')}`;
  return { 'x-key': seal(key, together, padding), 'x-signature': signature };
}

let madeIds = 0;

/** A payout that every version accepts; given parts replace its own. */
export async function orderFor(
  emulator: RunningAirtelEmulator,
  version: AirtelVersion,
  given: Readonly<{ payee?: Order; transaction?: Order; order?: Order; padding?: Padding }> = {},
): Promise<Order> {
  madeIds += 1;
  const id = `PO01J8${String(madeIds).padStart(6, '0')}`;
  const { pin } = emulator.credentials;
  const payees = { v1: {}, v2: { currency: 'ZMW', name: 'Jane' }, v3: { wallet_type: 'NORMAL' } };
  return {
    payee: { msisdn: '977123456', ...payees[version], ...given.payee },
    reference: id,
    pin: seal(await getKey(emulator), pin, given.padding ?? 'oaep-sha256-mgf1sha256'),
    transaction: {
      amount: 150.5,
      id,
      ...(version === 'v1' ? {} : { type: 'B2C' }),
      ...given.transaction,
    },
    ...given.order,
  };
}

export const PAY_PATHS = {
  v1: '/standard/v1/disbursements/',
  v2: '/standard/v2/disbursements/',
  v3: '/standard/v3/disbursements',
} as const;

export function idOf(order: Order): string {
  const { transaction } = order;
  return isJsonObject(transaction) ? String(transaction['id']) : '';
}

export async function pay(
  emulator: RunningAirtelEmulator,
  order: Order,
  version: AirtelVersion = 'v3',
  headers: Readonly<Record<string, string | null>> = {},
): Promise<Reply> {
  const allHeaders = { ...(await headersFor(emulator)), ...headers };
  const body = JSON.stringify(order);
  return call(emulator, { method: 'POST', path: PAY_PATHS[version], headers: allHeaders, body });
}

export async function enquireAbout(
  emulator: RunningAirtelEmulator,
  id: string,
  version: AirtelVersion = 'v3',
  query: string = version === 'v1' ? '' : '?transactionType=B2C',
): Promise<Reply> {
  const path = `/standard/${version}/disbursements/${id}${query}`;
  return call(emulator, { path, headers: await headersFor(emulator) });
}
