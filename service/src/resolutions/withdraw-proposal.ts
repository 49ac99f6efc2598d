import { actAs } from '../acts/act-as.ts';
import type { PersonActor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import { findAnyTransfer } from '../transfers/read/find-any-transfer.ts';
import { endProposal, lockOpenProposal, type Proposal } from './proposal.ts';
import { readOperatorAnswers } from './read-operator-answers.ts';
import { refuseUnseen } from './read-seen.ts';
import { recordWithdrawal } from './record-withdrawal.ts';
import type { PeopleDeps } from './resolve-by-people.ts';

/** Takes back a proposal that waits for a second person. Any administrator may, not only who made it. */
export async function withdrawProposal(
  deps: PeopleDeps,
  request: Readonly<{
    actor: PersonActor;
    id: string;
    /** Why; null or left out: the person does not say. */
    reason?: string | null;
    /** What the person saw (`read-seen.ts`); null or left out: the caller does not say. */
    seen?: string | null;
  }>,
): Promise<Proposal> {
  const { actor, reason = null, seen = null } = request;
  return actAs(deps, actor, async (tx) => {
    const found = await findAnyTransfer(tx, request.id);
    const { transfer } = found;
    const about = { bookId: transfer.bookId, transferId: transfer.id };
    const proposal = await lockOpenProposal(tx, about);
    const answers = await readOperatorAnswers(tx, transfer);
    refuseUnseen(seen, { found, proposalId: proposal?.id ?? null, answers });
    if (proposal === undefined) throw new AdminRefused('PROPOSAL_NOT_FOUND', {});
    await endProposal(tx, { proposal, as: 'withdrawn', by: actor.id, at: deps.now() });
    await recordWithdrawal(tx, deps, { found, proposal, actor, reason });
    return proposal;
  });
}
