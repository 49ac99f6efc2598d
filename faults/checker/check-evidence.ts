import type { AttackRecord } from '../journal/exchange-record.ts';
import type { AttemptRow, EventRow, Snapshot, TransferRow } from './snapshot.ts';
import { type Found, report } from './violation.ts';

/** How many answers of "not found" are needed before they count. */
const NOT_FOUND_MIN = 3;
const SERVER_ERROR = 500;

/**
 * I18: every step of a live transfer is backed by a recorded answer of its operator. A callback is one only if it was
 * taken as an answer and is signed, so a forged one changes nothing.
 */
export function checkEvidence(
  snapshot: Snapshot,
  attacks: readonly AttackRecord[],
  found: Found,
): void {
  const live = new Set(snapshot.books.filter(({ mode }) => mode === 'live').map(({ id }) => id));
  const attempts = Map.groupBy(snapshot.attempts, ({ transferId }) => transferId);
  const events = Map.groupBy(snapshot.events, ({ transferId }) => transferId);
  for (const transfer of snapshot.transfers) {
    if (!live.has(transfer.bookId)) continue;
    const outcomes = (attempts.get(transfer.id) ?? [])
      .filter(({ isSigned }) => isSigned !== false)
      .map(({ outcome }) => outcome);
    for (const event of events.get(transfer.id) ?? []) {
      checkStep({ transfer, event, outcomes }, found);
    }
    checkReferences(transfer, attempts.get(transfer.id) ?? [], found);
  }
  for (const attack of attacks) {
    if (attack.kind.startsWith('rude') && attack.status !== null && attack.status < 400) {
      report(found, 'I18', {}, `a malformed request was accepted: ${attack.kind}`, { attack });
    }
    if (attack.kind.includes('wrong token') && attack.status === 200) {
      report(found, 'I18', {}, 'a callback without the right token was accepted', { attack });
    }
    if (attack.status === SERVER_ERROR) {
      report(found, 'I18', {}, `an attack got an internal error: ${attack.kind}`, { attack });
    }
  }
}

type Step = Readonly<{ transfer: TransferRow; event: EventRow; outcomes: readonly string[] }>;

function checkStep({ transfer, event, outcomes }: Step, found: Found): void {
  if (isBacked(event, outcomes)) return;
  const says = `it became ${event.toState} without a recorded answer of its operator that supports it`;
  report(found, 'I18', transfer, says, { event, outcomes });
}

function isBacked({ toState, cause }: EventRow, outcomes: readonly string[]): boolean {
  switch (toState) {
    case 'succeeded':
      return outcomes.includes('paid') || outcomes.includes('returned');
    case 'failed':
      return (
        outcomes.includes('rejected') ||
        outcomes.filter((outcome) => outcome === 'notFound').length >= NOT_FOUND_MIN
      );
    case 'submitted':
      // A success without amount and number proves only that the operator has the payout.
      return outcomes.includes('pending') || outcomes.includes('paid');
    case 'reversed':
      return outcomes.includes('returned');
    default:
      return cause !== '';
  }
}

/** All submissions and inquiries of a transfer use one operator reference. */
function checkReferences(
  transfer: TransferRow,
  attempts: readonly AttemptRow[],
  found: Found,
): void {
  const references = new Set(attempts.map(({ operatorReference }) => operatorReference));
  references.add(transfer.operatorReference);
  if (references.size > 1) {
    const evidence = { references: [...references] };
    report(found, 'I5', transfer, 'it was sent under more than one reference', evidence);
  }
}
