import type { PersonActor } from '../domain/actor.ts';
import { refuse } from '../domain/refusal.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { ApprovalDecision, ApprovalSubject, Approver } from './approval.ts';
import { findObstacle, judgeApprovals, roleOfDecision } from './judge-approvals.ts';

export type DecisionRequest = Readonly<{
  actor: PersonActor;
  decision: ApprovalDecision;
  /** The hash of the content that the person was shown. */
  contentHash: string;
  reason: string | null;
}>;

/** `waiting`: more approvals are wanted, or a screener has not answered. */
export type DecisionOutcome = 'approved' | 'rejected' | 'waiting';

/**
 * Records what a person decides about a subject that waits, and says what follows of it. The caller moves the subject in
 * the same transaction. Before an approval the caller has locked the subject and, by `lockApprovers`, the roles: of two
 * people at once the second sees the first, and a person who is removed at the same time does not count.
 */
export async function recordDecision(
  tx: Queryable,
  {
    bookId,
    subject,
    approvers,
    request,
  }: Readonly<{
    bookId: string;
    subject: ApprovalSubject;
    approvers: readonly Approver[];
    request: DecisionRequest;
  }>,
): Promise<DecisionOutcome> {
  const { actor, decision, reason } = request;
  const { id: personId, name } = actor;
  const obstacle = findObstacle(subject, { approvers, personId, decision });
  if (obstacle !== undefined) throw obstacle;
  if (request.contentHash !== subject.contentHash) throw refuse('CONTENT_CHANGED');
  const role = roleOfDecision(subject, approvers, { personId, decision });
  const { kind, id, round, contentHash } = subject;
  const [stored] = await tx.query<{ decided_at: Date }>(INSERT, [
    bookId,
    kind,
    id,
    round,
    personId,
    name,
    decision,
    role,
    contentHash,
    reason,
  ]);
  // The same person twice at once: the first was waited for.
  if (stored === undefined) throw refuse('ALREADY_DECIDED');
  if (decision === 'reject') return 'rejected';
  const made = { person: { id: personId, name }, decision, role, reason, at: stored.decided_at };
  const decided = { ...subject, decisions: [...subject.decisions, made] };
  return judgeApprovals(decided, approvers).isEnough ? 'approved' : 'waiting';
}

// Dated by the database's clock, by which the claim of a late transfer judges whether a person has looked at it since.
const INSERT: Statement = {
  name: '',
  text: `
    insert into approvals (
      book_id, subject_kind, subject_id, round, person_id, person_name, decision, role, content_hash, reason, decided_at
    )
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now())
    on conflict do nothing
    returning decided_at`,
};
