import { actorCode } from '../domain/actor.ts';
import { kindOfDoubt } from '../domain/doubt-kind.ts';
import { checksAfter } from '../domain/doubt-schedule.ts';
import { nextStep } from '../domain/next-step.ts';
import type { Outcome } from '../domain/outcome.ts';
import { historyOf, type NextStep, type Standing } from '../domain/standing.ts';
import type { Transfer } from '../domain/transfer.ts';
import type { OperatorExchange } from '../transfers/move/keep-attempts.ts';
import type { Move } from '../transfers/move/move-transfers.ts';
import type { PlannedAnswer } from './answers.ts';

const ACTOR = actorCode({ kind: 'system', part: 'dispatcher' });
const REFERENCE_CHARACTERS = 8;
/** How long the answer to an inquiry takes. */
const INQUIRY_MS = 180;

/** A transfer as it was at a time in the past, with what the database's clock cannot know of that time. */
export type StandingTransfer = Readonly<{
  transfer: Transfer;
  doubtfulSince: Date | null;
  pendingSince: Date | null;
}>;

type Judged = Readonly<{ move: Move; after: StandingTransfer }>;

/** What follows from an answer, by the same rules as for real ones. */
export function judgeDemoAnswer(
  before: StandingTransfer,
  answer: PlannedAnswer,
  { at, attemptId }: Readonly<{ at: Date; attemptId: string }>,
): Judged {
  const { transfer } = before;
  const outcome = withReceipt(answer.outcome, transfer);
  const step = nextStep(standingAt(before, at), outcome);
  const doubtKind =
    step.to === 'in_doubt'
      ? kindOfDoubt(
          { state: transfer.state, kind: transfer.doubtKind },
          {
            purpose: answer.purpose,
            heard: outcome,
            weighed: outcome,
            httpStatus: answer.httpStatus,
            accountChanged: false,
            inquires: true,
          },
        )
      : null;
  const move: Move = {
    transfer,
    step,
    actor: ACTOR,
    needsLease: false,
    leaseFor: null,
    attempt: describeAttempt(transfer, { answer, outcome, attemptId }),
    ...(doubtKind === null ? {} : { doubtKind }),
  };
  return { move, after: afterStep(before, step, { at, doubtKind }) };
}

function withReceipt(outcome: Outcome, { operatorReference }: Transfer): Outcome {
  if (outcome.kind !== 'paid') return outcome;
  const operatorTransactionId = `sandbox-${operatorReference.slice(-REFERENCE_CHARACTERS)}`;
  return { ...outcome, operatorTransactionId };
}

function standingAt(
  { transfer, doubtfulSince, pendingSince }: StandingTransfer,
  at: Date,
): Standing {
  const since = (from: Date | null): number => (from === null ? 0 : at.getTime() - from.getTime());
  const isDoubtful = transfer.state === 'in_doubt';
  return {
    ...historyOf(transfer),
    // Not every inquiry is lived through again, so the count follows from the age.
    checks: isDoubtful ? checksAfter(since(doubtfulSince), 1) : transfer.checks,
    sinceDoubtMs: since(doubtfulSince),
    sincePendingMs: since(pendingSince),
    wasPending: pendingSince !== null,
    isResubmission: false,
    inquires: true,
    notFoundIsFinal: true,
    unconfirmedSuccessWaitMs: null,
    referenceMemoryMs: 0,
    timeScale: 1,
  };
}

function describeAttempt(
  transfer: Transfer,
  {
    answer,
    outcome,
    attemptId: id,
  }: Readonly<{ answer: PlannedAnswer; outcome: Outcome; attemptId: string }>,
): OperatorExchange {
  const { purpose, httpStatus, afterMs } = answer;
  const place = `/sandbox/${transfer.operator}/${transfer.country}/payouts`;
  const request =
    purpose === 'submit' ? `POST ${place}` : `GET ${place}/${transfer.operatorReference}`;
  const { kind, ...facts } = outcome;
  const text = httpStatus === null ? '' : JSON.stringify({ status: kind, ...facts });
  const elapsedMs = purpose === 'submit' ? afterMs : INQUIRY_MS;
  const wire = { request, httpStatus, answer: text, elapsedMs };
  return { id, route: transfer.route, purpose, outcome: kind, wire };
}

function afterStep(
  before: StandingTransfer,
  step: NextStep,
  { at, doubtKind }: Readonly<{ at: Date; doubtKind: Transfer['doubtKind'] }>,
): StandingTransfer {
  const { transfer } = before;
  return {
    transfer: {
      ...transfer,
      state: step.to,
      eventSeq: transfer.eventSeq + (step.to === transfer.state ? 0 : 1),
      checks: step.checks,
      notFoundAnswers: step.notFoundAnswers,
      doubtKind,
    },
    doubtfulSince: before.doubtfulSince ?? (step.to === 'in_doubt' ? at : null),
    pendingSince: before.pendingSince ?? (step.to === 'submitted' ? at : null),
  };
}
