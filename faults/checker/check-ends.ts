import type { Exchange } from './read-journals.ts';
import type { Snapshot, TransferRow } from './snapshot.ts';
import { type Found, report } from './violation.ts';

const SUFFIX_DIGITS = 3;
const TERMINAL = ['succeeded', 'failed', 'cancelled', 'reversed'];
/** The next inquiry must come within this time. */
const NEXT_CHECK_MAX_MS = 60 * 60 * 1_000;

/** The final state of each special number in a test book. */
const ENDS_AS: Readonly<Record<string, string>> = {
  901: 'failed RECIPIENT_NOT_FOUND',
  902: 'failed RECIPIENT_LIMIT_REACHED',
  903: 'failed OPERATOR_REJECTED',
  912: 'failed OPERATOR_REJECTED',
  913: 'in_doubt',
  921: 'reversed',
};

/** I13 and the table of test numbers: every transfer has ended correctly, or visibly waits. */
export function checkEnds(snapshot: Snapshot, exchanges: readonly Exchange[], found: Found): void {
  const paths = exchanges.map((exchange) => exchange.request.path);
  const cancelled = new Set(
    paths.flatMap((path) => /\/transfers\/([0-9a-f-]{36})\/cancel$/.exec(path)?.[1] ?? []),
  );
  const modes = new Map(snapshot.books.map(({ id, mode }) => [id, mode]));
  const heldBack = findHeldBack(snapshot);
  for (const transfer of snapshot.transfers) {
    const isLive = modes.get(transfer.bookId) === 'live';
    if (!heldBack.has(transfer.id)) checkOpen(snapshot, { transfer, isLive }, found);
    if (!isLive) checkTestNumber(transfer, cancelled, found);
  }
}

/**
 * Queued payouts of which another route than their own reports that it paid them: after a change of routes they wait
 * for a person, who is told by an open incident. The route that reported it may send it, so it waits for nothing then.
 */
function findHeldBack({ transfers, incidents }: Snapshot): ReadonlySet<string> {
  const reports = new Map(
    incidents.flatMap(({ transferId, kind, isOpen, reportedBy }) =>
      kind === 'paid_before_sent' && isOpen ? [[transferId, reportedBy] as const] : [],
    ),
  );
  const heldBack = transfers.filter(
    ({ id, state, route }) =>
      state === 'queued' && reports.get(id)?.some((reporter) => reporter !== route),
  );
  return new Set(heldBack.map(({ id }) => id));
}

function checkOpen(
  { at }: Snapshot,
  { transfer, isLive }: Readonly<{ transfer: TransferRow; isLive: boolean }>,
  found: Found,
): void {
  const { state, nextActionAt, flaggedAt, inDoubtSince } = transfer;
  const complain = (says: string) => report(found, 'I13', transfer, says, { at, transfer });
  if (TERMINAL.includes(state)) {
    // A live operator that contradicts an end gets further inquiries.
    if (nextActionAt !== null && !isLive) complain('it has ended, but has a next action');
    return;
  }
  // An operator may report "pending" for ever.
  const mayStay =
    state === 'in_doubt' || state === 'awaiting_approval' || (isLive && state === 'submitted');
  if (!mayStay) return complain(`it is still ${state} although nothing changes any more`);
  if (state === 'in_doubt' && inDoubtSince === null)
    complain('it is in doubt without a time since when');
  // Flagged: it is on the list of cases for a person.
  if (flaggedAt !== null) return;
  if (nextActionAt === null) return complain(`it is ${state}, but has no next inquiry`);
  // It waits for people until it expires.
  if (state === 'awaiting_approval') return;
  if (Date.parse(nextActionAt) > Date.parse(at) + NEXT_CHECK_MAX_MS) {
    complain(`it is ${state}, but its next inquiry is hours away`);
  }
}

function checkTestNumber(
  transfer: TransferRow,
  cancelled: ReadonlySet<string>,
  found: Found,
): void {
  const { state, failureCode } = transfer;
  const suffix = transfer.phone.slice(-SUFFIX_DIGITS);
  const wanted = ENDS_AS[suffix] ?? 'succeeded';
  const actual = state === 'failed' ? `${state} ${failureCode}` : state;
  if (actual === wanted) return;
  if (state === 'cancelled' && cancelled.has(transfer.id)) return;
  const says = `a number that ends in ${suffix} must end as ${wanted}, not as ${actual}`;
  report(found, 'test numbers', transfer, says, { transfer });
}
