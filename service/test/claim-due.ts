import type { Transfer } from '../src/domain/transfer.ts';
import type { AmountBounds } from '../src/operators/contract/connector.ts';
import type { Queryable } from '../src/postgres/database.ts';
import { claimInquiries } from '../src/transfers/move/claim-due.ts';
import { claimSubmissions } from '../src/transfers/move/claim-submissions.ts';
import type { ClaimOfRoute } from '../src/transfers/move/claim-walk.ts';
import { findHeldBack, type HeldBack } from '../src/transfers/move/held-back.ts';

export type Due = 'submission' | 'inquiry';

export const ANY_AMOUNT: AmountBounds = { minMinor: 1n, maxMinor: 10n ** 15n, decimals: 2 };

/** Claims what a route has to do, as the scanner does. What waits for a person is among the transfers too. */
export async function claimDue(
  database: Queryable,
  {
    due,
    sentBy,
    bounds = ANY_AMOUNT,
    at = new Date(),
    ...claim
  }: ClaimOfRoute & Readonly<{ due: Due; sentBy?: string; bounds?: AmountBounds; at?: Date }>,
): Promise<
  Readonly<{
    transfers: readonly Transfer[];
    heldBack: ReadonlyMap<string, HeldBack>;
    nextBook: string;
  }>
> {
  if (due === 'inquiry') {
    return { ...(await claimInquiries(database, claim)), heldBack: new Map() };
  }
  const by = { name: sentBy ?? claim.route, account: null, bounds };
  const taken = await claimSubmissions(database, { ...claim, by, at });
  const { leaving, staying, nextBook } = taken;
  const transfers = [...leaving, ...staying.map(({ transfer }) => transfer)];
  return { transfers, heldBack: await findHeldBack(database, staying), nextBook };
}
