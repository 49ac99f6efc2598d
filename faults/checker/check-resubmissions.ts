import type { RunFacts } from '../journal/exchange-record.ts';
import { type OperatorBook, withoutDashes } from './read-books.ts';
import type { AttemptRow, Snapshot, TransferRow } from './snapshot.ts';
import { type Found, report } from './violation.ts';

const RESUBMISSIONS_MAX = 3;
/** Where the operator said that it took nothing. */
const THROTTLED_RESUBMISSIONS_MAX = 12;
const NOT_FOUND_MIN = 3;
const NOT_FOUND_AGE_MIN_MS = 15 * 60_000;
/** Nothing is sent again so shortly before the operator forgets, whatever the time scale. */
const MARGIN_MS = 60_000;
const UNAUTHORISED = 401;

type Seen = Readonly<{ books: readonly OperatorBook[]; facts: RunFacts }>;
type Arrival = OperatorBook['arrivals'][number];

/**
 * I27: the same order goes out again only by its own route, while its operator recognises it, and after as many
 * answers of "not found" as the rules want.
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
      // Some of the times are the service's.
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
    report(found, 'I27', transfer, 'it was submitted again by another route', { again });
  }
  if (transfer.resubmissions === 0) return;
  const accounts = new Set(came.map(({ account }) => account));
  if (accounts.size <= 1) return;
  report(found, 'I27', transfer, 'it was submitted again to another account', { came });
}

function checkCount(
  { transfer, all, came, turns }: OneOrder & Readonly<{ turns: number }>,
  found: Found,
): void {
  const wasThrottled = all.some(({ outcome }) => outcome === 'throttled');
  const max = wasThrottled ? THROTTLED_RESUBMISSIONS_MAX : RESUBMISSIONS_MAX;
  const { resubmissions } = transfer;
  if (resubmissions > max) {
    report(found, 'I27', transfer, `it was submitted again ${resubmissions} times`, { all });
  }
  // What was refused for its token went out twice in one turn.
  const refused = all.filter(
    ({ purpose, httpStatus }) => purpose !== 'inquire' && httpStatus === UNAUTHORISED,
  ).length;
  if (came.length <= turns + resubmissions + refused) return;
  const says = `it came ${came.length} times, after ${turns} turns and ${resubmissions} resubmissions`;
  report(found, 'I27', transfer, says, { came, all });
}

/** Since the order went out before: three answers in fifteen minutes, or that it was not taken and one answer. */
function checkAnswers(
  {
    transfer,
    all,
    timeScale,
  }: Readonly<{ transfer: TransferRow; all: readonly AttemptRow[]; timeScale: number }>,
  found: Found,
): void {
  let before: AttemptRow | undefined;
  let notFound: AttemptRow[] = [];
  for (const attempt of all) {
    if (attempt.outcome === 'notFound') notFound.push(attempt);
    if (attempt.purpose === 'inquire' || attempt.purpose === 'recall') continue;
    if (attempt.purpose === 'resubmit' && attempt.httpStatus !== UNAUTHORISED) {
      const waitedMs = Date.parse(attempt.endedAt) - Date.parse(notFound[0]?.endedAt ?? '');
      const isProven =
        notFound.length >= NOT_FOUND_MIN && waitedMs >= NOT_FOUND_AGE_MIN_MS * timeScale;
      const isAsked = before?.outcome === 'throttled' && notFound.length > 0;
      if (!isProven && !isAsked) {
        const says = `it was submitted again after ${notFound.length} times not found`;
        report(found, 'I27', transfer, says, { all });
      }
    }
    if (attempt.httpStatus === UNAUTHORISED) continue;
    before = attempt;
    notFound = [];
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
    const says = 'it was submitted again although it is forgotten too soon';
    report(found, 'I27', transfer, says, { came });
  }
  const times = came.map(({ receivedAt }) => Date.parse(receivedAt)).sort((a, b) => a - b);
  const ageMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  if (transfer.resubmissions === 0 || ageMs <= memoryMs) return;
  const says = `it came again after ${ageMs} ms, and is remembered for ${memoryMs} ms`;
  report(found, 'I27', transfer, says, { came });
}
