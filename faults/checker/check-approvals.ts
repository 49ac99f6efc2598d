import type { ApprovalRow, EventRow, Snapshot, TransferRow } from './snapshot.ts';
import { type Found, report } from './violation.ts';

const NEVER_SENT = [
  'APPROVAL_REJECTED',
  'APPROVAL_EXPIRED',
  'APPROVAL_RECALLED',
  'SCREENING_REFUSED',
];
const UNDER_WAY = ['submitting', 'submitted', 'in_doubt', 'succeeded', 'reversed'];

/** I30: a transfer is sent to its operator if and only if its approvals were given, and never if it was rejected. */
export function checkApprovalsGiven(snapshot: Snapshot, found: Found): void {
  const submitted = new Set(
    snapshot.attempts
      .filter(({ purpose }) => purpose === 'submit')
      .map(({ transferId }) => transferId),
  );
  const decisions = Map.groupBy(snapshot.approvals, ({ subjectId }) => subjectId);
  const events = Map.groupBy(snapshot.events, ({ transferId }) => transferId);
  const held = listHeld(snapshot);
  for (const transfer of snapshot.transfers) {
    const asked = askedOf(transfer) + (held.has(transfer.id) ? 1 : 0);
    checkTransfer(transfer, {
      isSent: submitted.has(transfer.id) || UNDER_WAY.includes(transfer.state),
      rounds: listRounds(asked, events.get(transfer.id) ?? []),
      decisions: decisions.get(transfer.id) ?? [],
      found,
    });
  }
}

/** The ids of those about which a screener did not say that they may leave: one more person is asked. */
export function listHeld({ screenings }: Snapshot): ReadonlySet<string> {
  return new Set(
    screenings.filter(({ decision }) => decision === 'hold').map(({ transferId }) => transferId),
  );
}

/** How many approvals the policy asked for. */
export function askedOf({ approvalsNeeded }: TransferRow): number {
  return (approvalsNeeded ?? []).reduce((sum, { count }) => sum + count, 0);
}

/** A time for which a transfer waits for people. */
type Round = Readonly<{ seq: number; needed: number }>;

/**
 * A transfer waits when it is ordered, and again when it is late or its number is denied: then for at least one person.
 */
function listRounds(asked: number, events: readonly EventRow[]): readonly Round[] {
  return events
    .filter(
      ({ toState, fromState }) =>
        toState === 'awaiting_approval' && fromState !== 'awaiting_approval',
    )
    .map(({ seq, fromState }) => ({
      seq,
      needed: fromState === null ? asked : Math.max(asked, 1),
    }));
}

type Evidence = Readonly<{
  isSent: boolean;
  rounds: readonly Round[];
  decisions: readonly ApprovalRow[];
  found: Found;
}>;

function checkTransfer(transfer: TransferRow, evidence: Evidence): void {
  const { isSent, rounds, decisions, found } = evidence;
  const complain = (says: string) => report(found, 'I30', transfer, says, { transfer, decisions });
  const isRejected = decisions.some(({ decision }) => decision === 'reject');
  const approvedIn = ({ seq }: Round) =>
    decisions.filter(({ round, decision }) => round === seq && decision === 'approve').length;
  const last = rounds.at(-1);
  if (transfer.state === 'awaiting_approval') {
    const isEnough = last !== undefined && last.needed > 0 && approvedIn(last) >= last.needed;
    if (isRejected || isEnough) complain('it is decided, and still waits');
  }
  if (!isSent) return;
  if (NEVER_SENT.includes(transfer.failureCode ?? ''))
    complain('it was sent, and then not approved');
  if (isRejected) complain('it was sent although rejected');
  for (const round of rounds) {
    const approved = approvedIn(round);
    if (approved < round.needed)
      complain(`it was sent with ${approved} of ${round.needed} approvals`);
  }
  if (rounds.length === 0 && askedOf(transfer) > 0) complain('it was sent without waiting');
}
