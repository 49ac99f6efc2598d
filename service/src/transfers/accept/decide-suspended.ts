import { refuse } from '../../domain/refusal.ts';
import type { Database } from '../../postgres/database.ts';
import { type AcceptResult, decideKnown } from './decide-in-order.ts';
import type { PreparedTransfer } from './prepared-transfer.ts';
import { proveDurable, readKnownTransfers } from './read-known-transfers.ts';

export const SUSPENDED =
  'This merchant is suspended and starts no payouts now. Nothing was stored. Reading and cancelling go on; ask the company that runs this service.';

/**
 * Decides orders of a suspended merchant. What is stored already is answered as always: it waits and is sent when the
 * merchant is resumed, and a merchant who is told otherwise pays it another way. Apart from the groups, so that it
 * delays no other merchant.
 */
export async function decideSuspended(
  database: Pick<Database, 'transaction'>,
  orders: readonly Pick<PreparedTransfer, 'book' | 'command'>[],
): Promise<readonly AcceptResult[]> {
  return database.transaction(async (tx) => {
    const { knowledge } = await readKnownTransfers(tx, orders);
    await proveDurable(tx);
    return orders.map(
      (order): AcceptResult =>
        decideKnown(order, knowledge) ?? {
          kind: 'refused',
          refusal: refuse('FORBIDDEN', { message: SUSPENDED }),
        },
    );
  });
}
