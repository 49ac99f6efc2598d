import type { RunFacts } from '../journal/exchange-record.ts';
import { type OperatorBook, withoutDashes } from './read-books.ts';
import type { AttemptRow, Snapshot, TransferRow } from './snapshot.ts';
import { type Found, report } from './violation.ts';

const RESUBMISSIONS_MAX = 3;
/** The maximum where the operator answered that it accepted nothing. */
const THROTTLED_RESUBMISSIONS_MAX = 12;
const NOT_FOUND_MIN = 3;
const NOT_FOUND_AGE_MIN_MS = 15 * 60_000;
/** No resubmission may come this shortly before the operator forgets the reference, on any time scale. */
const MARGIN_MS = 60_000;
const UNAUTHORISED = 401;

type Seen = Readonly<{ books: readonly OperatorBook[]; facts: RunFacts }>;
type Arrival = OperatorBook['arrivals'][number];

/**
 * I27: a resubmission uses only the order's own route, comes while its operator recognises the reference, and
 * after the required number of "not found" answers.
 */
export function checkResubmissions(snapshot: Snapshot, seen: Seen, found: Found): void {
  const attempts = Map.groupBy(snapshot.attempts, ({ transferId }) => transferId);
  const turns = Map.groupBy(
    snapshot.events.filter(({ toState }) => toState === 'submitting'),
    ({ transferId }) => transferId,
  );
  for (const book of seen.books) {
    const arrivals = Map.groupBy(book.arrivals, ({ reference }) => reference);
    for (const transfer of snapshot.transfers) {
      if (!book.routes.includes(transfer.route)) continue;
      const came = arrivals.get(withoutDashes(transfer.operatorReference)) ?? [];
      const all = attempts.get(transfer.id) ?? [];
      checkPlace({ transfer, all, came }, found);
      checkCount({ transfer, all, came, turns: turns.get(transfer.id)?.length ?? 0 }, found);
      // Some of the times are of the service's clock.
      if (seen.facts.clockMoved) continue;
      checkAnswers({ transfer, all, timeScale: seen.facts.timeScale }, found);
      checkMemory({ transfer, came, memoryMs: seen.facts.referenceMemoryMs }, found);
    }
  }
}

type OneOrder = Readonly<{
  transfer: TransferRow;
  all: readonly AttemptRow[];
  came: readonly Arrival[];
}>;

function checkPlace({ transfer, all, came }: OneOrder, found: Found): void {
  const again = all.filter(({ purpose }) => purpose === 'resubmit');
  if (again.some(({ route }) => route !== transfer.route)) {
    report(found, 'I27', transfer, 'it was resubmitted by another route', { again });
  }
  if (transfer.resubmissions === 0) return;
  const accounts = new Set(came.map(({ account }) => account));
  if (accounts.size <= 1) return;
  report(found, 'I27', transfer, 'it was resubmitted to another account', { came });
}

function checkCount(
  { transfer, all, came, turns }: OneOrder & Readonly<{ turns: number }>,
  found: Found,
): void {
  const wasThrottled = all.some(({ outcome }) => outcome === 'throttled');
  const max = wasThrottled ? THROTTLED_RESUBMISSIONS_MAX : RESUBMISSIONS_MAX;
  const { resubmissions } = transfer;
  if (resubmissions > max) {
    report(found, 'I27', transfer, `it was resubmitted ${resubmissions} times`, { all });
  }
  // By the operator's book: a process that is killed does not record the refusal.
  const refused = came.filter(({ isRefusedForToken }) => isRefusedForToken).length;
  if (came.length <= turns + resubmissions + refused) return;
  const says = `it arrived ${came.length} times, after ${turns} turns and ${resubmissions} resubmissions`;
  report(found, 'I27', transfer, says, { came, all });
}

/**
 * Since the previous submission: three answers in 15 minutes, or one answer where the operator accepted nothing. Another
 * process may inquire while that submission still waits for its answer, so they count from its start.
 */
function checkAnswers(
  {
    transfer,
    all,
    timeScale,
  }: Readonly<{ transfer: TransferRow; all: readonly AttemptRow[]; timeScale: number }>,
  found: Found,
): void {
  const answers = all.filter(({ outcome }) => outcome === 'notFound');
  let before: AttemptRow | undefined;
  for (const attempt of all) {
    if (attempt.purpose === 'inquire' || attempt.purpose === 'recall') continue;
    if (attempt.httpStatus === UNAUTHORISED) continue;
    if (attempt.purpose === 'resubmit') {
      const notFound = answers.filter(
        ({ endedAt }) => (before?.startedAt ?? '') <= endedAt && endedAt <= attempt.endedAt,
      );
      const waitedMs = Date.parse(attempt.endedAt) - Date.parse(notFound[0]?.endedAt ?? '');
      const isProven =
        notFound.length >= NOT_FOUND_MIN && waitedMs >= NOT_FOUND_AGE_MIN_MS * timeScale;
      const hasInquiryAnswer = before?.outcome === 'throttled' && notFound.length > 0;
      if (!isProven && !hasInquiryAnswer) {
        const says = `it was resubmitted after ${notFound.length} answers of "not found"`;
        report(found, 'I27', transfer, says, { all });
      }
    }
    before = attempt;
  }
}

function checkMemory(
  {
    transfer,
    came,
    memoryMs,
  }: Readonly<{ transfer: TransferRow; came: readonly Arrival[]; memoryMs: number }>,
  found: Found,
): void {
  if (transfer.resubmissions > 0 && memoryMs <= MARGIN_MS) {
    const says = 'it was resubmitted although the operator forgets references too soon';
    report(found, 'I27', transfer, says, { came });
  }
  const times = came.map(({ receivedAt }) => Date.parse(receivedAt)).sort((a, b) => a - b);
  const ageMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  if (transfer.resubmissions === 0 || ageMs <= memoryMs) return;
  const says = `it was resubmitted after ${ageMs} ms, but is remembered for only ${memoryMs} ms`;
  report(found, 'I27', transfer, says, { came });
}
