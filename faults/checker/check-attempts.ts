import { type OperatorBook, withoutDashes } from './read-books.ts';
import type { AttemptRow, Snapshot } from './snapshot.ts';
import { type Found, report } from './violation.ts';

/** Their questions name the payout in the path. */
const NAMES_PAYOUT_IN_PATH = ['mtn', 'airtel', 'pawapay'];

/** I26: each exchange with an operator is recorded once, however often the database was told of it. */
export function checkAttempts(
  snapshot: Snapshot,
  { books, clockMoved }: Readonly<{ books: readonly OperatorBook[]; clockMoved: boolean }>,
  found: Found,
): void {
  const attempts = Map.groupBy(snapshot.attempts, ({ transferId }) => transferId);
  const turns = Map.groupBy(
    snapshot.events.filter(({ toState }) => toState === 'submitting'),
    ({ transferId }) => transferId,
  );
  for (const transfer of snapshot.transfers) {
    const all = attempts.get(transfer.id) ?? [];
    const submissions = all.filter(({ purpose }) => purpose === 'submit');
    const turnsTaken = turns.get(transfer.id)?.length ?? 0;
    if (submissions.length > turnsTaken) {
      const says = `${submissions.length} submissions are recorded of a transfer that was sent ${turnsTaken} times`;
      report(found, 'I26', transfer, says, { submissions });
    }
  }
  // Questions are compared by the time of both sides.
  if (!clockMoved) for (const book of books) checkQuestions(snapshot, { book, attempts }, found);
}

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
