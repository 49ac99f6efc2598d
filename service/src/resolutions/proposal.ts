import type { ReportedField } from '../domain/outcome.ts';
import type { TransferState } from '../domain/transfer-state.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** What people can say of a transfer where the service cannot know. */
export type ResolutionDecision = 'paid' | 'not_paid' | 'reversed';

export type ProposalEnd = 'carried_out' | 'withdrawn' | 'expired' | 'superseded';

export type Proposal = Readonly<{
  bookId: string;
  id: string;
  transferId: string;
  decision: ResolutionDecision;
  receipt: string | null;
  evidence: string;
  /** The transfer's last event when it was made. */
  eventSeq: number;
  /** What its operator had contradicted by then; null: it was proposed before this was kept. */
  contradictions: readonly ReportedField[] | null;
  proposedBy: Readonly<{ id: string; name: string }>;
  proposedAt: Date;
  expiresAt: Date;
  end: Readonly<{
    at: Date;
    as: ProposalEnd;
    by: string | null;
    secondEvidence: string | null;
  }> | null;
}>;

/** The one state in which each can be said, and the one that it leads to. */
export const RESOLUTION_DECISIONS: Readonly<
  Record<ResolutionDecision, Readonly<{ from: TransferState; to: TransferState; words: string }>>
> = {
  paid: { from: 'in_doubt', to: 'succeeded', words: 'it was paid' },
  not_paid: { from: 'in_doubt', to: 'failed', words: 'it was not paid' },
  reversed: { from: 'succeeded', to: 'reversed', words: 'the operator returned the money' },
};

/** Two decisions are the same when they say the same and name the same receipt. */
export function describeResolution(
  said: Readonly<{ decision: ResolutionDecision; receipt: string | null }>,
): string {
  const { words } = RESOLUTION_DECISIONS[said.decision];
  return said.receipt === null ? words : `${words}, receipt ${said.receipt}`;
}

/** The proposal that waits for a second person. It stays locked for the rest of the transaction. */
export async function lockOpenProposal(
  tx: Queryable,
  about: Readonly<{ bookId: string; transferId: string }>,
): Promise<Proposal | undefined> {
  const [row] = await tx.query<ProposalRow>(LOCK_OPEN, [about.bookId, about.transferId]);
  return row === undefined ? undefined : toProposal(row);
}

/** All that was ever proposed for a transfer, oldest first. */
export async function listProposals(
  database: Queryable,
  about: Readonly<{ bookId: string; transferId: string; max: number }>,
): Promise<readonly Proposal[]> {
  const values = [about.bookId, about.transferId, about.max];
  const rows = await database.query<ProposalRow>(LIST, values);
  return rows.map(toProposal);
}

export async function endProposal(
  tx: Queryable,
  ended: Readonly<{
    proposal: Proposal;
    as: ProposalEnd;
    by: string | null;
    at: Date;
    secondEvidence?: string;
  }>,
): Promise<void> {
  const { proposal, as, by, at, secondEvidence } = ended;
  const values = [proposal.bookId, proposal.id, at, as, by, secondEvidence ?? null];
  const rows = await tx.query(END, values);
  if (rows.length !== 1) throw new Error('a locked proposal ended by itself');
}

type ProposalRow = {
  book_id: string;
  id: string;
  transfer_id: string;
  decision: ResolutionDecision;
  receipt: string | null;
  evidence: string;
  event_seq: number;
  contradictions: ReportedField[] | null;
  proposed_by: string;
  proposer: string;
  proposed_at: Date;
  expires_at: Date;
  ended_at: Date | null;
  ended_as: ProposalEnd | null;
  ender: string | null;
  second_evidence: string | null;
};

function toProposal(row: ProposalRow): Proposal {
  const { ended_at: at, ended_as: as, ender: by, second_evidence: secondEvidence } = row;
  return {
    bookId: row.book_id,
    id: row.id,
    transferId: row.transfer_id,
    decision: row.decision,
    receipt: row.receipt,
    evidence: row.evidence,
    eventSeq: row.event_seq,
    contradictions: row.contradictions,
    proposedBy: { id: row.proposed_by, name: row.proposer },
    proposedAt: row.proposed_at,
    expiresAt: row.expires_at,
    end: at === null || as === null ? null : { at, as, by, secondEvidence },
  };
}

const SELECT = `
  select p.book_id, p.id, p.transfer_id, p.decision, p.receipt, p.evidence, p.event_seq,
         p.contradictions, p.proposed_by, a.name as proposer, p.proposed_at, p.expires_at, p.ended_at, p.ended_as,
         e.name as ender, p.second_evidence
  from proposals p
  join people a on a.id = p.proposed_by
  left join people e on e.id = p.ended_by`;

const LOCK_OPEN: Statement = {
  name: '',
  text: `
    ${SELECT}
    where p.book_id = $1 and p.transfer_id = $2 and p.ended_at is null
    for update of p`,
};

const LIST: Statement = {
  name: '',
  text: `
    ${SELECT}
    where p.book_id = $1 and p.transfer_id = $2
    order by p.proposed_at, p.id
    limit $3`,
};

const END: Statement = {
  name: '',
  text: `
    update proposals set ended_at = $3, ended_as = $4, ended_by = $5, second_evidence = $6
    where book_id = $1 and id = $2 and ended_at is null
    returning id`,
};
