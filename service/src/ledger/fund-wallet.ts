import type { Queryable, Statement } from '../postgres/database.ts';
import { violatedConstraint } from '../postgres/database.ts';
import { LOCK_WALLETS, POST_LEGS } from './wallet-legs.ts';

export type FundingOrder = Readonly<{
  bookId: string;
  walletId: string;
  amountMinor: bigint;
  /** Unique in the book: the same reference twice funds once. */
  fundingReference: string;
}>;

export type FundingResult = 'funded' | 'already funded' | 'wallet not found';

/** Credits a wallet from outside, even a frozen one: freezing stops money from leaving, not from arriving. */
export async function fundWallet(
  deps: Readonly<{ database: Queryable; now: () => Date }>,
  funding: FundingOrder,
): Promise<FundingResult> {
  try {
    const rows = await deps.database.query(FUND, [
      funding.bookId,
      funding.walletId,
      funding.amountMinor,
      funding.fundingReference,
      deps.now(),
    ]);
    return rows.length === 1 ? 'funded' : 'wallet not found';
  } catch (error) {
    if (violatedConstraint(error) === 'postings_funding') return 'already funded';
    throw error;
  }
}

const FUND: Statement = {
  name: 'fund-wallet',
  text: `
    with touched as (select $1::uuid as book_id, $2::uuid as wallet_id),
    clock as (select $5::timestamptz as at),
    ${LOCK_WALLETS},
    legs as (
      select book_id, wallet_id, 1 as ord, 1 as leg, 'fund' as kind, 'funding' as from_account,
             'available' as to_account, $3::bigint as amount_minor, $3::bigint as available_delta,
             0::bigint as held_delta, null::uuid as transfer_id, $4::text as funding_reference
      from locked
    ),
    ${POST_LEGS}
    select wallet_id from locked`,
};
