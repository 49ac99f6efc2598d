import type { ActDeps } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { type Proposers, readProposers } from '../acts/is-proposal-void.ts';
import type { PersonActor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { mayBeResubmitting } from '../transfers/move/may-be-resubmitting.ts';
import { type FoundTransfer, findAnyTransfer } from '../transfers/read/find-any-transfer.ts';
import { confirmResolution } from './confirm-resolution.ts';
import {
  endProposal,
  lockOpenProposal,
  type Proposal,
  type ProposalEnd,
  RESOLUTION_DECISIONS,
} from './proposal.ts';
import { proposeResolution, type Resolution } from './propose-resolution.ts';
import { readOperatorAnswers } from './read-operator-answers.ts';
import { refuseUnseen } from './read-seen.ts';
import { recordWithdrawal } from './record-withdrawal.ts';
import { whyStale } from './why-stale.ts';

export type PeopleDeps = ActDeps & Readonly<{ database: Database }>;

export type ResolveResult =
  /** Waits for a second administrator. `expired` is an earlier one that was not confirmed in time. */
  | Readonly<{ kind: 'proposed'; proposal: Proposal; expired: Proposal | null }>
  | Readonly<{ kind: 'carriedOut'; proposal: Proposal; confirmedBy: string }>;

type Refused = Readonly<{ kind: 'refused'; refusal: Error }>;
type ResolveRequest = Readonly<{
  actor: PersonActor;
  id: string;
  resolution: Resolution;
  /** What the person saw (`read-seen.ts`); left out: the caller does not say. */
  seen?: string | null;
}>;
/** Those whose proposals count by the directory. */
type Request = ResolveRequest & Readonly<{ proposers: Proposers }>;

/**
 * Takes one administrator's word on a transfer: the first one's is kept as a proposal, and the same
 * word of another one carries it out. Everything else is refused with what to do.
 */
export async function resolveByPeople(
  deps: PeopleDeps & Readonly<{ directory: Queryable }>,
  request: ResolveRequest,
): Promise<ResolveResult> {
  const proposers = await readProposers(deps.directory);
  // A refusal is thrown after the commit: a proposal that has ended stays ended.
  const result = await actAs(deps, request.actor, (tx) =>
    decide(tx, deps, { ...request, proposers }),
  );
  if (result.kind === 'refused') throw result.refusal;
  return result;
}

async function decide(
  tx: Queryable,
  deps: PeopleDeps,
  { actor, id, resolution, proposers, seen = null }: Request,
): Promise<ResolveResult | Refused> {
  const { transfer } = await findAnyTransfer(tx, id);
  const about = { bookId: transfer.bookId, transferId: transfer.id };
  const open = await lockOpenProposal(tx, about);
  // Once more, after the lock: another transaction that held it may have decided the transfer.
  const found = await findAnyTransfer(tx, transfer.id);
  const { state } = found.transfer;
  const now = deps.now();
  const answers = await readOperatorAnswers(tx, found.transfer);
  refuseUnseen(seen, { found, proposalId: open?.id ?? null, answers });
  const stale =
    open === undefined ? null : await whyStale(tx, { open, found, answers, now, proposers });
  if (open !== undefined && stale !== null) {
    await endStale(tx, deps, { found, open, as: stale, actor });
    // Who says the same may mean to confirm it. Who says what they saw has seen that it had ended.
    if (stale === 'superseded' && seen === null && isSame(open, resolution)) {
      return refused(new AdminRefused('DECISION_OVERTAKEN', { state }));
    }
  }
  if (state !== RESOLUTION_DECISIONS[resolution.decision].from) {
    const { decision } = resolution;
    return refused(new AdminRefused('DECISION_IMPOSSIBLE', { state, decision }));
  }
  if (open !== undefined && stale === null) {
    return confirm(tx, deps, { found, open, actor, resolution });
  }
  const proposal = await proposeResolution(tx, deps, { found, actor, resolution });
  if (proposal === undefined) return refused(new AdminRefused('PROPOSAL_RACED', {}));
  // Two others may have decided the transfer between the look at it and the insert, which then finds no
  // open proposal in its way. Thrown here, so that the proposal is rolled back.
  const after = await findAnyTransfer(tx, transfer.id);
  if (after.eventSeq !== found.eventSeq) {
    throw new AdminRefused('DECISION_OVERTAKEN', { state: after.transfer.state });
  }
  return { kind: 'proposed', proposal, expired: stale === 'expired' ? (open ?? null) : null };
}

/** A proposal that was not withdrawn when its proposer lost the role is withdrawn now, which is an act. */
async function endStale(
  tx: Queryable,
  deps: PeopleDeps,
  ended: Readonly<{
    found: FoundTransfer;
    open: Proposal;
    as: Exclude<ProposalEnd, 'carried_out'>;
    actor: PersonActor;
  }>,
): Promise<void> {
  const { found, open: proposal, as, actor } = ended;
  const isWithdrawn = as === 'withdrawn';
  await endProposal(tx, { proposal, as, by: isWithdrawn ? actor.id : null, at: deps.now() });
  if (isWithdrawn) await recordWithdrawal(tx, deps, { found, proposal, actor, reason: null });
}

async function confirm(
  tx: Queryable,
  deps: PeopleDeps,
  second: Readonly<{
    found: FoundTransfer;
    open: Proposal;
    actor: PersonActor;
    resolution: Resolution;
  }>,
): Promise<ResolveResult | Refused> {
  const { found, open: proposal, actor, resolution } = second;
  if (proposal.proposedBy.id === actor.id) {
    return refused(new AdminRefused('PROPOSAL_IS_OWN', { expiresAt: proposal.expiresAt }));
  }
  if (!isSame(proposal, resolution)) return refused(differ(proposal, resolution));
  // Looked at after the transfer was read: what is recorded after this look makes the move impossible.
  if (await mayBeResubmitting(tx, found.transfer)) {
    return refused(new AdminRefused('SUBMISSION_UNDER_WAY', {}));
  }
  const { evidence } = resolution;
  if (await confirmResolution(tx, deps, { found, proposal, actor, evidence })) {
    return { kind: 'carriedOut', proposal, confirmedBy: actor.name };
  }
  await endProposal(tx, { proposal, as: 'superseded', by: null, at: deps.now() });
  const { transfer } = await findAnyTransfer(tx, found.transfer.id);
  return refused(new AdminRefused('DECISION_OVERTAKEN', { state: transfer.state }));
}

function differ(proposal: Proposal, { decision, receipt }: Resolution): Error {
  return new AdminRefused('DECISION_DIFFERS', {
    proposedBy: proposal.proposedBy.name,
    proposed: { decision: proposal.decision, receipt: proposal.receipt },
    given: { decision, receipt },
  });
}

/** Two decisions are the same when they say the same and name the same receipt. */
function isSame(proposal: Proposal, { decision, receipt }: Resolution): boolean {
  return proposal.decision === decision && proposal.receipt === receipt;
}

function refused(refusal: Error): Refused {
  return { kind: 'refused', refusal };
}
