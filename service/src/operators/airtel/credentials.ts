import type { ConnectorDeps } from '../contract/connector-kind.ts';
import {
  type CredentialCache,
  createCredentialCache,
  type FetchedCredential,
} from '../credentials/credential-cache.ts';
import { textAt } from '../wire/exact-json.ts';
import type { OperatorWire } from '../wire/operator-wire.ts';

const TOKEN_PATH = '/auth/oauth2/token';
/** The documented lifetime, for an answer without one. */
const LIFETIME_USUAL_MS = 180_000;
/** Airtel may revoke a token at any time, so one with a longer lifetime is renewed hourly. */
const LIFETIME_MAX_MS = 3_600_000;
/** How long before its expiry a token is renewed; at most half its lifetime. */
const RENEW_EARLY_MS = 30_000;
/** The share of the lifetime that is left for a request to arrive before its token expires. */
const TRAVEL_SHARE = 1 / 6;
/** What fits a header and can be stored. */
const TOKEN_PATTERN = /^[\x21-\x7e]{1,4000}$/;

export type TokenDeps = Pick<ConnectorDeps, 'credentials' | 'monotonicMs' | 'newUuid'> &
  Readonly<{
    wire: OperatorWire;
    clientId: string;
    clientSecret: string;
    timeoutMs: number;
  }>;

/** The bearer token of one application. It lives 180 seconds and is fetched once for any number of callers. */
export function createTokenSource(deps: TokenDeps): CredentialCache {
  return createCredentialCache({
    fetch: () => fetchToken(deps),
    keeper: deps.credentials,
    obtainedWith: [deps.clientId, deps.clientSecret],
    activationMs: 0,
    activationGraceMs: 0,
    overlap: true,
    monotonicMs: deps.monotonicMs,
    newUuid: deps.newUuid,
  });
}

async function fetchToken(deps: TokenDeps): Promise<FetchedCredential> {
  const answer = await deps.wire.send({
    method: 'POST',
    path: TOKEN_PATH,
    headers: { 'content-type': 'application/json', accept: '*/*' },
    body: JSON.stringify({
      client_id: deps.clientId,
      client_secret: deps.clientSecret,
      grant_type: 'client_credentials',
    }),
    timeoutMs: deps.timeoutMs,
  });
  if (answer.kind !== 'answered') return { kind: 'failed', cause: `no token: ${answer.cause}` };
  if (answer.status !== 200) return { kind: 'failed', cause: `no token: HTTP ${answer.status}` };
  const token = textAt(answer.json, 'access_token');
  if (token === undefined || !TOKEN_PATTERN.test(token)) {
    return { kind: 'failed', cause: 'no token: an answer without one' };
  }
  return { kind: 'fetched', value: token, ...ages(textAt(answer.json, 'expires_in')) };
}

/** The lifetime is `"180"` in the documentation and `180` from some gateways; both arrive here as text. */
function ages(expiresIn: string | undefined): { freshForMs: number; usableForMs: number } {
  const seconds = /^([0-9]{1,9})(?:\.0*)?$/.exec(expiresIn ?? '')?.[1];
  const claimedMs = seconds === undefined ? LIFETIME_USUAL_MS : Number(seconds) * 1_000;
  const lifetimeMs = Math.min(LIFETIME_MAX_MS, claimedMs);
  const earlyMs = Math.min(RENEW_EARLY_MS, lifetimeMs / 2);
  return { freshForMs: lifetimeMs - earlyMs, usableForMs: lifetimeMs - earlyMs * TRAVEL_SHARE };
}
