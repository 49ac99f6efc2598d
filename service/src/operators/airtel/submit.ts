import type { KeyObject } from 'node:crypto';
import type { Outcome } from '../../domain/outcome.ts';
import type { ConnectorReply, Payout } from '../contract/connector.ts';
import { replyToPayout } from '../contract/sent-again.ts';
import type { WireAnswer } from '../wire/operator-wire.ts';
import { windowOf } from '../wire/send-window.ts';
import type { Answered } from './answers.ts';
import { type Call, callAirtel } from './call.ts';
import { encryptPin } from './encrypt-pin.ts';
import { jsonAmount, nationalNumber, toAirtelId } from './formats.ts';
import { judgeAnswer } from './judge-answer.ts';
import { outcomeOf } from './outcome-of.ts';
import type { AirtelParts } from './parts.ts';
import { signRequest } from './sign-request.ts';

/** After nothing was sent: the token, the public key or a connection was not available. */
const RETRY_IN_MS = 5_000;

export async function submitPayout(parts: AirtelParts, payout: Payout): Promise<ConnectorReply> {
  const beganMs = parts.monotonicMs();
  const key = await parts.publicKey.get();
  if (key.kind === 'failed') return notBegun(key.cause);
  // A transfer's lease allows for the token and the submission; a public key that arrived late has used up that time.
  if (parts.monotonicMs() - beganMs > parts.timeouts.tokenMs) {
    return notBegun('the public key came too late');
  }
  const { call, secrets } = writeCall(parts, payout, key.value);
  for (const secret of secrets) parts.secretsUnderWay.add(secret);
  try {
    const called = await callAirtel(parts, call);
    if (called.kind === 'unprepared') return notBegun(called.cause);
    const { answer, earlier } = called;
    const resent = earlier.length > 0;
    const reply =
      answer.kind === 'answered'
        ? judgeSubmission(parts, payout, { answer, resent, publicKey: key.value })
        : withoutAnswer(answer, resent);
    return replyToPayout(reply, earlier);
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

function notBegun(cause: string): ConnectorReply {
  return { outcome: { kind: 'notSent', cause, retryInMs: RETRY_IN_MS }, wire: null };
}

function withoutAnswer(answer: Exclude<WireAnswer, Answered>, resent: boolean): ConnectorReply {
  const { kind, cause, record } = answer;
  // If the request was sent again, the first one did leave this process.
  const outcome: Outcome =
    kind === 'notSent' && !resent
      ? { kind: 'notSent', cause, retryInMs: RETRY_IN_MS }
      : { kind: 'unknown', cause };
  return { outcome, wire: record };
}

function judgeSubmission(
  parts: AirtelParts,
  payout: Payout,
  submitted: Readonly<{ answer: Answered; resent: boolean; publicKey: KeyObject }>,
): ConnectorReply {
  const { answer, resent, publicKey } = submitted;
  const verdict = judgeAnswer(answer, payout, { ...parts.settings, purpose: 'submit' });
  if (verdict.kind === 'refused' && verdict.keyIsSuspect) parts.publicKey.forget(publicKey);
  if (verdict.kind === 'doubt' && verdict.isDuplicate === true) {
    return { outcome: duplicateOf(verdict.cause, parts, resent), wire: answer.record };
  }
  return { outcome: outcomeOf(verdict, payout, parts.now()), wire: answer.record };
}

/** Airtel has an order under our id. It is certainly the one we have just sent only if we sent it twice. */
function duplicateOf(cause: string, { settings }: AirtelParts, resent: boolean): Outcome {
  if (settings.trustsDuplicates) return { kind: 'pending', inquireInMs: RETRY_IN_MS };
  return { kind: 'unknown', cause, ...(resent ? {} : { isDuplicate: true }) };
}
