import { actorCode } from '../../domain/actor.ts';
import { stepWithoutSlot } from '../../domain/after-not-found.ts';
import { type DoubtKind, kindOfDoubt } from '../../domain/doubt-kind.ts';
import type { IncidentKind } from '../../domain/incident.ts';
import {
  type Contradiction,
  findContradiction,
  nextStep,
  stepWithoutInquiry,
} from '../../domain/next-step.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { historyOf, type NextStep, type Standing } from '../../domain/standing.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { mayMove, statusOf, type TransferState } from '../../domain/transfer-state.ts';
import type { ConnectorReply } from '../../operators/contract/connector.ts';
import type { Route } from '../../operators/routes/route.ts';
import type { CommitQueue } from '../../postgres/commit-queue.ts';
import type { Database } from '../../postgres/database.ts';
import { mayEarlierBePaid } from '../read/find-may-be-paid.ts';
import { findTransfer } from '../read/find-transfer.ts';
import { DUPLICATE, judgeDuplicate } from './judge-duplicate.ts';
import type { OperatorExchange } from './keep-attempts.ts';
import { keepContradictions } from './keep-contradictions.ts';
import { LEASE_MS } from './lease.ts';
import type { Move } from './move-transfers.ts';
import { openIncident } from './open-incident.ts';

export type RecordOutcomeDeps = Readonly<{
  database: Database;
  moves: CommitQueue<Move, boolean>;
  now: () => Date;
  newId: () => string;
}>;

export type Recorded =
  | Readonly<{
      kind: 'recorded';
      to: TransferState;
      cause: string;
      /** Why it is in doubt now; null: it is not. */
      doubt: DoubtKind | null;
      needsPerson: boolean;
    }>
  /** The same order must be resubmitted now by this process, which kept the lease for it. */
  | Readonly<{ kind: 'resubmits'; transfer: Transfer }>
  /**
   * Another process took the transfer over and has newer knowledge; nothing was lost. If the operator paid otherwise
   * than was sent, that is kept with the transfer.
   */
  | Readonly<{ kind: 'superseded' }>
  /** The answer contradicts the recorded end: a person must be informed. */
  | Readonly<{ kind: 'contradicted'; recorded: TransferState; incident: Contradiction }>;

export type AnswerToRecord = Readonly<{
  transfer: Transfer;
  route: Route;
  purpose: OperatorExchange['purpose'];
  reply: ConnectorReply;
  /** The account of the route when the request was sent. */
  account: string | null;
  /** The id under which the exchange is kept, once, however often it is recorded. */
  attemptId: string;
  /** The ids of the earlier exchanges, one for each. */
  earlierIds?: readonly string[];
  /** The next route for a transfer that was not sent, when it is not the same one. */
  nextRoute?: string;
  /** Takes a slot of the route's limiter for a resubmission. Left out: no resubmission is made. */
  takeSlot?: () => boolean;
}>;

const ACTOR = actorCode({ kind: 'system', part: 'dispatcher' });
/** How often a final answer is tried against a transfer that other processes keep moving. */
const TRIES_MAX = 5;

/** What an operator says about the end of a payout. It must not be lost when the lease has ended. */
const FINAL_ANSWERS: readonly Outcome['kind'][] = ['paid', 'mismatched', 'rejected', 'returned'];

/** Records what an operator's answer means for a transfer whose lease this process holds. */
export async function recordOutcome(
  deps: RecordOutcomeDeps,
  answer: AnswerToRecord,
): Promise<Recorded> {
  const outcome = await weigh(deps, answer);
  const isFinalAnswer = FINAL_ANSWERS.includes(outcome.kind) && !isRefusedAgain(answer, outcome);
  const attempt = describeAttempt(answer);
  let { transfer } = answer;
  let notFoundMay: NotFoundMay = 'resubmit';
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const standing = standingOf({ ...answer, transfer }, notFoundMay);
    const wanted = nextStep(standing, outcome);
    // This transfer pays an earlier payout again, and since it was sent, that one may have been paid after all. So it is
    // not resubmitted, or both could be paid. It stays in doubt, or fails where "not found" is final.
    if (wanted.resubmission !== undefined && (await mayEarlierBePaid(deps.database, transfer))) {
      notFoundMay = 'end';
      continue;
    }
    const step = withSlot(answer, standing, wanted);
    const isEnd = statusOf(step.to) !== 'pending' && step.to !== transfer.state;
    const contradiction = findContradiction(transfer.state, outcome);
    const doubt = step.to === 'in_doubt' ? findDoubt({ ...answer, transfer }, outcome) : null;
    // What does not end the transfer would take the lease from another process.
    const evidence = { step, doubt, needsLease: !(isFinalAnswer && isEnd) };
    const move = { transfer, ...evidence, attempt, route: answer.nextRoute };
    // First, so that the transfer stays due until the incident is open: after the move nothing inquires again.
    const incident = contradiction ?? findUnclearEnd(transfer, step);
    if (incident !== null) await open(deps, transfer, incident);
    const recorded = await record(deps, move);
    if (contradiction !== null) {
      return { kind: 'contradicted', recorded: transfer.state, incident: contradiction };
    }
    if (recorded !== undefined) return recorded;
    if (step.notFoundProof !== undefined) {
      // The earlier answers lapsed meanwhile, or this one came too soon after them: it is only recorded.
      notFoundMay = step.resubmission === undefined ? 'be recorded' : 'end';
      continue;
    }
    if (!isFinalAnswer) return { kind: 'superseded' };
    const current = await findChanged(deps, { answer, outcome, transfer, step });
    if (current === undefined) return { kind: 'superseded' };
    transfer = current;
  }
  if (outcome.kind !== 'mismatched') return { kind: 'superseded' };
  // The caller tries again. The next inquiry may say "paid" without an amount.
  throw new Error('the transfer keeps changing: what contradicts it could not be kept');
}

/** A refused resubmission says nothing about the first submission, which may have been paid. */
function isRefusedAgain({ purpose }: AnswerToRecord, { kind }: Outcome): boolean {
  return purpose === 'resubmit' && kind === 'rejected';
}

/**
 * The transfer as it is now, when a final answer could not be recorded because another process or two people changed
 * it. Undefined: the answer changes nothing, or the next inquiry gets it again.
 */
async function findChanged(
  deps: RecordOutcomeDeps,
  seen: Readonly<{ answer: AnswerToRecord; outcome: Outcome; transfer: Transfer; step: NextStep }>,
): Promise<Transfer | undefined> {
  const { answer, outcome, transfer, step } = seen;
  const current = await findTransfer(deps.database, transfer);
  if (current === undefined) return undefined;
  // A refusal says nothing about another route by which it was sent since, or about a resubmission.
  const wasSentSince =
    current.route !== answer.route.name || current.resubmissions !== transfer.resubmissions;
  if (outcome.kind === 'rejected' && wasSentSince) return undefined;
  if (findContradiction(current.state, outcome) !== null) return current;
  // A failure by a callback does not settle a contradiction that was recorded after it: the next inquiry does.
  const isDisputed = answer.purpose === 'callback' && current.contradictions.length > 0;
  if (outcome.kind === 'rejected' && isDisputed) return undefined;
  if (outcome.kind === 'mismatched' && statusOf(current.state) === 'pending') {
    const isKept = await keepContradictions(deps.database, current, outcome.contradicted);
    return isKept ? undefined : current;
  }
  const isReturn = outcome.kind === 'returned' && current.state === 'succeeded';
  const to = isReturn ? 'reversed' : step.to;
  return statusOf(to) !== 'pending' && mayMove(current.state, to) ? current : undefined;
}

/**
 * What an answer of "not found" may lead to. If the statement refuses a resubmission because the row has changed since
 * it was read, the answer may still end the transfer; otherwise it is only recorded.
 */
type NotFoundMay = 'resubmit' | 'end' | 'be recorded';

function withSlot({ route, takeSlot }: AnswerToRecord, standing: Standing, step: NextStep) {
  if (step.resubmission === undefined || takeSlot?.() === true) return step;
  return stepWithoutSlot(standing, { isClosed: route.limiter.isHeld() || route.limiter.isShut() });
}

/** What an answer means for the transfer. That of an inquiry also depends on the answer to the submission. */
async function weigh(deps: RecordOutcomeDeps, answer: AnswerToRecord): Promise<Outcome> {
  const { transfer, purpose } = answer;
  const outcome = meaningOf(answer);
  const isInquiry = purpose === 'inquire' || purpose === 'callback';
  if (!isInquiry || statusOf(transfer.state) !== 'pending') return outcome;
  return judgeDuplicate(deps.database, transfer, outcome);
}

/** Why the transfer is in doubt after this answer. */
function findDoubt(answer: AnswerToRecord, weighed: Outcome): DoubtKind {
  const { transfer, route, purpose, reply, account } = answer;
  return kindOfDoubt(
    { state: transfer.state, kind: transfer.doubtKind },
    {
      purpose: purpose === 'recall' || purpose === 'callback' ? 'inquire' : purpose,
      heard: reply.outcome,
      weighed,
      httpStatus: reply.wire?.httpStatus ?? null,
      accountChanged: isOtherAccount(transfer, account),
      inquires: route.connector.abilities.inquires,
    },
  );
}

function isOtherAccount({ routeAccount }: Transfer, account: string | null): boolean {
  return routeAccount !== null && routeAccount !== account;
}

/** An inquiry that was not sent says nothing about the payout, which may have been sent. */
function meaningOf({ purpose, reply, account, transfer }: AnswerToRecord): Outcome {
  const { outcome } = reply;
  const isNo = outcome.kind === 'notFound' || outcome.kind === 'rejected';
  if (isNo && isOtherAccount(transfer, account)) {
    return { kind: 'unknown', cause: 'its route has another account now than it was sent under' };
  }
  if (purpose !== 'inquire' || outcome.kind !== 'notSent') return outcome;
  return { kind: 'unanswered', cause: outcome.cause, retryInMs: null };
}

/** Records that a process that died may have sent a transfer, and that no inquiry is possible. */
export async function recordWithoutInquiry(
  deps: RecordOutcomeDeps,
  taken: Readonly<{ transfer: Transfer; route: Route }>,
): Promise<Recorded> {
  const inquiry = { ...taken, purpose: 'inquire', account: null } as const;
  const step = stepWithoutInquiry(standingOf(inquiry, 'be recorded'));
  const doubt = step.to === 'in_doubt' ? 'INQUIRY_IMPOSSIBLE' : null;
  const recorded = await record(deps, { transfer: taken.transfer, step, doubt, needsLease: true });
  return recorded ?? { kind: 'superseded' };
}

async function record(
  deps: RecordOutcomeDeps,
  move: Readonly<{
    transfer: Transfer;
    step: NextStep;
    doubt: DoubtKind | null;
    needsLease: boolean;
    attempt?: OperatorExchange | undefined;
    route?: string | undefined;
  }>,
): Promise<Recorded | undefined> {
  const { transfer, doubt, needsLease, attempt, route } = move;
  const again = move.step.resubmission !== undefined;
  const step = again ? { ...move.step, nextActionInMs: LEASE_MS } : move.step;
  const moved = await deps.moves.submit({
    transfer,
    step,
    needsLease,
    actor: ACTOR,
    leaseFor: null,
    ...(doubt === null ? {} : { doubtKind: doubt }),
    ...(attempt === undefined ? {} : { attempt }),
    ...(route === undefined ? {} : { route }),
  });
  const { to, cause, needsPerson, checks, notFoundAnswers } = step;
  if (moved && again) {
    const resubmissions = transfer.resubmissions + 1;
    const counted = { checks, notFoundAnswers, resubmissions, throttled: false };
    return { kind: 'resubmits', transfer: { ...transfer, ...counted } };
  }
  return moved ? { kind: 'recorded', to, cause, doubt, needsPerson } : undefined;
}

/** A transfer that has ended is in no list of work for people, so an unclear end is shown to them as an incident. */
function findUnclearEnd({ state }: Transfer, { needsPerson }: NextStep): IncidentKind | null {
  return needsPerson && statusOf(state) !== 'pending' ? 'unclear_after_end' : null;
}

async function open(
  deps: RecordOutcomeDeps,
  transfer: Transfer,
  kind: IncidentKind,
): Promise<void> {
  await openIncident(deps.database, { id: deps.newId(), transfer, kind, at: deps.now() });
}

function describeAttempt({
  route,
  purpose,
  reply,
  attemptId,
  earlierIds = [],
}: AnswerToRecord): OperatorExchange | undefined {
  if (reply.wire === null) return undefined;
  const { outcome, wire, earlier = [] } = reply;
  const isDuplicate = outcome.kind === 'unknown' && outcome.isDuplicate === true;
  const meaning = isDuplicate ? DUPLICATE : outcome.kind;
  const before = earlier.flatMap((each, index) => {
    const id = earlierIds[index];
    return id === undefined ? [] : [{ id, wire: each }];
  });
  return { id: attemptId, route: route.name, purpose, outcome: meaning, wire, earlier: before };
}

function standingOf(
  {
    transfer,
    route,
    account,
    purpose,
    takeSlot,
  }: Pick<AnswerToRecord, 'transfer' | 'route' | 'account' | 'purpose' | 'takeSlot'>,
  notFoundMay: NotFoundMay,
): Standing {
  const { abilities } = route.connector;
  const mayResubmit =
    notFoundMay === 'resubmit' &&
    takeSlot !== undefined &&
    abilities.deduplicates &&
    transfer.routeAccount === account;
  return {
    ...historyOf(transfer),
    isResubmission: purpose === 'resubmit',
    inquires: abilities.inquires,
    notFoundIsFinal: notFoundMay !== 'be recorded' && abilities.notFoundIsFinal,
    referenceMemoryMs: mayResubmit ? abilities.referenceMemoryMs : 0,
    unconfirmedSuccessWaitMs: abilities.unconfirmedSuccessWaitMs,
    timeScale: route.timeScale,
  };
}
