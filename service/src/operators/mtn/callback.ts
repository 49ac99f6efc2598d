import type { CallbackReading, RawCallback } from '../contract/connector.ts';
import { reportedPayout } from '../contract/reported-payout.ts';
import { readAmountText } from '../wire/amount-text.ts';
import { type ExactJson, readExactJson, textAt } from '../wire/exact-json.ts';

const METHODS: readonly string[] = ['PUT', 'POST'];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

type Claim = Extract<CallbackReading, { kind: 'read' }>['claims'];
const CLAIMS: ReadonlyMap<string, Claim> = new Map([
  ['SUCCESSFUL', 'paid'],
  ['FAILED', 'failed'],
  ['PENDING', 'pending'],
]);

/** MTN's callback for a final transfer: the body of a status answer, without a signature. */
export function readMtnCallback(
  { method, body }: RawCallback,
  sent: Readonly<{ currency: string | null }>,
): CallbackReading {
  if (!METHODS.includes(method.toUpperCase())) {
    return { kind: 'unreadable', cause: 'neither PUT nor POST' };
  }
  const json = readExactJson(body.toString('utf8'));
  if (json === undefined) return { kind: 'unreadable', cause: 'not JSON' };
  const externalId = referenceAt(json, 'externalId');
  const referenceId = referenceAt(json, 'referenceId');
  const operatorReference = externalId ?? referenceId;
  if (operatorReference === undefined) {
    return { kind: 'unreadable', cause: 'no reference of ours in externalId or referenceId' };
  }
  if (referenceId !== undefined && referenceId !== operatorReference) {
    return { kind: 'unreadable', cause: 'externalId and referenceId differ' };
  }
  const claims = CLAIMS.get(textAt(json, 'status') ?? '') ?? 'unknown';
  return { kind: 'read', operatorReference, claims, verified: false, ...reportedBy(json, sent) };
}

/**
 * `currency` is the fixed one of the settings. It is sent for transfers in any currency, so it contradicts
 * nothing.
 */
function reportedBy(json: ExactJson, { currency }: Readonly<{ currency: string | null }>) {
  const reportedCurrency = textAt(json, 'currency') ?? null;
  const number = textAt(json, 'payee', 'partyId') ?? '';
  return reportedPayout({
    amountMinor: readAmountText(textAt(json, 'amount') ?? '') ?? null,
    currency: reportedCurrency === currency ? null : reportedCurrency,
    phone: /^[0-9]{5,15}$/.test(number) ? `+${number}` : null,
  });
}

function referenceAt(json: ExactJson, field: string): string | undefined {
  const reference = textAt(json, field)?.toLowerCase();
  return reference !== undefined && UUID.test(reference) ? reference : undefined;
}
