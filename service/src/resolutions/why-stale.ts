import { isProposalVoid, PROPOSER_ROLES, type Proposers } from '../acts/is-proposal-void.ts';
import type { Queryable } from '../postgres/database.ts';
import type { FoundTransfer } from '../transfers/read/find-any-transfer.ts';
import type { Proposal, ProposalEnd, ResolutionDecision } from './proposal.ts';
import { type OperatorStatement, operatorAnswers } from './read-operator-answers.ts';

/** An answer is stored a moment after its time, and the clocks of processes differ. */
const STORED_LATE_MS = 5_000;
/** What an operator says, in an answer or a callback, that contradicts each decision. */
const AGAINST: Readonly<Record<ResolutionDecision, readonly string[]>> = {
  paid: ['rejected', 'failed', 'notFound', 'returned'],
  not_paid: ['paid', 'pending', 'mismatched', 'duplicate', 'returned'],
  reversed: ['paid'],
};

/** Why a proposal that has not ended can no longer be confirmed; null when it can. */
export async function whyStale(
  tx: Queryable,
  {
    open,
    found,
    answers,
    now,
    proposers,
  }: Readonly<{
    open: Proposal;
    found: FoundTransfer;
    answers: readonly OperatorStatement[];
    now: Date;
    /** Those whose proposals count by the directory. */
    proposers: Proposers;
  }>,
): Promise<Exclude<ProposalEnd, 'carried_out'> | null> {
  if (found.eventSeq !== open.eventSeq || isContradictedSince(open, found)) return 'superseded';
  if (isDeniedSince(open, found, answers)) return 'superseded';
  if (open.expiresAt <= now) return 'expired';
  return (await isProposalVoid(tx, open, proposers)) ? 'withdrawn' : null;
}

/** The operator has reported another payout than was sent since then, which is no event of the transfer. */
function isContradictedSince({ contradictions }: Proposal, { transfer }: FoundTransfer): boolean {
  if (contradictions === null) return false;
  return transfer.contradictions.some((subject) => !contradictions.includes(subject));
}

/**
 * The operator has said something new against it since then. It need not be an event: a callback only brings an inquiry
 * forward, and that one may go unanswered. What came before the transfer's last event was known.
 */
function isDeniedSince(
  { proposedAt, decision }: Proposal,
  { transfer: { inDoubtSince, completedAt } }: FoundTransfer,
  answers: readonly OperatorStatement[],
): boolean {
  const knownUntilMs = Math.max(
    proposedAt.getTime() - STORED_LATE_MS,
    (completedAt ?? inDoubtSince)?.getTime() ?? 0,
  );
  return answers.some(
    ({ at, says }) => at.getTime() > knownUntilMs && AGAINST[decision].includes(says),
  );
}

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ');

/** Whether proposal `p` still counts by the role of who made it, for lists: `isProposalVoid`, as the cell knows it. */
export const PROPOSER_COUNTS = `exists (
  select from staff_roles r
  where r.person_id = p.proposed_by and r.given_at <= p.proposed_at
    and r.role in (${quoted(PROPOSER_ROLES)})
)`;

/**
 * Whether proposal `p` about transfer `t`, which has neither ended nor expired, can still be confirmed: the same as
 * `whyStale`, for lists. Proposals are few, and the answers of a transfer are found by its key.
 */
export const CAN_BE_CONFIRMED = `(
  p.event_seq = t.event_seq
  and (p.contradictions is null or t.contradictions <@ p.contradictions)
  and ${PROPOSER_COUNTS}
  and not exists (
    select from (
      ${operatorAnswers({ bookId: 't.book_id', id: 't.id', operatorReference: 't.operator_reference' })}
    ) s
    where s.at > greatest(
        p.proposed_at - interval '${STORED_LATE_MS} ms', coalesce(t.completed_at, t.in_doubt_since)
      )
      and (${Object.entries(AGAINST)
        .map(([decision, words]) => `(p.decision = '${decision}' and s.says in (${quoted(words)}))`)
        .join(' or ')})
  )
)`;
