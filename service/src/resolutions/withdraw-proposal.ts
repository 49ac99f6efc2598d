import { authenticateAdministrator } from '../administrators/authenticate-administrator.ts';
import { noteAct } from '../administrators/note-act.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import { findAnyTransfer } from '../transfers/read/find-any-transfer.ts';
import { describeDecision, endProposal, lockOpenProposal, type Proposal } from './proposal.ts';
import type { PeopleDeps } from './resolve-by-people.ts';

/** Takes a proposal back that nobody confirmed. Any administrator may, not only who made it. */
export async function withdrawProposal(
  deps: PeopleDeps,
  request: Readonly<{ id: string; key: string | undefined }>,
): Promise<Proposal> {
  return deps.database.transaction(async (tx) => {
    const administrator = await authenticateAdministrator(tx, request.key);
    const { transfer } = await findAnyTransfer(tx, request.id);
    const about = { bookId: transfer.bookId, transferId: transfer.id };
    const proposal = await lockOpenProposal(tx, about);
    if (proposal === undefined) {
      throw new AdminRefused(
        'Nothing is proposed for this transfer.',
        '"transfers show ID" tells what was proposed and what became of it.',
      );
    }
    const at = deps.now();
    await endProposal(tx, { proposal, as: 'withdrawn', by: administrator.id, at });
    await noteAct(tx, deps, {
      administrator,
      act: 'transfers withdraw',
      subject: transfer.id,
      detail: `${describeDecision(proposal)}, proposed by ${proposal.proposedBy.name}`,
    });
    return proposal;
  });
}
