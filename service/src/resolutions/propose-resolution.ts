import type { ActDeps } from '../acts/act.ts';
import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { FoundTransfer } from '../transfers/read/find-any-transfer.ts';
import type { Proposal, ResolutionDecision } from './proposal.ts';

/** Evidence ages: what was true of an operator's list yesterday must be looked up again. */
const PROPOSAL_LIFE_MS = 24 * 3_600_000;

/** What an administrator says of a transfer, and why. */
export type Resolution = Readonly<{
  decision: ResolutionDecision;
  /** Null unless it was paid. */
  receipt: string | null;
  evidence: string;
}>;

/** Stores what one person says. Undefined when another person has proposed something meanwhile. */
export async function proposeResolution(
  tx: Queryable,
  deps: ActDeps,
  proposed: Readonly<{
    found: FoundTransfer;
    actor: PersonActor;
    resolution: Resolution;
  }>,
): Promise<Proposal | undefined> {
  const { found, actor, resolution } = proposed;
  const at = deps.now();
  const proposal: Proposal = {
    bookId: found.transfer.bookId,
    id: deps.newId(),
    transferId: found.transfer.id,
    ...resolution,
    eventSeq: found.eventSeq,
    contradictions: found.transfer.contradictions,
    proposedBy: { id: actor.id, name: actor.name },
    proposedAt: at,
    expiresAt: new Date(at.getTime() + PROPOSAL_LIFE_MS),
    end: null,
  };
  if (!(await insert(tx, proposal))) return undefined;
  const { state, id: subject } = found.transfer;
  const { decision, receipt } = resolution;
  await recordAct(tx, deps, {
    actor,
    kind: 'RESOLUTION_PROPOSED',
    subject,
    merchantId: found.merchantId,
    bookId: found.transfer.bookId,
    reason: resolution.evidence,
    before: { state },
    after: { state, decision, receipt },
  });
  return proposal;
}

async function insert(tx: Queryable, proposal: Proposal): Promise<boolean> {
  const rows = await tx.query(INSERT, [
    proposal.bookId,
    proposal.id,
    proposal.transferId,
    proposal.decision,
    proposal.receipt,
    proposal.evidence,
    proposal.eventSeq,
    proposal.proposedBy.id,
    proposal.proposedAt,
    proposal.expiresAt,
    proposal.contradictions,
  ]);
  return rows.length === 1;
}

const INSERT: Statement = {
  name: '',
  text: `
    insert into proposals (
      book_id, id, transfer_id, decision, receipt, evidence, event_seq, proposed_by, proposed_at,
      expires_at, contradictions
    )
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
    on conflict (book_id, transfer_id) where ended_at is null do nothing
    returning id`,
};
