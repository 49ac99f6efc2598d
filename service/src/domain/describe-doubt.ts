import { DOUBT_RULES, type DoubtKind } from './doubt-kind.ts';
import { nextStep } from './next-step.ts';
import { historyOf, type NextStep, type Standing, type TransferHistory } from './standing.ts';
import type { Transfer } from './transfer.ts';

/** The rules of a route that decide whether the same order may be resubmitted. */
export type RouteRules = Readonly<{
  inquires: boolean;
  deduplicates: boolean;
  notFoundIsFinal: boolean;
  unconfirmedSuccessWaitMs: number | null;
  referenceMemoryMs: number;
  timeScale: number;
}>;

/** Why a transfer is in doubt, what happens next, and whether a person is needed at all. */
export type DoubtOutlook = Readonly<{
  kind: DoubtKind;
  says: string;
  next: Readonly<{ what: 'INQUIRY'; at: Date }> | Readonly<{ what: 'PERSON' }>;
  /**
   * The earliest time of a resubmission, if the operator keeps answering "not found". Null: none will follow by itself,
   * or this process does not know the route.
   */
  resubmissionAt: Date | null;
  needsPerson: boolean;
}>;

/** The part of a transfer that the outlook depends on. */
type InDoubt = TransferHistory & Pick<Transfer, 'nextActionAt'>;

type DoubtFacts = Readonly<{
  transfer: InDoubt;
  kind: DoubtKind;
  /** It is flagged for a person: the schedule has ended. */
  isFlagged: boolean;
  now: Date;
}>;

export function describeDoubt(facts: DoubtFacts, route: RouteRules | null): DoubtOutlook {
  const { transfer, kind, isFlagged } = facts;
  const { nextActionAt } = transfer;
  const { says, needsPerson } = DOUBT_RULES[kind];
  return {
    kind,
    says,
    next: nextActionAt === null ? { what: 'PERSON' } : { what: 'INQUIRY', at: nextActionAt },
    resubmissionAt: route === null ? null : findResubmission(facts, route),
    needsPerson: needsPerson || isFlagged || nextActionAt === null,
  };
}

/** Three answers are enough, and the schedule has about twenty inquiries in the first hours. */
const ANSWERS_LOOKED_AT_MAX = 20;

/** Simulates answers of "not found" on schedule, and finds the first that leads to a resubmission. */
function findResubmission({ transfer, now }: DoubtFacts, route: RouteRules): Date | null {
  if (transfer.nextActionAt === null) return null;
  let inMs = Math.max(0, transfer.nextActionAt.getTime() - now.getTime());
  let standing = standingOf(transfer, route);
  for (let answers = 0; answers < ANSWERS_LOOKED_AT_MAX; answers += 1) {
    const step = nextStep(later(standing, transfer, inMs), { kind: 'notFound' });
    if (step.resubmission !== undefined) return new Date(now.getTime() + inMs);
    if (step.to !== 'in_doubt' || step.nextActionInMs === null) return null;
    standing = afterAnswer(standing, step, inMs);
    inMs += step.nextActionInMs;
  }
  return null;
}

/** The same standing, `inMs` later. */
function later(standing: Standing, transfer: InDoubt, inMs: number): Standing {
  const { sinceSubmissionMs, sinceDoubtMs } = transfer;
  return {
    ...standing,
    doubtMs: standing.doubtMs + inMs,
    sinceDoubtMs: (sinceDoubtMs ?? 0) + inMs,
    sinceSubmissionMs: sinceSubmissionMs === null ? null : sinceSubmissionMs + inMs,
  };
}

/** The minimum age of the proof counts from the first answer. */
function afterAnswer(standing: Standing, step: NextStep, inMs: number): Standing {
  const { checks, notFoundAnswers } = step;
  const isFirst = notFoundAnswers === 1;
  return {
    ...standing,
    checks,
    notFoundAnswers,
    doubtMs: isFirst ? -inMs : standing.doubtMs,
    throttled: step.throttled === true,
  };
}

function standingOf(transfer: InDoubt, route: RouteRules): Standing {
  return {
    ...historyOf(transfer),
    isResubmission: false,
    inquires: route.inquires,
    notFoundIsFinal: route.notFoundIsFinal,
    unconfirmedSuccessWaitMs: route.unconfirmedSuccessWaitMs,
    referenceMemoryMs: route.deduplicates ? route.referenceMemoryMs : 0,
    timeScale: route.timeScale,
  };
}
