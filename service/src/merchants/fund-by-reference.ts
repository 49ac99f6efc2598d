import { AdminRefused } from '../domain/admin-refused.ts';
import { checkPlainText } from '../domain/plain-text.ts';
import { fundWallet } from '../ledger/fund-wallet.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { type AdminWallet, findWallet, noSuchWallet } from './find-wallet.ts';

const FUNDING_REFERENCE_LENGTH_MAX = 100;

export type FundingRequest = Readonly<{
  walletId: string;
  amountMinor: bigint;
  fundingReference: string;
}>;

/** `already`: this very funding was booked before, so nothing was booked now. */
export type Funded = Readonly<{ wallet: AdminWallet; already: boolean }>;

/**
 * Credits a wallet once per funding reference, so that a command may be repeated when nobody knows
 * whether it went through. A reference that was used for something else is refused.
 */
export async function fundByReference(
  deps: Readonly<{ database: Database; now: () => Date }>,
  request: FundingRequest,
): Promise<Funded> {
  refuseBadReference(request.fundingReference);
  const { bookId, id: walletId } = await findWallet(deps.database, request.walletId);
  const result = await fundWallet(deps, { ...request, bookId, walletId });
  if (result === 'wallet not found') throw noSuchWallet();
  const already = result === 'already funded';
  if (already && !(await isSameFunding(deps.database, { ...request, bookId, walletId }))) {
    throw new AdminRefused(
      'This funding reference was used for another amount or wallet. Nothing was booked.',
      'Give each funding a reference of its own, such as the number of the bank statement line.',
    );
  }
  return { wallet: await findWallet(deps.database, walletId), already };
}

function refuseBadReference(reference: string): void {
  const limits = { codePointsMax: FUNDING_REFERENCE_LENGTH_MAX };
  if (reference.trim() !== '' && checkPlainText(reference, limits) === 'ok') return;
  throw new AdminRefused(
    'The funding reference is not valid.',
    `Give it 1 to ${FUNDING_REFERENCE_LENGTH_MAX} characters without control characters.`,
  );
}

async function isSameFunding(
  database: Queryable,
  funding: FundingRequest & Readonly<{ bookId: string }>,
): Promise<boolean> {
  const { bookId, walletId, amountMinor, fundingReference } = funding;
  const values = [bookId, fundingReference, walletId, amountMinor];
  const rows = await database.query(FIND_SAME, values);
  return rows.length === 1;
}

const FIND_SAME: Statement = {
  name: '',
  text: `
    select seq from postings
    where book_id = $1 and funding_reference = $2 and wallet_id = $3 and amount_minor = $4`,
};
