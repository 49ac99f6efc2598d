import type { AttackRecord } from '../journal/exchange-record.ts';
import { type OperatorBook, withoutDashes } from './read-books.ts';
import type { AttemptRow, Snapshot } from './snapshot.ts';
import { type Found, report } from './violation.ts';

const UNAUTHORISED = 401;
/** Their questions name the payout in the path. */
const NAMES_PAYOUT_IN_PATH = ['mtn', 'airtel', 'pawapay'];

type Seen = Readonly<{
  books: readonly OperatorBook[];
  clockMoved: boolean;
  attacks: readonly AttackRecord[];
}>;

/** I26: each exchange with an operator is recorded once, however often the database was told of it. */
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
    // What was refused for its token went out again in the same turn, and both are recorded.
    const submissions = all.filter(
      ({ purpose, httpStatus }) => purpose === 'submit' && httpStatus !== UNAUTHORISED,
    );
    const turnsTaken = turns.get(transfer.id)?.length ?? 0;
    if (submissions.length > turnsTaken) {
      const says = `${submissions.length} submissions are recorded of a transfer that was sent ${turnsTaken} times`;
      report(found, 'I26', transfer, says, { submissions });
    }
  }
  for (const book of books) checkSent(snapshot, { book, turns }, found);
  // Both go by times of which some are the service's.
  if (clockMoved) return;
  for (const book of books) {
    // A callback, true or not, brings a question forward.
    if (attacks.length === 0) checkSchedule(snapshot, { book, attempts }, found);
    checkQuestions(snapshot, { book, attempts }, found);
  }
}

/** I21: an operator that answers only every other time is asked by the schedule, and not from its beginning each time. */
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
    const asked = all.filter(({ purpose }) => purpose === 'inquire').length;
    const ageSeconds = (Date.parse(at) - Date.parse(transfer.createdAt)) / MS_PER_SECOND;
    if (asked <= QUESTIONS_AT_FIRST + ageSeconds * QUESTIONS_PER_SECOND) continue;
    const says = `${book.name} was asked ${asked} times in ${Math.round(ageSeconds)} s`;
    report(found, 'I21', transfer, says, { state: transfer.state });
  }
}

const MS_PER_SECOND = 1_000;
/** The schedule asks about 10 times in the first seconds, and then every third second; twice as often begins it anew. */
const QUESTIONS_AT_FIRST = 12;
const QUESTIONS_PER_SECOND = 0.45;

/** I21: no operator was sent more than there were turns to send something, or to send it again. */
function checkSent(
  { transfers }: Snapshot,
  { book, turns }: Readonly<{ book: OperatorBook; turns: ReadonlyMap<string, readonly unknown[]> }>,
  found: Found,
): void {
  const path = SUBMISSION_PATHS[book.name];
  if (book.questions === undefined || path === undefined) return;
  const reached = book.questions.sent.filter((one) => path.test(one)).length;
  const turnsTaken = transfers
    .filter(({ route }) => book.routes.includes(route))
    .reduce((sum, { id, resubmissions }) => sum + (turns.get(id)?.length ?? 0) + resubmissions, 0);
  if (reached <= turnsTaken) return;
  const says = `${reached} submissions reached ${book.name}, and there were ${turnsTaken} turns to send one`;
  report(found, 'I21', {}, says, {});
}

/** Where each takes payouts. */
const SUBMISSION_PATHS: Readonly<Record<string, RegExp>> = {
  mtn: /^\/disbursement\/v\d_\d\/(?:transfer|deposit)$/,
  airtel: /^\/standard\/v\d\/disbursements\/?$/,
  vodacom: /b2c/i,
  pawapay: /^\/v2\/payouts$/,
};

/** No more answers to questions are recorded than questions have reached the operator. */
function checkQuestions(
  snapshot: Snapshot,
  {
    book,
    attempts,
  }: Readonly<{ book: OperatorBook; attempts: ReadonlyMap<string, readonly AttemptRow[]> }>,
  found: Found,
): void {
  const { questions } = book;
  if (questions === undefined || !NAMES_PAYOUT_IN_PATH.includes(book.name)) return;
  for (const transfer of snapshot.transfers) {
    if (!book.routes.includes(transfer.route)) continue;
    const answered = (attempts.get(transfer.id) ?? []).filter(
      ({ purpose, httpStatus, endedAt }) =>
        purpose === 'inquire' && httpStatus !== null && endedAt < questions.keptAt,
    );
    const reference = withoutDashes(transfer.operatorReference);
    const asked = questions.paths.filter((path) => path.includes(reference)).length;
    if (answered.length <= asked) continue;
    const says = `${answered.length} answers are recorded to ${asked} questions`;
    report(found, 'I26', transfer, says, { operator: book.name, answered });
  }
}
