import type { Exchange } from './read-journals.ts';
import type { Snapshot, TransferRow } from './snapshot.ts';
import { type Found, report } from './violation.ts';

const SUFFIX_DIGITS = 3;
const TERMINAL = ['succeeded', 'failed', 'cancelled', 'reversed'];
/** Nobody may have to wait longer for the next question to the operator. */
const NEXT_CHECK_MAX_MS = 60 * 60 * 1_000;

/** How a test book plays each number out, once everything has come to rest. */
const ENDS_AS: Readonly<Record<string, string>> = {
  901: 'failed RECIPIENT_NOT_FOUND',
  902: 'failed RECIPIENT_LIMIT_REACHED',
  903: 'failed OPERATOR_REJECTED',
  912: 'failed OPERATOR_REJECTED',
  913: 'in_doubt',
  921: 'reversed',
};

/** I13 and the table of test numbers: everything has ended, rightly, or visibly waits. */
export function checkEnds(snapshot: Snapshot, exchanges: readonly Exchange[], found: Found): void {
  const asked = exchanges.map((exchange) => exchange.asked.path);
  const cancelled = new Set(
    asked.flatMap((path) => /\/transfers\/([0-9a-f-]{36})\/cancel$/.exec(path)?.[1] ?? []),
  );
  const modes = new Map(snapshot.books.map(({ id, mode }) => [id, mode]));
  for (const transfer of snapshot.transfers) {
    const isLive = modes.get(transfer.bookId) === 'live';
    checkOpen(snapshot, { transfer, isLive }, found);
    if (!isLive) checkPlayedOut(transfer, cancelled, found);
  }
}

function checkOpen(
  { at }: Snapshot,
  { transfer, isLive }: Readonly<{ transfer: TransferRow; isLive: boolean }>,
  found: Found,
): void {
  const { state, nextActionAt, flaggedAt, inDoubtSince } = transfer;
  const complain = (says: string) => report(found, 'I13', transfer, says, { at, transfer });
  if (TERMINAL.includes(state)) {
    // A real operator that contradicts an end is asked again and again.
    if (nextActionAt !== null && !isLive) complain('it has ended, and yet something is due');
    return;
  }
  // An operator may say for ever that it has a payout, and has not ended it.
  const mayStay = state === 'in_doubt' || (isLive && state === 'submitted');
  if (!mayStay) return complain(`it is still ${state} when all has come to rest`);
  if (state === 'in_doubt' && inDoubtSince === null)
    complain('it is in doubt since nobody knows when');
  // Flagged: a person has it on a list, and it is still pending.
  if (flaggedAt !== null) return;
  if (nextActionAt === null) return complain(`it is ${state}, and nobody will ask again`);
  if (Date.parse(nextActionAt) > Date.parse(at) + NEXT_CHECK_MAX_MS) {
    complain(`it is ${state}, and nobody will ask for hours`);
  }
}

function checkPlayedOut(transfer: TransferRow, cancelled: ReadonlySet<string>, found: Found): void {
  const { state, failureCode } = transfer;
  const suffix = transfer.phone.slice(-SUFFIX_DIGITS);
  const wanted = ENDS_AS[suffix] ?? 'succeeded';
  const actual = state === 'failed' ? `${state} ${failureCode}` : state;
  if (actual === wanted) return;
  if (state === 'cancelled' && cancelled.has(transfer.id)) return;
  const says = `a number that ends in ${suffix} comes to ${wanted}, not to ${actual}`;
  report(found, 'test numbers', transfer, says, { transfer });
}
