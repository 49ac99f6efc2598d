import type { ConnectorDeps } from '../contract/connector-kind.ts';
import {
  type CredentialCache,
  createCredentialCache,
  type FetchedCredential,
} from '../credentials/credential-cache.ts';
import { textAt } from '../wire/exact-json.ts';
import type { WireAnswer } from '../wire/operator-wire.ts';
import type { MtnTerms } from './settings.ts';

/** As MTN advises; a token with a shorter lifetime is renewed at half of it. */
const REFRESH_BEFORE_EXPIRY_MS = 600_000;
/** The documented lifetime, for an answer without one. */
const LIFETIME_S = 3_600;

/** A JWT of some hundred characters that must fit into a header. */
const TOKEN = /^[!-~]{1,8192}$/;
const SECONDS = /^[0-9]{1,9}$/;

export type MtnTokenDeps = Pick<ConnectorDeps, 'credentials' | 'monotonicMs' | 'newUuid'> &
  Readonly<{
    account: Pick<MtnTerms, 'apiUser' | 'apiKey' | 'subscriptionKey'>;
    fetch: () => Promise<WireAnswer>;
  }>;

/** The bearer token of one API user. */
export function createMtnTokens(deps: MtnTokenDeps): CredentialCache {
  const { apiUser, apiKey, subscriptionKey } = deps.account;
  return createCredentialCache({
    fetch: async () => readToken(await deps.fetch()),
    keeper: deps.credentials,
    obtainedWith: [apiUser, apiKey, subscriptionKey],
    activationMs: 0,
    activationGraceMs: 0,
    overlap: true,
    monotonicMs: deps.monotonicMs,
    newUuid: deps.newUuid,
  });
}

/** MTN's firewall answers some requests with 200 and an HTML page, so the body decides. */
function readToken(answer: WireAnswer): FetchedCredential {
  if (answer.kind !== 'answered') return noToken(answer.cause);
  if (answer.status !== 200) return noToken(`HTTP ${answer.status}`);
  const value = textAt(answer.json, 'access_token');
  if (value === undefined || !TOKEN.test(value)) return noToken('HTTP 200 without a token in it');
  const seconds = textAt(answer.json, 'expires_in') ?? '';
  const lifetimeMs = (SECONDS.test(seconds) ? Number(seconds) : LIFETIME_S) * 1_000;
  const earlyMs = Math.min(REFRESH_BEFORE_EXPIRY_MS, lifetimeMs / 2);
  return { kind: 'fetched', value, freshForMs: lifetimeMs - earlyMs, usableForMs: lifetimeMs };
}

function noToken(cause: string): FetchedCredential {
  return { kind: 'failed', cause: `no token: ${cause}` };
}
