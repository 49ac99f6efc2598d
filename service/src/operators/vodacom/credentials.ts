import type { ConnectorDeps } from '../contract/connector-kind.ts';
import {
  type CredentialCache,
  createCredentialCache,
  type FetchedCredential,
} from '../credentials/credential-cache.ts';
import { textAt } from '../wire/exact-json.ts';
import type { WireAnswer } from '../wire/operator-wire.ts';
import { isVodacomCode } from './codes.ts';
import type { VodacomOptions } from './settings.ts';

/** The new session is fetched this much earlier, so that it is live before the old one ends. */
const RENEW_MARGIN_MS = 60_000;
/** Our clock for the session starts before the operator's, but not by more than this. */
const EXPIRY_MARGIN_MS = 5_000;

/** A session that is refused for this long after it should be live is dropped. */
const ACTIVATION_GRACE_MS = 60_000;

/** Printable, and short enough to be encrypted with the smallest key. */
const SESSION_ID = /^[!-~]{4,200}$/;

export type SessionDeps = Pick<ConnectorDeps, 'credentials' | 'monotonicMs' | 'newUuid'> &
  Readonly<{
    options: Pick<
      VodacomOptions,
      'apiKey' | 'sessionActivationMs' | 'sessionLifetimeMs' | 'sessionsOverlap'
    >;
    fetch: () => Promise<WireAnswer>;
  }>;

/**
 * One session for all calls. A new one takes up to half a minute to become live, so the next is fetched while the
 * current one is still usable, and a restart continues with the stored one.
 */
export function createVodacomSession(deps: SessionDeps): CredentialCache {
  const { options } = deps;
  return createCredentialCache({
    fetch: async () => readSession(await deps.fetch(), options),
    keeper: deps.credentials,
    obtainedWith: [options.apiKey],
    activationMs: options.sessionActivationMs,
    activationGraceMs: ACTIVATION_GRACE_MS,
    overlap: options.sessionsOverlap,
    monotonicMs: deps.monotonicMs,
    newUuid: deps.newUuid,
  });
}

/** The exchange is not recorded: it contains the session id. */
function readSession(answer: WireAnswer, options: SessionDeps['options']): FetchedCredential {
  if (answer.kind !== 'answered') return noSession(answer.cause);
  const code = textAt(answer.json, 'output_ResponseCode');
  const value = textAt(answer.json, 'output_SessionID');
  if (answer.status !== 200 || code !== 'INS-0') {
    return noSession(isVodacomCode(code) ? code : `HTTP ${answer.status}`);
  }
  if (value === undefined || !SESSION_ID.test(value)) {
    return noSession('the answer has no output_SessionID that can be used');
  }
  const { sessionLifetimeMs: lifetimeMs, sessionActivationMs: activationMs } = options;
  const usableForMs = lifetimeMs - Math.min(EXPIRY_MARGIN_MS, lifetimeMs / 10);
  const freshForMs = Math.max(lifetimeMs / 2, usableForMs - activationMs - RENEW_MARGIN_MS);
  return { kind: 'fetched', value, freshForMs, usableForMs };
}

function noSession(cause: string): FetchedCredential {
  return { kind: 'failed', cause: `no session: ${cause}` };
}
