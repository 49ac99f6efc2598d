import type { ActDeps } from '../acts/act.ts';
import { recordAct } from '../acts/record-act.ts';
import { actorCode, type PersonActor } from '../domain/actor.ts';
import { causeOf } from '../domain/cause.ts';
import type { NextStep } from '../domain/standing.ts';
import type { Transfer } from '../domain/transfer.ts';
import type { Queryable } from '../postgres/database.ts';
import { moveTransfers } from '../transfers/move/move-transfers.ts';
import type { FoundTransfer } from '../transfers/read/find-any-transfer.ts';
import { endProposal, type Proposal, RESOLUTION_DECISIONS } from './proposal.ts';

/**
 * Carries out what one person proposed and another now says too: the transfer's move with its postings
 * and its event, the end of the proposal and the note of the act, all or none. False when the transfer
 * is no longer in the state that both of them spoke of; then nothing is moved.
 */
export async function confirmResolution(
  tx: Queryable,
  deps: ActDeps,
  confirmed: Readonly<{
    found: FoundTransfer;
    proposal: Proposal;
    actor: PersonActor;
    evidence: string;
  }>,
): Promise<boolean> {
  const { found, proposal, actor, evidence } = confirmed;
  const at = deps.now();
  const move = {
    transfer: found.transfer,
    step: stepOf(found.transfer, proposal),
    actor: actorCode(actor),
    // Two persons with evidence need no lease: a process that inquires at the same time will find the
    // transfer decided, and an answer that says otherwise becomes an incident.
    needsLease: false,
    leaseFor: null,
  };
  const [moved] = await moveTransfers(tx, { moves: [move], mover: deps.newId(), at });
  if (moved !== true) return false;
  const by = actor.id;
  await endProposal(tx, { proposal, as: 'carried_out', by, at, secondEvidence: evidence });
  const { decision, receipt } = proposal;
  await recordAct(tx, deps, {
    actor,
    kind: 'RESOLUTION_CONFIRMED',
    subject: found.transfer.id,
    merchantId: found.merchantId,
    bookId: found.transfer.bookId,
    reason: evidence,
    before: {
      state: found.transfer.state,
      decision,
      receipt,
      proposedBy: proposal.proposedBy.name,
    },
    after: { state: RESOLUTION_DECISIONS[decision].to, decision, receipt },
  });
  return true;
}

function stepOf(transfer: Transfer, proposal: Proposal): NextStep {
  const { decision, receipt, evidence } = proposal;
  return {
    to: RESOLUTION_DECISIONS[decision].to,
    cause: causeOf('DECIDED_BY_TWO_PEOPLE', evidence),
    failure: decision === 'not_paid' ? 'OPERATOR_REJECTED' : null,
    operatorTransactionId: receipt,
    nextActionInMs: null,
    checks: transfer.checks,
    notFoundAnswers: transfer.notFoundAnswers,
    needsPerson: false,
  };
}
