import type { AttackRecord } from '../journal/exchange-record.ts';
import type { AttemptRow, EventRow, Snapshot, TransferRow } from './snapshot.ts';
import { type Found, report } from './violation.ts';

/** How often an operator must have said that it does not know a payout before that counts. */
const NOT_FOUND_MIN = 3;
const SERVER_ERROR = 500;

/**
 * I18: every step of a live transfer has an answer of its operator behind it, recorded, and no callback
 * alone: whoever forges one changes nothing.
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
    const outcomes = (attempts.get(transfer.id) ?? []).map(({ outcome }) => outcome);
    for (const event of events.get(transfer.id) ?? []) {
      checkStep({ transfer, event, outcomes }, found);
    }
    checkReferences(transfer, attempts.get(transfer.id) ?? [], found);
  }
  for (const attack of attacks) {
    if (attack.kind.startsWith('rude') && attack.status !== null && attack.status < 400) {
      report(found, 'I18', {}, `a rude request was accepted: ${attack.kind}`, { attack });
    }
    if (attack.kind.includes('wrong token') && attack.status === 200) {
      report(found, 'I18', {}, 'a callback without the secret of its path was taken', { attack });
    }
    if (attack.status === SERVER_ERROR) {
      report(found, 'I18', {}, `an attack met an internal error: ${attack.kind}`, { attack });
    }
  }
}

type Step = Readonly<{ transfer: TransferRow; event: EventRow; outcomes: readonly string[] }>;

function checkStep({ transfer, event, outcomes }: Step, found: Found): void {
  if (isBacked(event, outcomes)) return;
  const says = `it became ${event.toState} without an answer of its operator that says so`;
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
      // A success that does not tell what was paid shows that the operator has it, and no more.
      return outcomes.includes('pending') || outcomes.includes('paid');
    case 'reversed':
      return outcomes.includes('returned');
    default:
      return cause !== '';
  }
}

/** A transfer has one reference, whatever it is asked or sent under. */
function checkReferences(
  transfer: TransferRow,
  attempts: readonly AttemptRow[],
  found: Found,
): void {
  const references = new Set(attempts.map(({ operatorReference }) => operatorReference));
  references.add(transfer.operatorReference);
  if (references.size > 1) {
    const evidence = { references: [...references] };
    report(found, 'I5', transfer, 'it went out under more than one reference', evidence);
  }
}
