import type { KeyObject } from 'node:crypto';
import type { Outcome } from '../../domain/outcome.ts';
import type { Payout, Reply } from '../connector.ts';
import type { WireAnswer } from '../wire/operator-wire.ts';
import { windowOf } from '../wire/send-window.ts';
import { type Call, callAirtel, WORTHWHILE_MS } from './airtel-call.ts';
import { jsonAmount, nationalNumber, toAirtelId } from './airtel-formats.ts';
import type { AirtelParts } from './airtel-parts.ts';
import { askAboutPayout } from './ask-about-payout.ts';
import { encryptPin } from './encrypt-pin.ts';
import { judgeAnswer, type Verdict } from './judge-answer.ts';
import { outcomeOf } from './outcome-of.ts';
import type { Answered } from './read-answer.ts';
import { signRequest } from './sign-request.ts';

/** After nothing was sent: token, public key or the address itself was not to be had. */
const RETRY_IN_MS = 5_000;
/** A success that was not confirmed in time is asked for soon. */
const ASK_UNCONFIRMED_MS = 1_000;

export async function submitPayout(parts: AirtelParts, payout: Payout): Promise<Reply> {
  const beganMs = parts.monotonicMs();
  const key = await parts.publicKey.get();
  if (key.kind === 'failed') return notBegun(key.cause);
  // A transfer's lease counts on the token and the submission; a key that came late used up both.
  if (parts.monotonicMs() - beganMs > parts.timeouts.tokenMs) {
    return notBegun('the public key came too late');
  }
  const { call, secrets } = writeCall(parts, payout, key.value);
  for (const secret of secrets) parts.secretsUnderWay.add(secret);
  try {
    const called = await callAirtel(parts, call);
    if (called.kind === 'unprepared') return notBegun(called.cause);
    const { answer, resent, leftMs } = called;
    if (answer.kind !== 'answered') return withoutAnswer(answer, resent);
    return await judgeSubmission(parts, payout, { answer, leftMs, publicKey: key.value });
  } finally {
    for (const secret of secrets) parts.secretsUnderWay.delete(secret);
  }
}

function writeCall(
  { settings, shape, timeouts, country, currency }: AirtelParts,
  payout: Payout,
  publicKey: KeyObject,
): Readonly<{ call: Call; secrets: readonly string[] }> {
  if (payout.currency !== currency) throw new Error(`the currency is not that of ${country}`);
  const encryptedPin = encryptPin({ publicKey, padding: settings.pinPadding }, settings.pin);
  const order = {
    id: toAirtelId(payout.operatorReference),
    msisdn: nationalNumber(payout.phone, country),
    amount: jsonAmount(payout.amountMinor),
    currency,
    encryptedPin,
  };
  const body = shape.writeBody(order, settings);
  const timeoutMs = timeouts.submitMs;
  const call = { path: shape.submitPath, body, timeoutMs, ...windowOf(payout) };
  if (!settings.signRequests || !shape.signs) return { call, secrets: [encryptedPin] };
  const headers = signRequest({ publicKey, padding: settings.signingKeyPadding }, body);
  return { call: { ...call, headers }, secrets: [encryptedPin, headers['x-key']] };
}

function notBegun(cause: string): Reply {
  return { outcome: { kind: 'notSent', cause, retryInMs: RETRY_IN_MS }, wire: null };
}

function withoutAnswer(answer: Exclude<WireAnswer, Answered>, resent: boolean): Reply {
  const { kind, cause, record } = answer;
  // Before a request that was sent again, the first one did leave.
  const outcome: Outcome =
    kind === 'notSent' && !resent
      ? { kind: 'notSent', cause, retryInMs: RETRY_IN_MS }
      : { kind: 'unknown', cause };
  return { outcome, wire: record };
}

async function judgeSubmission(
  parts: AirtelParts,
  payout: Payout,
  submitted: Readonly<{ answer: Answered; leftMs: number; publicKey: KeyObject }>,
): Promise<Reply> {
  const { answer, leftMs, publicKey } = submitted;
  const verdict = judgeAnswer(answer, payout, { ...parts.settings, question: 'submit' });
  if (verdict.kind === 'mismatch') parts.mismatches.add(payout.operatorReference);
  if (verdict.kind === 'refused' && verdict.keyIsSuspect) parts.publicKey.forget(publicKey);
  if (verdict.kind === 'paid' && !verdict.isWhole) {
    const contradicted = await confirm(parts, payout, { verdict, leftMs });
    return contradicted.wire === null ? { ...contradicted, wire: answer.record } : contradicted;
  }
  return { outcome: outcomeOf(verdict, payout, parts.now()), wire: answer.record };
}

/**
 * A submission's answer may tell no amount; a success is then paid only once the inquiry says the
 * same. A reply without a record of its own stands on the submission's answer.
 */
async function confirm(
  parts: AirtelParts,
  payout: Payout,
  submitted: Readonly<{ verdict: Verdict & { kind: 'paid' }; leftMs: number }>,
): Promise<Reply> {
  const later: Reply = { outcome: { kind: 'pending', askInMs: ASK_UNCONFIRMED_MS }, wire: null };
  if (submitted.leftMs < WORTHWHILE_MS) return later;
  const timeoutMs = Math.min(parts.timeouts.inquireMs, submitted.leftMs);
  const { verdict, wire } = await askAboutPayout(parts, payout, { timeoutMs });
  if (verdict.kind === 'paid') {
    const { operatorTransactionId } = submitted.verdict;
    const id = operatorTransactionId ?? verdict.operatorTransactionId;
    return { outcome: { kind: 'paid', operatorTransactionId: id }, wire: null };
  }
  if (verdict.kind === 'refused' || verdict.kind === 'mismatch') {
    const cause = `paid by the submission's answer, not by the inquiry: ${verdict.cause}`;
    return { outcome: { kind: 'unknown', cause }, wire };
  }
  return later;
}
