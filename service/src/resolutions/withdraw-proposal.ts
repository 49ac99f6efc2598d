import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import { findAnyTransfer } from '../transfers/read/find-any-transfer.ts';
import { endProposal, lockOpenProposal, type Proposal } from './proposal.ts';
import type { PeopleDeps } from './resolve-by-people.ts';

/** Takes back a proposal that waits for a second person. Any administrator may, not only who made it. */
export async function withdrawProposal(
  deps: PeopleDeps,
  request: Readonly<{ actor: PersonActor; id: string }>,
): Promise<Proposal> {
  const { actor } = request;
  return actAs(deps, actor, async (tx) => {
    const { transfer, merchantId } = await findAnyTransfer(tx, request.id);
    const about = { bookId: transfer.bookId, transferId: transfer.id };
    const proposal = await lockOpenProposal(tx, about);
    if (proposal === undefined) throw new AdminRefused('PROPOSAL_NOT_FOUND', {});
    await endProposal(tx, { proposal, as: 'withdrawn', by: actor.id, at: deps.now() });
    const { state, id: subject } = transfer;
    const { decision, receipt, proposedBy } = proposal;
    await recordAct(tx, deps, {
      actor,
      kind: 'RESOLUTION_WITHDRAWN',
      subject,
      merchantId,
      bookId: transfer.bookId,
      reason: null,
      before: { state, decision, receipt, proposedBy: proposedBy.name },
      after: { state },
    });
    return proposal;
  });
}
