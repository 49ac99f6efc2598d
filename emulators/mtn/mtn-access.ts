import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { OperatorRequest, PlainAnswer } from '../kernel/answer.ts';
import { refuse, refuseAtGateway } from './mtn-errors.ts';
import type { MtnSettings } from './mtn-settings.ts';

export type ApiUser = { readonly providerCallbackHost: string; apiKey: string | null };

/** API users and their tokens. Unlike payouts, they are not kept when the process ends. */
export type MtnAccess = Readonly<{
  settings: MtnSettings;
  now: () => number;
  users: Map<string, ApiUser>;
  tokens: Map<string, Readonly<{ apiUser: string; expiresAtMs: number }>>;
}>;

const TOKENS_MAX = 10_000;
const USERS_MAX = 10_000;
const SECOND_MS = 1_000;
const TOKEN_BYTES = 48;

export const TOKEN_EXPIRED = refuseAtGateway(401, 'Access token has expired.');
const NO_SUBSCRIPTION = refuseAtGateway(
  401,
  'Access denied due to invalid subscription key. This product knows no such key.',
);
const NO_API_USER = refuseAtGateway(401, 'Access denied due to invalid API user or API key.');
const NO_TOKEN = refuseAtGateway(401, 'Access denied due to invalid access token.');

export function createAccess(settings: MtnSettings, now: () => number): MtnAccess {
  const { apiUser, apiKey, providerCallbackHost } = settings.credentials;
  const users = new Map([[apiUser, { providerCallbackHost, apiKey }]]);
  return { settings, now, users, tokens: new Map() };
}

/** The value of a header. Node joins repeated headers, and the joined value matches nothing. */
export function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** The refusal when the key is not one of the product's two keys, else null. */
export function refuseSubscription(
  access: MtnAccess,
  request: OperatorRequest,
): PlainAnswer | null {
  const { subscriptionKey, secondarySubscriptionKey } = access.settings.credentials;
  const given = header(request.headers, 'ocp-apim-subscription-key');
  return given === subscriptionKey || given === secondarySubscriptionKey ? null : NO_SUBSCRIPTION;
}

export function refuseAddress(access: MtnAccess, request: OperatorRequest): PlainAnswer | null {
  const { addressesAllowed } = access.settings;
  if (addressesAllowed === null || addressesAllowed.includes(request.remoteAddress)) return null;
  return { ...refuse('FORBIDDEN IP', 'The source address is not on the list.'), status: 403 };
}

export function addUser(access: MtnAccess, id: string, user: ApiUser): void {
  if (access.users.size >= USERS_MAX) throw new Error(`more than ${USERS_MAX} API users`);
  access.users.set(id, user);
}

/** The API user of a Basic authorization, else the refusal. */
export function readBasicUser(access: MtnAccess, request: OperatorRequest): string | PlainAnswer {
  const [, encoded = ''] =
    /^Basic ([A-Za-z0-9+/]+=*)$/.exec(header(request.headers, 'authorization') ?? '') ?? [];
  const [id = '', key = ''] = splitOnce(Buffer.from(encoded, 'base64').toString('utf8'));
  return access.users.get(id)?.apiKey === key ? id : NO_API_USER;
}

function splitOnce(pair: string): readonly string[] {
  const at = pair.indexOf(':');
  return at === -1 ? [] : [pair.slice(0, at), pair.slice(at + 1)];
}

export function mintToken(access: MtnAccess, apiUser: string): string {
  const nowMs = access.now();
  for (const [token, { expiresAtMs }] of access.tokens) {
    if (expiresAtMs <= nowMs || access.tokens.size >= TOKENS_MAX) access.tokens.delete(token);
  }
  const token = `eyJ0eXAi${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  const expiresAtMs = nowMs + access.settings.tokenLifetimeS * SECOND_MS;
  access.tokens.set(token, { apiUser, expiresAtMs });
  return token;
}

/** The API user of a valid Bearer token, else the refusal. */
export function readBearerUser(access: MtnAccess, request: OperatorRequest): ApiUser | PlainAnswer {
  const authorization = header(request.headers, 'authorization') ?? '';
  const [, token = ''] = /^Bearer (\S+)$/.exec(authorization) ?? [];
  const known = access.tokens.get(token);
  if (known === undefined) return NO_TOKEN;
  if (known.expiresAtMs <= access.now()) return TOKEN_EXPIRED;
  return access.users.get(known.apiUser) ?? NO_TOKEN;
}

export function refuseTarget(access: MtnAccess, request: OperatorRequest): PlainAnswer | null {
  const target = header(request.headers, 'x-target-environment');
  if (target === undefined) return refuseAtGateway(400, 'X-Target-Environment is missing.');
  return target === access.settings.targetEnvironment
    ? null
    : refuse('NOT_ALLOWED_TARGET_ENVIRONMENT');
}
