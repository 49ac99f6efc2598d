import { AdminRefused } from '../domain/admin-refused.ts';
import type { TransferState } from '../domain/transfer-state.ts';
import type { FoundTransfer } from '../transfers/read/find-any-transfer.ts';
import { DECISIONS, type Decision, describeDecision, type Proposal } from './proposal.ts';
import type { Resolution } from './propose-resolution.ts';

const SEE = '"transfers show ID" tells what happened.';

/** The transfer is not in the state that such a decision speaks of. */
export function refuseState({ transfer }: FoundTransfer, decision: Decision): never {
  throw new AdminRefused(
    `The transfer is ${transfer.state}, so people cannot decide that ${DECISIONS[decision].words}.`,
    decision === 'reversed' ? adviseReversal(transfer.state) : adviseResolution(transfer.state),
  );
}

function adviseResolution(state: TransferState): string {
  switch (state) {
    case 'succeeded':
      return `It is settled as paid. Money that came back is recorded with "transfers reverse"; ${SEE}`;
    case 'failed':
    case 'cancelled':
    case 'reversed':
      return `It has ended, and an end is never edited; ${SEE} What contradicts it is an incident: "incidents list".`;
    default:
      return `It is still under way by itself. People decide only what is in doubt; ${SEE}`;
  }
}

function adviseReversal(state: TransferState): string {
  return state === 'in_doubt'
    ? `Decide first whether it was paid, with "transfers resolve"; ${SEE}`
    : `Only what was paid can come back; ${SEE}`;
}

/** What is on the wire now may be paid a moment after the decision. */
export function refuseWhileSubmitted(): never {
  throw new AdminRefused(
    'The same order is being submitted again or asked about right now. Nothing was changed, and the proposal stays.',
    `Run the command again in half a minute. ${SEE}`,
  );
}

export function refuseOvertaken({ transfer }: FoundTransfer): never {
  throw new AdminRefused(
    `Something happened to the transfer after this was proposed: it is ${transfer.state} now. Nothing was changed, and the proposal has ended.`,
    `${SEE} If it is still to be decided, begin again with what is known now.`,
  );
}

export function refuseOwnProposal(proposal: Proposal): never {
  throw new AdminRefused(
    'You proposed this yourself. A decision needs two different administrators.',
    `Let another one look at the evidence and run the same command before ${proposal.expiresAt.toISOString()}. To change your mind: "transfers withdraw ID".`,
  );
}

export function refuseDisagreement(proposal: Proposal, resolution: Resolution): never {
  throw new AdminRefused(
    `${proposal.proposedBy.name} proposed that ${describeDecision(proposal)}; you say that ${describeDecision(resolution)}. Nothing was changed.`,
    'Two people who see different things need more evidence, not a decision. Talk to each other; one of you withdraws the proposal with "transfers withdraw ID".',
  );
}

/** Two who would both be the first: one is, and the other must see what was proposed. */
export function refuseTurn(): never {
  throw new AdminRefused(
    'Somebody else proposed something for this transfer at the same moment.',
    'Look at it with "transfers show ID", and run the command again if you say the same.',
  );
}
