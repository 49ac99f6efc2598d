import type { ActDeps } from '../acts/act.ts';
import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
import type { Queryable } from '../postgres/database.ts';
import type { FoundTransfer } from '../transfers/read/find-any-transfer.ts';
import type { Proposal } from './proposal.ts';

/** Records who ended a proposal about a transfer before another person confirmed it. */
export function recordWithdrawal(
  tx: Queryable,
  deps: ActDeps,
  withdrawn: Readonly<{
    found: FoundTransfer;
    proposal: Proposal;
    actor: PersonActor;
    reason: string | null;
  }>,
): Promise<void> {
  const { found, proposal, actor, reason } = withdrawn;
  const { state, id: subject, bookId } = found.transfer;
  const { decision, receipt, proposedBy } = proposal;
  return recordAct(tx, deps, {
    actor,
    kind: 'RESOLUTION_WITHDRAWN',
    subject,
    merchantId: found.merchantId,
    bookId,
    reason,
    before: { state, decision, receipt, proposedBy: proposedBy.name },
    after: { state },
  });
}
