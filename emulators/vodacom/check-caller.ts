import type { KeyObject } from 'node:crypto';
import type { OperatorRequest } from '../kernel/answer.ts';
import { openPkcs1, openSealedBlock } from '../kernel/rsa-blocks.ts';
import { answerCode, refuse, sessionRefused, VodacomRefusal } from './vodacom-answers.ts';
import type { VodacomState } from './vodacom-state.ts';

/** Decrypts the bearer: an API key or a session id, encrypted by RSA with PKCS#1 v1.5 padding. */
function openBearer(privateKey: KeyObject, request: OperatorRequest): string | null {
  const [, sealed] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
  const block = sealed === undefined ? null : openSealedBlock(privateKey, sealed);
  return block === null ? null : (openPkcs1(block)?.toString() ?? null);
}

/** The Origin header is required and must name one of the trusted sources. */
function checkOrigin({ settings }: VodacomState, { headers }: OperatorRequest): void {
  const { trustedSources } = settings;
  const { origin } = headers;
  if (origin !== undefined && (trustedSources.includes('*') || trustedSources.includes(origin))) {
    return;
  }
  throw new VodacomRefusal(sessionRefused(settings, 'Invalid Origin'));
}

/** `GET getSession/`. */
export function getSession(state: VodacomState, request: OperatorRequest) {
  checkOrigin(state, request);
  const forced = state.forcedCodes.get('session');
  if (forced !== undefined) return answerCode(forced);
  if (openBearer(state.privateKey, request) !== state.credentials.apiKey) throw refuse('INS-989');
  const output = { output_SessionID: state.sessions.create() };
  return answerCode('INS-0', { httpStatus: 200, output });
}

/** For every other call: the session id is encrypted in the same way as the API key. */
export function checkSession(state: VodacomState, request: OperatorRequest): void {
  checkOrigin(state, request);
  const sessionId = openBearer(state.privateKey, request);
  const status = sessionId === null ? 'unknown' : state.sessions.statusOf(sessionId);
  if (status === 'live') return;
  throw new VodacomRefusal(sessionRefused(state.settings, `Session ${status}`));
}
