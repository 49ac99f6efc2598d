import type { RunFacts } from '../journal/exchange-record.ts';
import {
  type AcceptedPayout,
  type ExecutedPayout,
  type OperatorBook,
  withoutDashes,
} from './read-books.ts';
import type { Snapshot, TransferRow } from './snapshot.ts';
import { type Found, report } from './violation.ts';

/** States in which the outcome is still open. */
const OPEN = ['queued', 'submitting', 'submitted', 'in_doubt'];
const PAID = ['succeeded', 'reversed'];
/** Operators whose answers contain amount and number, so that a wrong one must be noticed. */
const REPORTS_AMOUNT = ['mtn', 'pawapay'];

/** A live transfer and its operator's records of it. */
type Matched = Readonly<{
  transfer: TransferRow;
  book: OperatorBook;
  /** Every submission that reached the operator. */
  reached: readonly AcceptedPayout[];
  /** The orders that it accepted. */
  taken: readonly AcceptedPayout[];
  executed: readonly ExecutedPayout[];
}>;

/** I5, I6, I7, I9 and a part of I21: compares the operators' own books with ours. */
export function checkBooks(
  snapshot: Snapshot,
  { books, facts }: Readonly<{ books: readonly OperatorBook[]; facts: RunFacts }>,
  found: Found,
): void {
  for (const book of books) {
    const ours = snapshot.transfers.filter(({ route }) => book.routes.includes(route));
    const byReference = new Map(ours.map((row) => [withoutDashes(row.operatorReference), row]));
    checkPhantoms(book, byReference, found);
    const matched = match(book, byReference);
    for (const one of matched) {
      checkOnce(one, found);
      checkAgreement(one, found);
      // After a jump of the clock a payout can seem as old as the jump, so its next inquiry may come late.
      if (!facts.clockMoved) checkPatience(one, found);
    }
    checkFloat(snapshot, { book, matched, byReference }, found);
  }
}

function match(
  book: OperatorBook,
  byReference: ReadonlyMap<string, TransferRow>,
): readonly Matched[] {
  const reached = Map.groupBy(book.taken, ({ reference }) => reference);
  const executed = Map.groupBy(book.executed, ({ reference }) => reference);
  return [...byReference].map(([reference, transfer]) => ({
    transfer,
    book,
    reached: reached.get(reference) ?? [],
    taken: (reached.get(reference) ?? []).filter(isTaken),
    executed: executed.get(reference) ?? [],
  }));
}

function behavesAs(taken: readonly AcceptedPayout[], member: string, value: string): boolean {
  return taken.some(({ behaviour }) => behaviour[member] === value);
}

/** I6: every payout that an operator accepted or paid is an order of ours, with the same values. */
function checkPhantoms(
  book: OperatorBook,
  byReference: ReadonlyMap<string, TransferRow>,
  found: Found,
): void {
  for (const entry of [...book.taken, ...book.executed]) {
    const transfer = byReference.get(entry.reference);
    const evidence = { operator: book.name, entry, transfer };
    if (transfer === undefined) {
      report(found, 'I6', {}, `${book.name} got a payout that was never ordered`, evidence);
    } else if (
      transfer.phone !== `+${entry.msisdn}` ||
      transfer.amountMinor !== entry.amountMinor ||
      transfer.currency !== entry.currency
    ) {
      report(
        found,
        'I6',
        transfer,
        `${book.name} got a payout with other values than ordered`,
        evidence,
      );
    }
  }
}

/** I5 and I21: no transfer is paid twice, or sent twice to an operator that does not deduplicate. */
function checkOnce({ transfer, book, reached, taken, executed }: Matched, found: Found): void {
  const evidence = { operator: book.name, reached, executed };
  const payouts = Map.groupBy(executed, ({ payoutId }) => payoutId);
  // An operator that executes one submission twice has a bug of its own, which is not a violation.
  const isOperatorsBug = behavesAs(taken, 'execute', 'twice');
  const most = Math.max(0, ...[...payouts.values()].map(({ length }) => length));
  if (payouts.size > 1 || most > (isOperatorsBug ? 2 : 1)) {
    report(found, 'I5', transfer, `${book.name} paid it ${executed.length} times`, evidence);
  }
  if (book.name === 'zamtel' && reached.length > 1) {
    const says = 'it was sent more than once to an operator that pays each time';
    report(found, 'I21', transfer, says, evidence);
  } else if (taken.length > 1) {
    report(found, 'I21', transfer, `${book.name} accepted it ${taken.length} times`, evidence);
  }
}

/** With `never` and no refusal the operator did not accept it. */
function isTaken({ behaviour }: AcceptedPayout): boolean {
  return behaviour['execute'] !== 'never' || behaviour['refusal'] !== null;
}

/** I6 and I7: a succeeded transfer was paid, a failed one was not. */
function checkAgreement({ transfer, book, taken, executed }: Matched, found: Found): void {
  const { state } = transfer;
  const executions = executed.length;
  const evidence = { operator: book.name, state, taken, executions };
  if (PAID.includes(state) && executions === 0) {
    report(found, 'I7', transfer, `it is ${state}, but ${book.name} never paid it`, evidence);
  }
  // A contradictory operator first reported the opposite, and the service had to believe it.
  const wasReportedOtherwise = behavesAs(taken, 'inquiry', 'contradictory');
  if (!PAID.includes(state) && !OPEN.includes(state) && executions > 0 && !wasReportedOtherwise) {
    report(found, 'I7', transfer, `it is ${state}, but ${book.name} paid it`, evidence);
  }
  const isWrong =
    behavesAs(taken, 'inquiry', 'wrongAmount') || behavesAs(taken, 'inquiry', 'wrongNumber');
  if (state === 'succeeded' && isWrong && REPORTS_AMOUNT.includes(book.name)) {
    const says = `it succeeded although ${book.name} reports another amount or number`;
    report(found, 'I6', transfer, says, evidence);
  }
}

/** I13: no transfer stays open or with a person although an inquiry to its operator would show the outcome. */
function checkPatience({ transfer, book, taken, executed }: Matched, found: Found): void {
  const { state } = transfer;
  const evidence = { operator: book.name, state, taken };
  const wouldReport =
    executed.length === 1 &&
    book.name !== 'zamtel' &&
    behavesAs(taken, 'inquiry', 'normal') &&
    !behavesAs(taken, 'execute', 'twice');
  if (OPEN.includes(state) && wouldReport && transfer.flaggedAt === null) {
    report(
      found,
      'I13',
      transfer,
      `it is ${state}, but an inquiry to ${book.name} would show the outcome`,
      evidence,
    );
  }
  if (transfer.flaggedAt !== null && book.name !== 'zamtel') {
    const says = `it was flagged for a person, but ${book.name} supports inquiries`;
    report(found, 'I13', transfer, says, evidence);
  }
}

/** I9: the amount settled with an operator is what it paid, except for listed differences. */
function checkFloat(
  snapshot: Snapshot,
  side: Readonly<{
    book: OperatorBook;
    matched: readonly Matched[];
    byReference: ReadonlyMap<string, TransferRow>;
  }>,
  found: Found,
): void {
  const { book, matched, byReference } = side;
  const ids = new Set([...byReference.values()].map(({ id }) => id));
  const settled = snapshot.postings
    .filter(({ transferId }) => transferId !== null && ids.has(transferId))
    .reduce((sum, posting) => sum + clearingEffect(posting), 0n);
  const executed = book.executed.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n);
  const differences = matched.flatMap(({ transfer, executed: payments }) => {
    const times = BigInt(payments.length) - (transfer.state === 'succeeded' ? 1n : 0n);
    const minor = BigInt(transfer.amountMinor) * times;
    return minor === 0n ? [] : [{ id: transfer.id, state: transfer.state, minor: String(minor) }];
  });
  const listed = differences.reduce((sum, { minor }) => sum + BigInt(minor), 0n);
  if (executed !== settled + listed) {
    const evidence = {
      operator: book.name,
      executedMinor: String(executed),
      settledMinor: String(settled),
      differences,
    };
    report(
      found,
      'I9',
      {},
      `the amount paid by ${book.name} is not the amount settled with it`,
      evidence,
    );
  }
}

function clearingEffect({
  toAccount,
  fromAccount,
  amountMinor,
}: Snapshot['postings'][number]): bigint {
  if (toAccount.startsWith('clearing:')) return BigInt(amountMinor);
  return fromAccount.startsWith('clearing:') ? -BigInt(amountMinor) : 0n;
}
