import { parseUuid } from '../../domain/uuid.ts';
import type {
  CallbackReading,
  ConnectorReply,
  Payout,
  RawCallback,
} from '../contract/connector.ts';
import { reportedPayout } from '../contract/reported-payout.ts';
import { readAmountText } from '../wire/amount-text.ts';
import { readExactJson, textAt } from '../wire/exact-json.ts';
import { keepAnswer } from '../wire/wire-record.ts';
import { readPayout } from './answers.ts';
import type { CallbackKeys } from './callback-keys.ts';
import { PAWAPAY_STATUSES } from './codes.ts';
import { verifyCallback } from './verify-callback.ts';

export type CallbackOptions = Readonly<{
  keys: CallbackKeys;
  required: boolean;
  authority: string | null;
  now: () => Date;
}>;

/**
 * Reads a callback. A signature that is present must be valid, whether or not one is required. If one is required, a
 * callback that cannot be verified yet is unreadable, and pawaPay sends it again.
 */
export function readPawapayCallback(
  { keys, required, authority, now }: CallbackOptions,
  callback: RawCallback,
): CallbackReading {
  const { keyOf } = keys;
  const verdict = verifyCallback(callback, { keyOf, authority, now: now() });
  if (verdict.kind === 'wrong') return { kind: 'forged', cause: verdict.cause };
  if (verdict.kind === 'missing' && required) {
    return { kind: 'forged', cause: 'there is no signature' };
  }
  if (verdict.kind === 'unknownKey') {
    // For the next callback: this one is read now or not at all.
    void keys.refresh('a key is missing');
    if (required) {
      return keys.any()
        ? { kind: 'forged', cause: 'the key is not one that pawaPay publishes' }
        : { kind: 'unreadable', cause: 'the keys of pawaPay are not known yet' };
    }
  }
  return readClaim(callback.body, verdict.kind === 'holds');
}

/**
 * Reads a verified callback like the answer to an inquiry. `secrets` are removed from what is recorded of it.
 */
export function readPawapayAnswer(
  { method, body }: Pick<RawCallback, 'method' | 'body'>,
  { payout, secrets }: Readonly<{ payout: Payout; secrets: readonly string[] }>,
): ConnectorReply {
  const text = body.toString('utf8');
  const answer = keepAnswer(text, secrets);
  const wire = { request: `${method} callback`, httpStatus: null, answer, elapsedMs: 0 };
  // Its age matters only for the time of the next inquiry, and only an end is recorded.
  return { outcome: readPayout(readExactJson(text), { payout, ageMs: 0 }), wire };
}

function readClaim(body: Buffer, verified: boolean): CallbackReading {
  const json = readExactJson(body.toString('utf8'));
  if (json === undefined) return { kind: 'unreadable', cause: 'the body is not JSON' };
  const operatorReference = parseUuid(textAt(json, 'payoutId') ?? '');
  if (operatorReference === undefined) {
    return { kind: 'unreadable', cause: 'payoutId is not a reference of ours' };
  }
  const claims = PAWAPAY_STATUSES.get(textAt(json, 'status') ?? '') ?? 'unknown';
  const number = textAt(json, 'recipient', 'accountDetails', 'phoneNumber') ?? '';
  const reported = reportedPayout({
    amountMinor: readAmountText(textAt(json, 'amount') ?? '') ?? null,
    currency: textAt(json, 'currency') ?? null,
    phone: /^[0-9]{5,15}$/.test(number) ? `+${number}` : null,
  });
  return { kind: 'read', operatorReference, claims, verified, ...reported };
}
