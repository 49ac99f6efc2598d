import { type NextStep, nextStep, type Standing, stepWithoutInquiry } from '../domain/next-step.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { Transfer } from '../domain/transfer.ts';
import { mayMove, type TransferState } from '../domain/transfer-state.ts';
import type { Route } from '../operators/connector.ts';
import type { Database } from '../postgres/database.ts';
import type { GroupCommit } from '../postgres/group-commit.ts';
import { findTransfer } from './find-transfer.ts';
import type { Move } from './move-transfers.ts';

export type RecordDeps = Readonly<{
  database: Database;
  moves: GroupCommit<Move, boolean>;
  now: () => Date;
}>;

export type Recorded =
  | Readonly<{ kind: 'recorded'; to: TransferState; cause: string; needsPerson: boolean }>
  /** Another process took the transfer over and knows better; nothing was lost. */
  | Readonly<{ kind: 'superseded' }>
  /** The operator's final word contradicts what is recorded: a person must know. */
  | Readonly<{ kind: 'contradicted'; recorded: TransferState; answer: TransferState }>;

const ACTOR = 'dispatcher';
/** How often a final answer is held against a transfer that others keep moving. */
const TRIES_MAX = 5;

/** Records what an operator's answer means for a transfer whose lease this process holds. */
export async function recordOutcome(
  deps: RecordDeps,
  answer: Readonly<{ transfer: Transfer; route: Route; outcome: Outcome }>,
): Promise<Recorded> {
  const { outcome, route } = answer;
  const isEvidence = outcome.kind === 'paid' || outcome.kind === 'rejected';
  let { transfer } = answer;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const step = nextStep(standingOf(deps, transfer, route), outcome);
    const recorded = await record(deps, { transfer, step, needsLease: !isEvidence });
    if (recorded !== undefined) return recorded;
    if (!isEvidence) return { kind: 'superseded' };
    const current = await findTransfer(deps.database, { ...transfer, bookId: transfer.bookId });
    if (current === undefined || current.state === step.to) return { kind: 'superseded' };
    if (!mayMove(current.state, step.to)) {
      return { kind: 'contradicted', recorded: current.state, answer: step.to };
    }
    transfer = current;
  }
  return { kind: 'superseded' };
}

/** Records that a transfer may have been sent by a process that died, and cannot be asked for. */
export async function recordUnaskable(
  deps: RecordDeps,
  taken: Readonly<{ transfer: Transfer; route: Route }>,
): Promise<Recorded> {
  const step = stepWithoutInquiry(standingOf(deps, taken.transfer, taken.route));
  const recorded = await record(deps, { transfer: taken.transfer, step, needsLease: true });
  return recorded ?? { kind: 'superseded' };
}

async function record(
  deps: RecordDeps,
  move: Readonly<{ transfer: Transfer; step: NextStep; needsLease: boolean }>,
): Promise<Recorded | undefined> {
  const moved = await deps.moves.submit({ ...move, actor: ACTOR, leaseFor: null });
  const { to, cause, needsPerson } = move.step;
  return moved ? { kind: 'recorded', to, cause, needsPerson } : undefined;
}

function standingOf(deps: RecordDeps, transfer: Transfer, route: Route): Standing {
  return {
    state: transfer.state,
    checks: transfer.checks,
    notFoundAnswers: transfer.notFoundAnswers,
    ageMs: deps.now().getTime() - transfer.createdAt.getTime(),
    inquires: route.connector.abilities.inquires,
    notFoundIsFinal: route.connector.abilities.notFoundIsFinal,
    pace: route.pace,
  };
}
