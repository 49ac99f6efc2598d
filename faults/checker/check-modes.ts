import type { RunFacts } from '../journal/exchange-record.ts';
import { type OperatorBook, withoutDashes } from './read-books.ts';
import type { Snapshot } from './snapshot.ts';
import { type Found, report } from './violation.ts';

const SANDBOX = 'sandbox';
const NO_ROUTE = '-';

/** I16: test orders never reach an operator, and live ones never the sandbox. */
export function checkModes(
  snapshot: Snapshot,
  { facts, books }: Readonly<{ facts: RunFacts; books: readonly OperatorBook[] }>,
  found: Found,
): void {
  const modes = new Map(snapshot.books.map(({ id, mode }) => [id, mode]));
  const wallets = new Map(snapshot.wallets.map(({ id, bookId }) => [id, bookId]));
  const atOperators = new Set(
    books.flatMap(({ taken }) => taken.map(({ reference }) => reference)),
  );
  const attempted = new Set(snapshot.attempts.map(({ transferId }) => transferId));
  const known = new Set(books.flatMap(({ routes }) => routes));
  const ordering = new Set([
    ...[facts.books, ...facts.steady.map((merchant) => merchant.books)].flatMap(Object.values),
    facts.controls?.bookId,
  ]);
  for (const transfer of snapshot.transfers) {
    const { bookId, route, walletId, operatorReference, id } = transfer;
    const complain = (says: string) => report(found, 'I16', transfer, says, { transfer });
    if (wallets.get(walletId) !== bookId) complain('it is paid from a wallet of another book');
    if (!ordering.has(bookId)) {
      complain('it is in a book without orders');
    }
    if (modes.get(bookId) === 'live') {
      // A payout that was never sent has no route.
      const isUnsent = route === NO_ROUTE && !attempted.has(id);
      if (!isUnsent && (route === SANDBOX || !known.has(route)))
        complain(`a live order went to ${route}`);
      continue;
    }
    if (route !== SANDBOX) complain(`a test order went to ${route}`);
    if (atOperators.has(withoutDashes(operatorReference))) complain('an operator got a test order');
    if (attempted.has(id)) complain('an attempt at an operator is recorded for a test order');
  }
}
