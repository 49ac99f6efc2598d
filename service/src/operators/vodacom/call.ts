import type { CredentialAnswer, CredentialCache } from '../credentials/credential-cache.ts';
import { textAt } from '../wire/exact-json.ts';
import type { OperatorWire, WireAnswer, WireRequest } from '../wire/operator-wire.ts';
import type { SendWindow } from '../wire/send-window.ts';
import type { WireRecord } from '../wire/wire-record.ts';
import { isVodacomCode } from './codes.ts';
import type { PortalCipher } from './portal-cipher.ts';

/** With less time left than this, the call is not sent again. */
const RESEND_TIMEOUT_MIN_MS = 500;
const NO_SESSION_RETRY_MS = 5_000;
export const NOT_LIVE_YET = 'the session is not live yet';

export type VodacomCall = SendWindow &
  Readonly<{
    method: WireRequest['method'];
    path: string;
    body: string | null;
    timeoutMs: number;
    /** It moves no money, so it may be repeated in any case. */
    isInquiry: boolean;
    /**
     * For a call that moves money: the inquiry that is sent before it under a stored session. The operator may have
     * ended that session, and its refusal (400, no code) would leave a payout in doubt.
     */
    tryWith?: VodacomCall;
  }>;

export type CallResult =
  | Readonly<{
      kind: 'sent';
      answer: WireAnswer;
      /** The same call before, under a session that was refused. */
      earlier: readonly WireRecord[];
    }>
  /** There is no session, and nothing was sent. */
  | Readonly<{ kind: 'noSession'; cause: string; retryInMs: number }>;

export type CallDeps = Readonly<{
  wire: OperatorWire;
  session: CredentialCache;
  cipher: PortalCipher;
  origin: string;
  /** Bearer values of calls under way, so that an answer that repeats one is recorded without it. */
  bearers: Set<string>;
  tokenMs: number;
  timeScale: number;
  monotonicMs: () => number;
  wait: (ms: number) => Promise<void>;
}>;

/**
 * Sends a call under the session. If the operator refuses the session, the call is sent once more under a new one (a
 * payout only after 401, with which the operator says that it did nothing), within the time of a single call with its
 * session: the lease of a transfer lasts no longer.
 */
export async function callVodacom(deps: CallDeps, call: VodacomCall): Promise<CallResult> {
  const deadlineMs = deps.monotonicMs() + deps.tokenMs + call.timeoutMs;
  const session = await takeTried(deps, call);
  if (session.kind !== 'ready') return noSession(session, deps);
  const first = await sendUnder(deps, session.value, call);
  const sentOnce = { kind: 'sent', answer: first, earlier: [] } as const;
  const isRefused = call.isInquiry ? isSessionRefused(first) : isUnauthorised(first);
  if (!isRefused) return sentOnce;

  if (deps.monotonicMs() + deps.tokenMs + RESEND_TIMEOUT_MIN_MS > deadlineMs) return sentOnce;
  const renewed = await takeLive(deps);
  if (renewed.kind !== 'ready') return sentOnce;
  const timeoutMs = Math.min(call.timeoutMs, deadlineMs - deps.monotonicMs());
  const second = await sendUnder(deps, renewed.value, { ...call, timeoutMs });
  return { kind: 'sent', answer: second, earlier: [first.record] };
}

/** Takes a live session. A stored one is tried with an inquiry before money is moved under it. */
async function takeTried(deps: CallDeps, { tryWith }: VodacomCall): Promise<CredentialAnswer> {
  const session = await takeLive(deps);
  if (tryWith === undefined || session.kind !== 'ready' || session.untried !== true) return session;
  const answer = await sendUnder(deps, session.value, tryWith);
  if (answer.kind !== 'answered') {
    return { kind: 'failed', cause: `no answer under the session that was kept: ${answer.cause}` };
  }
  const taken = await takeLive(deps);
  const isTheSame = taken.kind === 'ready' && taken.value === session.value;
  return isTheSame && isSessionRefused(answer)
    ? { kind: 'failed', cause: 'the session that was kept is refused' }
    : taken;
}

/** Takes no longer than the token timeout: a session that becomes live within it is waited for. */
async function takeLive({
  session,
  tokenMs,
  monotonicMs,
  wait,
}: CallDeps): Promise<CredentialAnswer> {
  const begunMs = monotonicMs();
  const taken = await session.take();
  if (taken.kind !== 'warming') return taken;
  // Timers have whole milliseconds only, and may fire one early.
  const waitMs = Math.ceil(taken.readyInMs) + 1;
  if (monotonicMs() - begunMs + waitMs > tokenMs) return taken;
  await wait(waitMs);
  return session.take();
}

async function sendUnder(
  { wire, session, cipher, origin, bearers }: CallDeps,
  sessionId: string,
  call: VodacomCall,
): Promise<WireAnswer> {
  const bearer = cipher.encrypt(sessionId) ?? '';
  bearers.add(bearer);
  const { isInquiry: _, tryWith: __, ...request } = call;
  const answer = await wire.send({ ...request, headers: vodacomHeaders(bearer, origin) });
  bearers.delete(bearer);
  if (isSessionRefused(answer)) session.refused(sessionId);
  else if (answer.kind === 'answered' && codeOf(answer) !== undefined) session.accepted(sessionId);
  return answer;
}

export function vodacomHeaders(bearer: string, origin: string): Record<string, string> {
  return {
    authorization: `Bearer ${bearer}`,
    origin,
    'content-type': 'application/json',
    accept: 'application/json',
  };
}

/**
 * How M-Pesa reports a bad session is not documented beyond its status: 400 or 401, without the code of a processed
 * call. A 400 counts only with JSON, so that a proxy's HTML page does not end the session of all calls.
 */
function isSessionRefused(answer: WireAnswer): boolean {
  if (answer.kind !== 'answered' || codeOf(answer) !== undefined) return false;
  return answer.status === 401 || (answer.status === 400 && answer.json !== undefined);
}

function isUnauthorised(answer: WireAnswer): boolean {
  return isSessionRefused(answer) && answer.kind === 'answered' && answer.status === 401;
}

function codeOf(answer: WireAnswer & { kind: 'answered' }): string | undefined {
  const code = textAt(answer.json, 'output_ResponseCode');
  return isVodacomCode(code) ? code : undefined;
}

function noSession(
  session: Exclude<CredentialAnswer, { kind: 'ready' }>,
  { timeScale }: CallDeps,
): CallResult {
  return session.kind === 'failed'
    ? { kind: 'noSession', cause: session.cause, retryInMs: NO_SESSION_RETRY_MS * timeScale }
    : {
        kind: 'noSession',
        cause: NOT_LIVE_YET,
        retryInMs: Math.ceil(session.readyInMs),
      };
}
