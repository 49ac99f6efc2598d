import {
  type Contradiction,
  findContradiction,
  type NextStep,
  nextStep,
  type Standing,
  stepWithoutInquiry,
} from '../domain/next-step.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { Transfer } from '../domain/transfer.ts';
import { mayMove, statusOf, type TransferState } from '../domain/transfer-state.ts';
import type { Reply, Route } from '../operators/connector.ts';
import type { Database } from '../postgres/database.ts';
import type { GroupCommit } from '../postgres/group-commit.ts';
import { findTransfer } from './find-transfer.ts';
import type { Attempt } from './keep-attempts.ts';
import type { Move } from './move-transfers.ts';
import { MISMATCH_AFTER_SUCCESS, openIncident } from './open-incident.ts';
import { DUPLICATE, weighDuplicate } from './weigh-duplicate.ts';

export type RecordDeps = Readonly<{
  database: Database;
  moves: GroupCommit<Move, boolean>;
  now: () => Date;
  newId: () => string;
}>;

export type Recorded =
  | Readonly<{ kind: 'recorded'; to: TransferState; cause: string; needsPerson: boolean }>
  /** Another process took the transfer over and knows better; nothing was lost. */
  | Readonly<{ kind: 'superseded' }>
  /** The operator's word contradicts the end that is recorded: a person must know. */
  | Readonly<{ kind: 'contradicted'; recorded: TransferState; incident: Contradiction }>;

export type OperatorAnswer = Readonly<{
  transfer: Transfer;
  route: Route;
  purpose: Attempt['purpose'];
  reply: Reply;
  /** The account of the route when the operator was asked. */
  account: string | null;
  /** The exchange is kept under this id, once however often it is recorded. */
  attemptId: string;
  /** Those of the exchanges before it, one for each. */
  earlierIds?: readonly string[];
  /** Where a transfer that was never sent goes next, when not by the same route. */
  nextRoute?: string;
}>;

const ACTOR = 'dispatcher';
/** How often a final answer is held against a transfer that others keep moving. */
const TRIES_MAX = 5;

/** Records what an operator's answer means for a transfer whose lease this process holds. */
export async function recordOutcome(deps: RecordDeps, answer: OperatorAnswer): Promise<Recorded> {
  const outcome = await weigh(deps, answer);
  const speaksOfEnd = outcome.kind === 'paid' || outcome.kind === 'rejected';
  const attempt = describeAttempt(answer);
  let { transfer } = answer;
  let mayProve = true;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const step = nextStep(standingOf(transfer, answer.route, mayProve), outcome);
    const isEvidence = speaksOfEnd && statusOf(step.to) !== 'pending';
    const contradiction = findContradiction(transfer.state, outcome);
    const move = { transfer, step, needsLease: !isEvidence, attempt, route: answer.nextRoute };
    const recorded = await record(deps, move);
    if (contradiction !== null) return contradicted(deps, transfer, contradiction);
    if (recorded !== undefined) return recorded;
    if (step.notFoundProof !== undefined) {
      // The answers before this one lapsed meanwhile, or it came too soon after them: it is noted only.
      mayProve = false;
      continue;
    }
    if (!isEvidence) return { kind: 'superseded' };
    const current = await findTransfer(deps.database, { ...transfer, bookId: transfer.bookId });
    if (current === undefined || current.state === step.to) return { kind: 'superseded' };
    // A refusal says nothing about another route, by which it went out since.
    if (outcome.kind === 'rejected' && current.route !== answer.route.name) {
      return { kind: 'superseded' };
    }
    if (!mayMove(current.state, step.to) && findContradiction(current.state, outcome) === null) {
      return { kind: 'superseded' };
    }
    transfer = current;
  }
  return { kind: 'superseded' };
}

/** What an answer means for the transfer; an inquiry's depends on how the submission was answered. */
async function weigh(deps: RecordDeps, answer: OperatorAnswer): Promise<Outcome> {
  const { transfer, purpose } = answer;
  const outcome = meaningOf(answer);
  if (purpose === 'submit' || statusOf(transfer.state) !== 'pending') return outcome;
  return weighDuplicate(deps.database, transfer, outcome);
}

/** That a question was not sent says nothing about the payout, which may well have been. */
function meaningOf({ purpose, reply, account, transfer }: OperatorAnswer): Outcome {
  const { outcome } = reply;
  const isNo = outcome.kind === 'notFound' || outcome.kind === 'rejected';
  if (isNo && transfer.routeAccount !== null && transfer.routeAccount !== account) {
    return { kind: 'unknown', cause: 'its route has another account now than it was sent under' };
  }
  if (purpose === 'submit' || outcome.kind !== 'notSent') return outcome;
  return { kind: 'unknown', cause: outcome.cause };
}

/** Records that a transfer may have been sent by a process that died, and cannot be asked for. */
export async function recordUnaskable(
  deps: RecordDeps,
  taken: Readonly<{ transfer: Transfer; route: Route }>,
): Promise<Recorded> {
  const step = stepWithoutInquiry(standingOf(taken.transfer, taken.route));
  const recorded = await record(deps, { transfer: taken.transfer, step, needsLease: true });
  return recorded ?? { kind: 'superseded' };
}

async function record(
  deps: RecordDeps,
  move: Readonly<{
    transfer: Transfer;
    step: NextStep;
    needsLease: boolean;
    attempt?: Attempt | undefined;
    route?: string | undefined;
  }>,
): Promise<Recorded | undefined> {
  const { transfer, step, needsLease, attempt, route } = move;
  const moved = await deps.moves.submit({
    transfer,
    step,
    needsLease,
    actor: ACTOR,
    leaseFor: null,
    ...(attempt === undefined ? {} : { attempt }),
    ...(route === undefined ? {} : { route }),
  });
  const { to, cause, needsPerson } = step;
  return moved ? { kind: 'recorded', to, cause, needsPerson } : undefined;
}

async function contradicted(
  deps: RecordDeps,
  transfer: Transfer,
  incident: Contradiction,
): Promise<Recorded> {
  await openIncident(deps.database, {
    id: deps.newId(),
    transfer,
    kind: incident,
    detail: CONTRADICTIONS[incident],
    at: deps.now(),
  });
  return { kind: 'contradicted', recorded: transfer.state, incident };
}

const CONTRADICTIONS: Readonly<Record<Contradiction, string>> = {
  mismatch_after_success: MISMATCH_AFTER_SUCCESS.detail,
  paid_after_failure: 'The operator says that it paid a transfer whose hold was already released.',
  refused_after_success:
    'The operator says that it did not pay a transfer that is settled as paid.',
};

function describeAttempt({
  route,
  purpose,
  reply,
  attemptId,
  earlierIds = [],
}: OperatorAnswer): Attempt | undefined {
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

function standingOf(transfer: Transfer, route: Route, mayProve = true): Standing {
  const { abilities } = route.connector;
  return {
    state: transfer.state,
    checks: transfer.checks,
    notFoundAnswers: transfer.notFoundAnswers,
    doubtMs: transfer.doubtMs ?? 0,
    sinceDoubtMs: transfer.sinceDoubtMs ?? 0,
    sincePendingMs: transfer.sincePendingMs ?? 0,
    unconfirmedSuccesses: transfer.unconfirmedSuccesses,
    contradictions: transfer.contradictions,
    inquires: abilities.inquires,
    notFoundIsFinal: mayProve && abilities.notFoundIsFinal,
    unconfirmedSuccessWaitMs: abilities.unconfirmedSuccessWaitMs,
    pace: route.pace,
  };
}
