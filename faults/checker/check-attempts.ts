import type { AttackRecord } from '../journal/exchange-record.ts';
import { type OperatorBook, withoutDashes } from './read-books.ts';
import type { AttemptRow, Snapshot } from './snapshot.ts';
import { type Found, report } from './violation.ts';

const UNAUTHORISED = 401;
/** Operators whose inquiries have the payout's reference in the path. */
const NAMES_PAYOUT_IN_PATH = ['mtn', 'airtel', 'pawapay'];

type Seen = Readonly<{
  books: readonly OperatorBook[];
  clockMoved: boolean;
  attacks: readonly AttackRecord[];
}>;

/** I26: each exchange with an operator is recorded once, however often the service retried to record it. */
export function checkAttempts(
  snapshot: Snapshot,
  { books, clockMoved, attacks }: Seen,
  found: Found,
): void {
  const attempts = Map.groupBy(snapshot.attempts, ({ transferId }) => transferId);
  const turns = Map.groupBy(
    snapshot.events.filter(({ toState }) => toState === 'submitting'),
    ({ transferId }) => transferId,
  );
  for (const transfer of snapshot.transfers) {
    const all = attempts.get(transfer.id) ?? [];
    // A submission refused for its token is sent again in the same turn, and both are recorded.
    const submissions = all.filter(
      ({ purpose, httpStatus }) => purpose === 'submit' && httpStatus !== UNAUTHORISED,
    );
    const turnsTaken = turns.get(transfer.id)?.length ?? 0;
    if (submissions.length > turnsTaken) {
      const says = `${submissions.length} submissions are recorded for a transfer that was sent ${turnsTaken} times`;
      report(found, 'I26', transfer, says, { submissions });
    }
  }
  for (const book of books) checkSent(snapshot, { book, turns }, found);
  // Both checks use times of the service's clock.
  if (clockMoved) return;
  for (const book of books) {
    // A callback, real or forged, brings an inquiry forward.
    if (attacks.length === 0) checkSchedule(snapshot, { book, attempts }, found);
    checkInquiries(snapshot, { book, attempts }, found);
  }
}

/** I21: inquiries to an alternating operator follow the schedule, which must not begin again at each answer. */
function checkSchedule(
  { at, transfers }: Snapshot,
  {
    book,
    attempts,
  }: Readonly<{ book: OperatorBook; attempts: ReadonlyMap<string, readonly AttemptRow[]> }>,
  found: Found,
): void {
  const alternating = new Set(
    book.taken
      .filter((one) => one.behaviour['inquiry'] === 'alternating')
      .map((one) => one.reference),
  );
  for (const transfer of transfers) {
    if (!alternating.has(withoutDashes(transfer.operatorReference))) continue;
    const all = attempts.get(transfer.id) ?? [];
    const inquiries = all.filter(({ purpose }) => purpose === 'inquire').length;
    const ageSeconds = (Date.parse(at) - Date.parse(transfer.createdAt)) / MS_PER_SECOND;
    if (inquiries <= INQUIRIES_AT_FIRST + ageSeconds * INQUIRIES_PER_SECOND) continue;
    const says = `${book.name} got ${inquiries} inquiries in ${Math.round(ageSeconds)} s`;
    report(found, 'I21', transfer, says, { state: transfer.state });
  }
}

const MS_PER_SECOND = 1_000;
/** The schedule has about 10 inquiries in the first seconds, then one per 3 s. A restarted one has twice as many. */
const INQUIRIES_AT_FIRST = 12;
const INQUIRIES_PER_SECOND = 0.45;

/** I21: no operator got more submissions than there were submission and resubmission turns. */
function checkSent(
  { transfers }: Snapshot,
  { book, turns }: Readonly<{ book: OperatorBook; turns: ReadonlyMap<string, readonly unknown[]> }>,
  found: Found,
): void {
  const path = SUBMISSION_PATHS[book.name];
  if (book.requests === undefined || path === undefined) return;
  const reached = book.requests.sent.filter((one) => path.test(one)).length;
  const turnsTaken = transfers
    .filter(({ route }) => book.routes.includes(route))
    .reduce((sum, { id, resubmissions }) => sum + (turns.get(id)?.length ?? 0) + resubmissions, 0);
  if (reached <= turnsTaken) return;
  const says = `${reached} submissions reached ${book.name}, but there were only ${turnsTaken} turns to send one`;
  report(found, 'I21', {}, says, {});
}

/** The submission path of each operator. */
const SUBMISSION_PATHS: Readonly<Record<string, RegExp>> = {
  mtn: /^\/disbursement\/v\d_\d\/(?:transfer|deposit)$/,
  airtel: /^\/standard\/v\d\/disbursements\/?$/,
  vodacom: /b2c/i,
  pawapay: /^\/v2\/payouts$/,
};

/** No more answers to inquiries are recorded than inquiries reached the operator. */
function checkInquiries(
  snapshot: Snapshot,
  {
    book,
    attempts,
  }: Readonly<{ book: OperatorBook; attempts: ReadonlyMap<string, readonly AttemptRow[]> }>,
  found: Found,
): void {
  const { requests } = book;
  if (requests === undefined || !NAMES_PAYOUT_IN_PATH.includes(book.name)) return;
  for (const transfer of snapshot.transfers) {
    if (!book.routes.includes(transfer.route)) continue;
    const answered = (attempts.get(transfer.id) ?? []).filter(
      ({ purpose, httpStatus, endedAt }) =>
        purpose === 'inquire' && httpStatus !== null && endedAt < requests.keptAt,
    );
    const reference = withoutDashes(transfer.operatorReference);
    const inquiries = requests.paths.filter((path) => path.includes(reference)).length;
    if (answered.length <= inquiries) continue;
    const says = `${answered.length} answers are recorded for ${inquiries} inquiries`;
    report(found, 'I26', transfer, says, { operator: book.name, answered });
  }
}
