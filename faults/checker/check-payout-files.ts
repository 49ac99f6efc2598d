import type { ControlFacts } from '../journal/exchange-record.ts';
import type { FileRow, PayoutFileRow, Snapshot, TransferRow } from './snapshot.ts';
import { type Found, report } from './violation.ts';

/** I32: each row of a file is paid at most once, and none of a finished file is forgotten. */
export function checkFiles(snapshot: Snapshot, found: Found): void {
  const transfers = new Map(snapshot.transfers.map((transfer) => [transfer.id, transfer]));
  const ofFiles = Map.groupBy(
    snapshot.transfers.filter(({ fileId }) => fileId !== null),
    ({ fileId }) => fileId ?? '',
  );
  const rowsOf = Map.groupBy(snapshot.fileRows, ({ fileId }) => fileId);
  for (const file of snapshot.files) {
    const rows = rowsOf.get(file.id) ?? [];
    for (const row of rows)
      checkRow(file, { row, transfer: transfers.get(row.transferId ?? '') }, found);
    const known = new Set(rows.flatMap(({ transferId }) => transferId ?? []));
    for (const transfer of ofFiles.get(file.id) ?? []) {
      if (!known.has(transfer.id)) {
        const says = 'a payout of a file belongs to none of its rows';
        report(found, 'I32', transfer, says, { file, transfer });
      }
      if (file.payAt !== null && Date.parse(transfer.createdAt) < Date.parse(file.payAt)) {
        report(found, 'I31', transfer, 'a file was paid before its time', { file, transfer });
      }
    }
  }
}

/** I30: a file is paid only when the approvals for its sum were given, and none of it when it was rejected. */
export function checkFilesApproved(snapshot: Snapshot, facts: ControlFacts, found: Found): void {
  const paid = new Set(snapshot.transfers.map(({ fileId }) => fileId));
  for (const file of snapshot.files) {
    if (file.bookId !== facts.bookId || !paid.has(file.id)) continue;
    const sum = sumOf(snapshot, file);
    const needed = sum >= facts.approvalFromMinor ? facts.approvals : 0;
    const decisions = snapshot.approvals.filter(({ subjectId }) => subjectId === file.id);
    // A late payout waits for people again.
    const round = Math.max(0, ...decisions.map((decision) => decision.round));
    const approved = decisions.filter(
      (one) => one.decision === 'approve' && one.round === round,
    ).length;
    if (decisions.some(({ decision }) => decision === 'reject')) {
      report(found, 'I30', file, 'a file was paid although rejected', { file, decisions });
    }
    if (approved >= needed) continue;
    const says = `a file was paid with ${approved} of ${needed} approvals`;
    report(found, 'I30', file, says, { file, sum, decisions });
  }
}

/** What all rows of a file that are paid come to. */
export function sumOf({ fileRows }: Snapshot, file: PayoutFileRow): number {
  return fileRows
    .filter(({ fileId, state }) => fileId === file.id && state !== 'dropped')
    .reduce((total, { amountMinor }) => total + Number(amountMinor), 0);
}

function checkRow(
  file: PayoutFileRow,
  { row, transfer }: Readonly<{ row: FileRow; transfer: TransferRow | undefined }>,
  found: Found,
): void {
  const evidence = { file, row, transfer };
  const subject = { id: row.transferId };
  if (row.transferId !== null && transfer === undefined) {
    report(found, 'I32', subject, 'a row names a payout that does not exist', evidence);
  }
  if (transfer !== undefined && !isSame(row, transfer)) {
    report(found, 'I32', subject, 'a row was paid with other values than it has', evidence);
  }
  const isOpen = row.transferId === null && ['ready', 'waiting'].includes(row.state);
  if (file.state === 'done' && isOpen) {
    report(found, 'I32', subject, 'the file is done, and a row of it is forgotten', evidence);
  }
  if (file.state === 'paying' && isOpen) {
    report(
      found,
      'I32',
      subject,
      'the file is still being paid although nothing changes',
      evidence,
    );
  }
}

function isSame(row: FileRow, transfer: TransferRow): boolean {
  return row.amountMinor === transfer.amountMinor && row.phone === transfer.phone;
}
