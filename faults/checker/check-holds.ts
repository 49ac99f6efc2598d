import type { BookRow, PostingRow, Snapshot, TransferRow } from './snapshot.ts';
import { type Found, report } from './violation.ts';

const BASIS_POINTS_PER_WHOLE = 10_000n;

/** The kinds of postings after the hold, by state. */
const POSTINGS_OF: Readonly<Record<string, readonly string[]>> = {
  scheduled: ['hold'],
  awaiting_approval: ['hold'],
  queued: ['hold'],
  submitting: ['hold'],
  submitted: ['hold'],
  in_doubt: ['hold'],
  succeeded: ['hold', 'settle', 'fee'],
  failed: ['hold', 'release'],
  cancelled: ['hold', 'release'],
  reversed: ['hold', 'settle', 'fee', 'reverse', 'fee_return'],
};

/** I5 and I8: references are unique, and each transfer has the postings of its state. */
export function checkHolds(snapshot: Snapshot, found: Found): void {
  checkUnique(snapshot, found);
  const books = new Map(snapshot.books.map((book) => [book.id, book]));
  const byTransfer = Map.groupBy(snapshot.postings, ({ transferId }) => transferId);
  for (const transfer of snapshot.transfers) {
    checkPostings(transfer, byTransfer.get(transfer.id) ?? [], found);
    checkFee(transfer, books.get(transfer.bookId), found);
  }
}

function checkUnique({ transfers }: Snapshot, found: Found): void {
  const keys: readonly (readonly [string, (row: TransferRow) => string | null])[] = [
    ['reference', ({ bookId, reference }) => `${bookId} ${reference}`],
    ['id', ({ id }) => id],
    ['operator reference', ({ operatorReference }) => operatorReference],
    ['Idempotency-Key', (row) => row.idempotencyKey && `${row.bookId} ${row.idempotencyKey}`],
  ];
  for (const [name, keyOf] of keys) {
    for (const [key, rows] of Map.groupBy(transfers, keyOf)) {
      const [first, ...others] = rows;
      if (key === null || first === undefined || others.length === 0) continue;
      const ids = rows.map(({ id }) => id);
      report(found, 'I5', first, `${rows.length} transfers share one ${name}`, { key, ids });
    }
  }
}

function checkPostings(transfer: TransferRow, postings: readonly PostingRow[], found: Found): void {
  const amount = BigInt(transfer.amountMinor);
  const fee = BigInt(transfer.feeMinor);
  const amounts: Readonly<Record<string, bigint>> = {
    hold: amount + fee,
    settle: amount,
    fee,
    release: amount + fee,
    reverse: amount,
    fee_return: fee,
  };
  const wanted = (POSTINGS_OF[transfer.state] ?? [])
    .map((kind) => [kind, amounts[kind] ?? 0n] as const)
    // A fee of zero is not posted.
    .filter(([, minor]) => minor > 0n)
    .map(([kind, minor]) => `${kind} ${minor}`);
  const posted = postings.map(({ kind, amountMinor }) => `${kind} ${amountMinor}`);
  if (wanted.join(', ') !== posted.join(', ')) {
    const says = `a ${transfer.state} transfer has other postings than its state requires`;
    report(found, 'I8', transfer, says, { wanted, posted });
  }
}

function checkFee(transfer: TransferRow, book: BookRow | undefined, found: Found): void {
  if (book === undefined) return report(found, 'I8', transfer, 'the transfer has no book');
  const share = BigInt(transfer.amountMinor) * BigInt(book.feeBasisPoints);
  const rounded = (share + BASIS_POINTS_PER_WHOLE / 2n) / BASIS_POINTS_PER_WHOLE;
  const wanted = BigInt(book.feeFixedMinor) + rounded;
  if (BigInt(transfer.feeMinor) !== wanted) {
    const evidence = { wantedMinor: String(wanted), feeMinor: transfer.feeMinor };
    report(found, 'I8', transfer, 'the fee does not match the book’s terms', evidence);
  }
}
