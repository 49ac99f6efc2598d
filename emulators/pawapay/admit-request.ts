import type { OperatorRequest } from '../kernel/answer.ts';
import { Rejection } from './failure-codes.ts';
import type { MerchantAccount } from './merchant-account.ts';
import { findSignatureFault } from './signatures/check-signature.ts';

const BEARER = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/;
const JSON_TYPE = /^application\/json(?: *;.*)?$/i;
const PLAIN_HTTP_PORT = /:80$/;

export type Permission = 'look' | 'pay';

/** Throws a refusal unless the token allows this call. */
export function admit(
  account: MerchantAccount,
  { headers }: Pick<OperatorRequest, 'headers'>,
  permission: Permission,
): void {
  const { apiToken, secondApiToken, readOnlyToken } = account.credentials;
  const token = BEARER.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) throw new Rejection('NO_AUTHENTICATION');
  if (token === apiToken || token === secondApiToken) return;
  if (token !== readOnlyToken) throw new Rejection('AUTHENTICATION_ERROR');
  if (permission === 'pay') throw new Rejection('AUTHORISATION_ERROR');
}

export function requireJson({ headers }: Pick<OperatorRequest, 'headers'>): void {
  if (JSON_TYPE.test(headers['content-type'] ?? '')) return;
  throw new Rejection('INVALID_INPUT', 'The body is not declared as application/json.');
}

/** Checks signatures only where the account requires them. */
export function requireSignature(
  account: MerchantAccount,
  request: OperatorRequest,
  nowMs: number,
): void {
  if (!account.signedRequestsOnly) return;
  const { method, path, body } = request;
  const host = (request.headers.host ?? '').replace(PLAIN_HTTP_PORT, '');
  const authority = account.publicAuthority === '' ? host : account.publicAuthority;
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
  const fault = findSignatureFault(
    { keys: account.requestKeys, encodings: account.requestEncodings, now: new Date(nowMs) },
    { method, path, body, authority, headers },
  );
  if (fault !== undefined) throw new Rejection('HTTP_SIGNATURE_ERROR', fault);
}
