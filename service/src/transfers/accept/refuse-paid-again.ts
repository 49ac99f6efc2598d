import { refuse } from '../../domain/refusal.ts';
import { prepareGroup } from '../../postgres/bad-command.ts';
import type { Queryable } from '../../postgres/database.ts';
import { findMayBePaid, isPaidAgain, type PaymentAgain } from '../read/find-may-be-paid.ts';
import { inBook, type Judge } from './decide-in-order.ts';
import type { PreparedTransfer } from './prepared-transfer.ts';

type Order = Pick<PreparedTransfer, 'book' | 'command' | 'origin'>;

/** Whether an order pays again what was not paid. */
export function isOrderedAgain(order: Order): boolean {
  return isPaidAgain(againOf(order));
}

function againOf({ book, command, origin }: Order): PaymentAgain {
  return { bookId: book.id, reference: command.reference, replaces: origin.replaces };
}

/**
 * Refuses orders that pay again what the operator may have paid: it failed or was cancelled, and the operator says since
 * that it paid it, or is being asked. All ways to pay again meet here: files of failed rows, the command line and single
 * calls. Groups without such an order are not looked at. What is accepted and leaves later is looked at again when it is
 * claimed.
 */
export async function refusePaidAgain(
  tx: Queryable,
  group: readonly Order[],
  judge: Judge,
): Promise<Judge> {
  const again = prepareGroup(() => group.map(againOf).filter(isPaidAgain));
  if (again.length === 0) return judge;
  const found = await findMayBePaid(tx, again);
  const mayBePaid = new Set(
    [...found.keys()].map(({ bookId, reference }) => inBook(bookId, reference)),
  );
  return {
    ...judge,
    judge(one) {
      const { book, command } = one.prepared;
      const judged = judge.judge(one);
      if (!mayBePaid.has(inBook(book.id, command.reference))) return judged;
      return { ...judged, refusal: refuse('EARLIER_MAY_BE_PAID') };
    },
  };
}
