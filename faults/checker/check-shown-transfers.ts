import { meaningOfBody, meaningOfRow, meaningOfShown, minorOf, sameMeaning } from './meaning.ts';
import type { Exchange } from './read-journals.ts';
import { memberOf, type Sighting, textOf } from './sightings.ts';
import type { Snapshot, TransferRow } from './snapshot.ts';
import { type Found, report, type Subject } from './violation.ts';

/** What an ended transfer may become: only a success can still be returned. */
const STAYS: Readonly<Record<string, readonly string[]>> = {
  succeeded: ['succeeded', 'reversed'],
  failed: ['failed'],
  cancelled: ['cancelled'],
  reversed: ['reversed'],
};

/**
 * I10, and parts of I11, I14 and I19: whatever a merchant was shown is in the database, as it was
 * shown, and one reference or one key never shows two transfers.
 */
export function checkSightings(
  snapshot: Snapshot,
  sightings: readonly Sighting[],
  found: Found,
): void {
  const rows = new Map(snapshot.transfers.map((row) => [row.id, row]));
  const modes = new Map(snapshot.books.map(({ id, mode }) => [id, mode]));
  for (const sighting of sightings) {
    const row = rows.get(textOf(sighting.transfer['id']) ?? '');
    if (row === undefined) {
      const says = `${sighting.how} in an answer, and not in the database`;
      report(found, 'I10', subjectOf(sighting), says, evidenceOf(sighting));
      continue;
    }
    checkAgainstRow({ sighting, row, mode: modes.get(row.bookId) ?? '' }, found);
    checkAgainstRequest(sighting, found);
  }
  checkOneId(sightings, found);
}

function subjectOf({ transfer }: Sighting): Subject {
  return { id: textOf(transfer['id']), reference: textOf(transfer['reference']) };
}

function evidenceOf({ exchange, transfer }: Sighting) {
  return { journal: exchange.place, shown: transfer };
}

function checkAgainstRow(
  seen: Readonly<{ sighting: Sighting; row: TransferRow; mode: string }>,
  found: Found,
): void {
  const { sighting, row, mode } = seen;
  const { transfer, how } = sighting;
  const evidence = { ...evidenceOf(sighting), stored: row };
  const fixed =
    sameMeaning(meaningOfShown(transfer), meaningOfRow(row)) &&
    minorOf(transfer['fee']) === row.feeMinor &&
    transfer['currency'] === row.currency &&
    transfer['mode'] === mode &&
    transfer['createdAt'] === row.createdAt;
  if (!fixed) report(found, 'I10', row, 'stored otherwise than it was shown', evidence);
  const state = textOf(transfer['state']) ?? '';
  if (STAYS[state]?.includes(row.state) === false) {
    report(found, 'I14', row, `shown as ${state}, and now ${row.state}`, evidence);
  }
  if (how === 'cancelled' && row.state !== 'cancelled') {
    report(found, 'I10', row, 'an acknowledged cancellation is gone', evidence);
  }
  const visible = textOf(transfer['nextCheckAt']) !== null || row.flaggedAt !== null;
  if (how === 'listed' && state === 'in_doubt' && !visible) {
    report(found, 'I13', row, 'in doubt, and nobody is told when it is asked about', evidence);
  }
}

/** What was accepted is what was asked for; what is called the same payload is the same. */
function checkAgainstRequest(sighting: Sighting, found: Found): void {
  const { exchange, how, transfer } = sighting;
  if (how !== 'accepted' && how !== 'duplicate') return;
  const wanted = meaningOfBody(exchange.asked.body);
  const same = wanted !== undefined && sameMeaning(wanted, meaningOfShown(transfer));
  const evidence = { ...evidenceOf(sighting), asked: exchange.asked.body };
  if (how === 'accepted' && !same) {
    report(found, 'I10', subjectOf(sighting), 'accepted something else than asked for', evidence);
  }
  const claim = memberOf(memberOf(exchange.answered?.body, 'data'), 'samePayload');
  if (how === 'duplicate' && claim !== same) {
    report(found, 'I19', subjectOf(sighting), 'samePayload does not say how it is', evidence);
  }
}

function checkOneId(sightings: readonly Sighting[], found: Found): void {
  const ids = (group: readonly Sighting[]) => [
    ...new Set(group.map(({ transfer }) => String(transfer['id']))),
  ];
  const slots = (group: readonly Sighting[]) => group.map(({ exchange }) => exchange.place);
  for (const [reference, group] of Map.groupBy(sightings, (seen) => seen.transfer['reference'])) {
    const subject = { reference: textOf(reference) };
    if (ids(group).length > 1) {
      const evidence = { ids: ids(group), journals: slots(group) };
      report(found, 'I11', subject, 'one reference, several transfers', evidence);
    }
    const fresh = group.filter((seen) => seen.how === 'accepted' && !isReplay(seen.exchange));
    if (fresh.length > 1) {
      const evidence = { journals: slots(fresh) };
      report(found, 'I5', subject, 'accepted as new more than once', evidence);
    }
  }
  const accepted = sightings.filter(({ how }) => how === 'accepted');
  for (const [key, group] of Map.groupBy(accepted, (seen) => seen.exchange.asked.idempotencyKey)) {
    if (key === null) continue;
    const evidence = { key, ids: ids(group), journals: slots(group) };
    if (ids(group).length > 1) {
      report(found, 'I19', {}, 'one Idempotency-Key, several transfers', evidence);
    }
    // The answer is the original one, whatever has become of the transfer meanwhile.
    if (new Set(group.map(({ transfer }) => JSON.stringify(transfer))).size > 1) {
      report(found, 'I19', {}, 'one Idempotency-Key, different answers', evidence);
    }
  }
}

function isReplay({ answered }: Exchange): boolean {
  return answered?.replayed === true;
}
