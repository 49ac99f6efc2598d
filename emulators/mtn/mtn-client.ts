import { randomUUID } from 'node:crypto';
import type { MtnEmulator } from './mtn-emulator.ts';

export type HttpAnswer = Readonly<{
  status: number;
  contentType: string;
  text: string;
  json: unknown;
}>;

export type Call = Readonly<{
  /** Override the valid headers; null removes one. */
  headers?: Readonly<Record<string, string | null>>;
  /** A string is sent unchanged. */
  body?: unknown;
}>;

/** For tests: a client that sends valid requests unless parts are overridden. */
export type MtnClient = Readonly<{
  token: string;
  call(method: string, path: string, call?: Call): Promise<HttpAnswer>;
  /** A valid transfer with some fields replaced; undefined removes one. */
  transfer(fields?: Readonly<Record<string, unknown>>, call?: Call): Promise<HttpAnswer>;
  status(reference: string): Promise<HttpAnswer>;
}>;

export async function fetchAnswer(
  url: string,
  method: string,
  { headers = {}, body }: Call,
): Promise<HttpAnswer> {
  const sent: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) if (value !== null) sent.push([name, value]);
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const answer = await fetch(url, {
    method,
    headers: sent,
    ...(text === undefined ? {} : { body: Buffer.from(text) }),
  });
  const received = await answer.text();
  const contentType = answer.headers.get('content-type') ?? '';
  const isJson = contentType === 'application/json';
  const json: unknown = isJson ? JSON.parse(received) : undefined;
  return { status: answer.status, contentType, text: received, json };
}

export function basicAuthorization(apiUser: string, apiKey: string): string {
  return `Basic ${Buffer.from(`${apiUser}:${apiKey}`).toString('base64')}`;
}

export function requestToken({ url, settings }: MtnEmulator, call: Call = {}): Promise<HttpAnswer> {
  const { apiUser, apiKey, subscriptionKey } = settings.credentials;
  return fetchAnswer(`${url}/disbursement/token/`, 'POST', {
    body: 'body' in call ? call.body : { grant_type: 'client_credentials' },
    headers: {
      authorization: basicAuthorization(apiUser, apiKey),
      'ocp-apim-subscription-key': subscriptionKey,
      'content-type': 'application/json',
      ...call.headers,
    },
  });
}

export function memberOf(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null;
  return isObject ? Object.entries(value).find(([known]) => known === name)?.[1] : undefined;
}

export async function createMtnClient(emulator: MtnEmulator): Promise<MtnClient> {
  const { url, settings } = emulator;
  const token = String(memberOf((await requestToken(emulator)).json, 'access_token'));
  const common = {
    authorization: `Bearer ${token}`,
    'ocp-apim-subscription-key': settings.credentials.subscriptionKey,
    'x-target-environment': settings.targetEnvironment,
  };
  const call: MtnClient['call'] = (method, path, { headers, body } = {}) =>
    fetchAnswer(`${url}${path}`, method, { headers: { ...common, ...headers }, body });
  return {
    token,
    call,
    transfer: (fields = {}, { headers } = {}) =>
      call('POST', '/disbursement/v1_0/transfer', {
        headers: {
          'content-type': 'application/json',
          'x-reference-id': randomUUID(),
          ...headers,
        },
        body: {
          amount: '150.50',
          currency: settings.currency,
          externalId: 'po-1',
          payee: { partyIdType: 'MSISDN', partyId: '260966123456' },
          payerMessage: 'Payout po-1',
          payeeNote: 'Salary June',
          ...fields,
        },
      }),
    status: (reference) => call('GET', `/disbursement/v1_0/transfer/${reference}`),
  };
}
