import type { StatementFaults, StoredTransfer } from './database-model.ts';
import type { BookEntry, OperatorModel } from './operator-model.ts';
import type { ConnectorReply, Outcome, Payout } from './service-core.ts';
import { REPORTED_FIELDS } from './service-core.ts';

const INQUIRE_AGAIN_MS = 20 * 60_000;
const REFUSED: Outcome = { kind: 'rejected', failure: 'OPERATOR_REJECTED', cause: 'refused' };

export type Claimed = 'paid' | 'failed' | 'pending';

/** A callback as the service stores it. */
export type Callback = Readonly<{
  id: string;
  route: string;
  reference: string;
  claims: Claimed;
  /** Its signature holds: the operator sent it. */
  verified: boolean;
  amountMinor: bigint;
  /** What its connector reads in it. */
  body: Buffer;
}>;

/** What an operator writes in a callback about an ended payout. */
export function writeBody({ paidMinor, returnedAtMs }: BookEntry, claims: Claimed): Buffer {
  const mayReturn = returnedAtMs < Infinity;
  return Buffer.from(JSON.stringify({ claims, amount: String(paidMinor), mayReturn }));
}

/** Reads it as a connector reads the answer to an inquiry. */
export function readBody(
  body: Buffer,
  payout: Payout,
  { takesAnyAmount = false }: StatementFaults,
): Outcome {
  const { claims, amount, mayReturn } = JSON.parse(body.toString('utf8')) as {
    claims: Claimed;
    amount: string;
    mayReturn: boolean;
  };
  if (BigInt(amount) !== payout.amountMinor && !takesAnyAmount) {
    return { kind: 'mismatched', contradicted: ['amount'], cause: 'another amount was paid' };
  }
  if (claims === 'failed') return REFUSED;
  if (claims === 'pending') return { kind: 'pending', inquireInMs: INQUIRE_AGAIN_MS };
  const operatorTransactionId = `receipt-${payout.operatorReference}`;
  const paid = { kind: 'paid', operatorTransactionId, confirmed: REPORTED_FIELDS } as const;
  return mayReturn ? { ...paid, inquireAgainInMs: INQUIRE_AGAIN_MS } : paid;
}

const WIRE = { request: 'POST callback', httpStatus: null, answer: '', elapsedMs: 0 } as const;

export function replyOf(outcome: Outcome): ConnectorReply {
  return { outcome, wire: WIRE };
}

/** The condition of the service's statement for a callback that takes the place of an inquiry. */
export function isAnswer(
  { transfer, leaseOwner }: StoredTransfer,
  { route, claims, verified, amountMinor }: Omit<Callback, 'id' | 'body' | 'reference'>,
  faults: StatementFaults,
): boolean {
  const { contradictions, unconfirmedSuccesses, resubmissions } = transfer;
  const isUndisputed =
    contradictions.length === 0 && unconfirmedSuccesses === 0 && resubmissions === 0;
  return (
    (verified || faults.takesUnverified === true) &&
    (amountMinor === transfer.amountMinor || faults.takesAnyAmount === true) &&
    route === transfer.route &&
    (transfer.state === 'submitted' || transfer.state === 'in_doubt') &&
    leaseOwner === null &&
    (claims === 'paid' || (claims === 'failed' && isUndisputed))
  );
}

export function isFinal({ plan }: OperatorModel): boolean {
  return plan.abilities.signedCallbacksAreFinal;
}
