import type { ActDeps } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { Actor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import { formatMinor } from '../domain/money.ts';
import { checkPlainText } from '../domain/plain-text.ts';
import { fundWallet } from '../ledger/fund-wallet.ts';
import type { Database } from '../postgres/database.ts';
import { type AdminWallet, findWalletForStaff } from './find-wallet-for-staff.ts';
import { findFunding } from './take-back.ts';

const FUNDING_REFERENCE_LENGTH_MAX = 100;

export type FundingRequest = Readonly<{
  actor: Actor;
  walletId: string;
  amountMinor: bigint;
  fundingReference: string;
}>;

/** `already`: this very funding was booked before, so nothing was booked now. */
export type Funded = Readonly<{ wallet: AdminWallet; already: boolean }>;

/**
 * Credits a wallet once per funding reference, so that a command may be repeated when it is not known
 * whether it went through. A reference that was used for something else is refused, and that of a funding that was
 * taken back.
 */
export async function fundByReference(
  deps: ActDeps & Readonly<{ database: Database }>,
  request: FundingRequest,
): Promise<Funded> {
  readFundingReference(request.fundingReference);
  try {
    return { wallet: await book(deps, request), already: false };
  } catch (error) {
    if (!(error instanceof FundedBefore)) throw error;
  }
  const wallet = await findWalletForStaff(deps.database, request.walletId);
  const funding = await findFunding(deps.database, wallet, request.fundingReference);
  if (funding?.amountMinor !== request.amountMinor) {
    throw new AdminRefused('FUNDING_REFERENCE_USED', {});
  }
  // The money is no longer in the wallet, so "booked before" would be taken for success.
  const { returned } = funding;
  if (returned !== null) throw new AdminRefused('FUNDING_REFERENCE_TAKEN_BACK', returned);
  return { wallet, already: true };
}

/** The reference is taken. Thrown, since the transaction that found it out must be rolled back. */
class FundedBefore extends Error {}

async function book(
  deps: ActDeps & Readonly<{ database: Database }>,
  request: FundingRequest,
): Promise<AdminWallet> {
  const { actor, amountMinor, fundingReference } = request;
  return actAs(deps, actor, async (tx) => {
    const { bookId, id: walletId } = await findWalletForStaff(tx, request.walletId);
    const funding = { bookId, walletId, amountMinor, fundingReference };
    const result = await fundWallet({ database: tx, now: deps.now }, funding);
    if (result === 'already funded') throw new FundedBefore();
    if (result === 'wallet not found') throw new AdminRefused('WALLET_NOT_FOUND', {});
    const wallet = await findWalletForStaff(tx, walletId);
    const { mode, currency, availableMinor } = wallet;
    await recordAct(tx, deps, {
      actor,
      kind: 'WALLET_FUNDED',
      subject: walletId,
      merchantId: wallet.merchantId,
      bookId,
      reason: fundingReference,
      before: { mode, currency, available: formatMinor(availableMinor - amountMinor) },
      after: { mode, currency, available: formatMinor(availableMinor) },
    });
    return wallet;
  });
}

/** What names a funding, such as the line of a bank statement. */
export function readFundingReference(reference: string): string {
  const limits = { codePointsMax: FUNDING_REFERENCE_LENGTH_MAX };
  if (reference.trim() !== '' && checkPlainText(reference, limits) === 'ok') return reference;
  throw new AdminRefused('FUNDING_REFERENCE_INVALID', { max: FUNDING_REFERENCE_LENGTH_MAX });
}
