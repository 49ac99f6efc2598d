import { meaningOfBody, meaningOfRow, meaningOfShown, minorOf, sameMeaning } from './meaning.ts';
import type { Exchange } from './read-journals.ts';
import { memberOf, type ShownTransfer, textOf } from './shown-transfers.ts';
import type { Snapshot, TransferRow } from './snapshot.ts';
import { type Found, report, type Subject } from './violation.ts';

/** The states that may follow an end: only a success can still be reversed. */
const STAYS: Readonly<Record<string, readonly string[]>> = {
  succeeded: ['succeeded', 'reversed'],
  failed: ['failed'],
  cancelled: ['cancelled'],
  reversed: ['reversed'],
};

/**
 * I10, and parts of I11, I14 and I19: every transfer shown to a merchant is in the database with the same
 * values, and one reference or one key never shows two transfers.
 */
export function checkShownTransfers(
  snapshot: Snapshot,
  shownTransfers: readonly ShownTransfer[],
  found: Found,
): void {
  const rows = new Map(snapshot.transfers.map((row) => [row.id, row]));
  const modes = new Map(snapshot.books.map(({ id, mode }) => [id, mode]));
  for (const shownTransfer of shownTransfers) {
    const row = rows.get(textOf(shownTransfer.transfer['id']) ?? '');
    if (row === undefined) {
      const says = `${shownTransfer.how} in an answer, but not in the database`;
      report(found, 'I10', subjectOf(shownTransfer), says, evidenceOf(shownTransfer));
      continue;
    }
    checkAgainstRow({ shownTransfer, row, mode: modes.get(row.bookId) ?? '' }, found);
    checkAgainstRequest(shownTransfer, found);
  }
  checkOneId(shownTransfers, found);
}

function subjectOf({ transfer }: ShownTransfer): Subject {
  return { id: textOf(transfer['id']), reference: textOf(transfer['reference']) };
}

function evidenceOf({ exchange, transfer }: ShownTransfer) {
  return { journal: exchange.place, shown: transfer };
}

function checkAgainstRow(
  seen: Readonly<{ shownTransfer: ShownTransfer; row: TransferRow; mode: string }>,
  found: Found,
): void {
  const { shownTransfer, row, mode } = seen;
  const { transfer, how } = shownTransfer;
  const evidence = { ...evidenceOf(shownTransfer), stored: row };
  const fixed =
    sameMeaning(meaningOfShown(transfer), meaningOfRow(row)) &&
    minorOf(transfer['fee']) === row.feeMinor &&
    transfer['currency'] === row.currency &&
    transfer['mode'] === mode &&
    transfer['createdAt'] === row.createdAt;
  if (!fixed) report(found, 'I10', row, 'stored with other values than shown', evidence);
  const state = textOf(transfer['state']) ?? '';
  if (STAYS[state]?.includes(row.state) === false) {
    report(found, 'I14', row, `shown as ${state}, and now ${row.state}`, evidence);
  }
  if (how === 'cancelled' && row.state !== 'cancelled') {
    report(found, 'I10', row, 'an acknowledged cancellation was lost', evidence);
  }
  const visible = textOf(transfer['nextCheckAt']) !== null || row.flaggedAt !== null;
  if (how === 'listed' && state === 'in_doubt' && !visible) {
    report(found, 'I13', row, 'in doubt, without the times of the last and next check', evidence);
  }
}

/** An accepted transfer has the requested values, and `samePayload` is true exactly when they match. */
function checkAgainstRequest(shownTransfer: ShownTransfer, found: Found): void {
  const { exchange, how, transfer } = shownTransfer;
  if (how !== 'accepted' && how !== 'duplicate') return;
  const wanted = meaningOfBody(exchange.request.body);
  const same = wanted !== undefined && sameMeaning(wanted, meaningOfShown(transfer));
  const evidence = { ...evidenceOf(shownTransfer), request: exchange.request.body };
  if (how === 'accepted' && !same) {
    report(
      found,
      'I10',
      subjectOf(shownTransfer),
      'accepted with other values than requested',
      evidence,
    );
  }
  const claim = memberOf(memberOf(exchange.answered?.body, 'data'), 'samePayload');
  if (how === 'duplicate' && claim !== same) {
    report(found, 'I19', subjectOf(shownTransfer), 'samePayload is wrong', evidence);
  }
}

function checkOneId(shownTransfers: readonly ShownTransfer[], found: Found): void {
  const ids = (group: readonly ShownTransfer[]) => [
    ...new Set(group.map(({ transfer }) => String(transfer['id']))),
  ];
  const slots = (group: readonly ShownTransfer[]) => group.map(({ exchange }) => exchange.place);
  for (const [reference, group] of Map.groupBy(
    shownTransfers,
    (seen) => seen.transfer['reference'],
  )) {
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
  const accepted = shownTransfers.filter(({ how }) => how === 'accepted');
  for (const [key, group] of Map.groupBy(
    accepted,
    (seen) => seen.exchange.request.idempotencyKey,
  )) {
    if (key === null) continue;
    const evidence = { key, ids: ids(group), journals: slots(group) };
    if (ids(group).length > 1) {
      report(found, 'I19', {}, 'one Idempotency-Key, several transfers', evidence);
    }
    // A replayed answer is the original one, even if the transfer has changed since.
    if (new Set(group.map(({ transfer }) => JSON.stringify(transfer))).size > 1) {
      report(found, 'I19', {}, 'one Idempotency-Key, different answers', evidence);
    }
  }
}

function isReplay({ answered }: Exchange): boolean {
  return answered?.replayed === true;
}
