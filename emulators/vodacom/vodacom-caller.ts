import { constants, createPublicKey, publicEncrypt, randomUUID } from 'node:crypto';
import { isJsonObject } from '../kernel/read-json-object.ts';
import type { RunningVodacomEmulator } from './vodacom-emulator.ts';

/** For tests: a client of the operator over HTTP that can omit or corrupt any part of a request. */
export type Reply = Readonly<{ status: number; body: unknown }>;
export type Fields = Readonly<Record<string, unknown>>;

type Call = Readonly<{
  method?: string;
  path: string;
  market?: string;
  /** A session id or an API key, to be encrypted; null: no Authorization header. */
  bearer: string | null;
  origin?: string | null;
  query?: Fields;
  body?: unknown;
}>;

export function seal({ credentials }: RunningVodacomEmulator, text: string): string {
  const der = Buffer.from(credentials.publicKey, 'base64');
  const key = createPublicKey({ key: der, type: 'spki', format: 'der' });
  return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(text)).toString(
    'base64',
  );
}

export async function call(emulator: RunningVodacomEmulator, request: Call): Promise<Reply> {
  const { method = 'GET', path, bearer, origin = '*', query = {}, body } = request;
  const { context, market } = emulator.settings;
  const url = new URL(`/${context}/ipg/v2/${request.market ?? market.name}/${path}`, emulator.url);
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string') url.searchParams.set(name, value);
  }
  const answer = await fetch(url, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(bearer === null ? {} : { authorization: `Bearer ${seal(emulator, bearer)}` }),
      ...(origin === null ? {} : { origin }),
    },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}

/** A member of an answer, named without its `output_` prefix. */
export function output({ body }: Reply, name: string): unknown {
  return isJsonObject(body) ? body[`output_${name}`] : undefined;
}

export async function openSession(emulator: RunningVodacomEmulator): Promise<string> {
  const bearer = emulator.credentials.apiKey;
  return String(output(await call(emulator, { path: 'getSession/', bearer }), 'SessionID'));
}

export function newId(): string {
  return randomUUID().replaceAll('-', '');
}

/** A valid payout; given fields replace its own. */
export function orderFor({ settings, credentials }: RunningVodacomEmulator, given: Fields = {}) {
  const { country, currency } = settings.market;
  return {
    input_Amount: '150.50',
    input_Country: country,
    input_Currency: currency,
    input_CustomerMSISDN: '260977123456',
    input_ServiceProviderCode: credentials.serviceProviderCode,
    input_ThirdPartyConversationID: newId(),
    input_TransactionReference: 'T12344C',
    input_PaymentItemsDesc: 'Salary payment',
    ...given,
  };
}

export async function pay(
  emulator: RunningVodacomEmulator,
  order: Fields,
  path: string = 'b2cPayment/',
): Promise<Reply> {
  const bearer = await openSession(emulator);
  return call(emulator, { method: 'POST', path, bearer, body: order });
}

export async function query(
  emulator: RunningVodacomEmulator,
  reference: unknown,
  given: Fields = {},
): Promise<Reply> {
  const { settings, credentials } = emulator;
  return call(emulator, {
    path: 'queryTransactionStatus/',
    bearer: await openSession(emulator),
    query: {
      input_QueryReference: reference,
      input_ServiceProviderCode: credentials.serviceProviderCode,
      input_ThirdPartyConversationID: newId(),
      input_Country: settings.market.country,
      ...given,
    },
  });
}

export async function requestName(
  emulator: RunningVodacomEmulator,
  msisdn: string,
  given: Fields = {},
): Promise<Reply> {
  const { settings, credentials } = emulator;
  return call(emulator, {
    path: 'queryBeneficiaryName/',
    bearer: await openSession(emulator),
    query: {
      input_CustomerMSISDN: msisdn,
      input_Country: settings.market.country,
      input_ServiceProviderCode: credentials.serviceProviderCode,
      input_ThirdPartyConversationID: newId(),
      input_KycQueryType: 'Name',
      ...given,
    },
  });
}

export async function reverse(
  emulator: RunningVodacomEmulator,
  transactionId: unknown,
  given: Fields = {},
): Promise<Reply> {
  const { settings, credentials } = emulator;
  return call(emulator, {
    method: 'PUT',
    path: 'reversal/',
    bearer: await openSession(emulator),
    body: {
      input_Country: settings.market.country,
      input_ServiceProviderCode: credentials.serviceProviderCode,
      input_ThirdPartyConversationID: newId(),
      input_TransactionID: transactionId,
      ...given,
    },
  });
}
