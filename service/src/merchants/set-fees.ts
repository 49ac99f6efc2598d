import type { ActDeps } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { Actor } from '../domain/actor.ts';
import type { FeeTerms } from '../domain/fee.ts';
import type { Mode } from '../domain/transfer.ts';
import type { Database, Statement } from '../postgres/database.ts';
import { feeFacts } from './fee-facts.ts';
import { findMerchant, lockMerchant, type Merchant } from './find-merchant.ts';

/** Sets what transfers of a book cost from now on. Stored transfers keep the fee they were given, and submitted files theirs. */
export async function setFees(
  deps: ActDeps & Readonly<{ database: Database }>,
  request: Readonly<{
    actor: Actor;
    merchant: string;
    mode: Mode;
    feeTerms: FeeTerms;
    reason?: string | null;
  }>,
): Promise<Merchant> {
  const { actor, mode, feeTerms, reason = null } = request;
  return actAs(deps, actor, async (tx) => {
    const { id, name, books } = await lockMerchant(tx, request.merchant);
    const { fixedMinor, basisPoints } = feeTerms;
    await tx.query(UPDATE, [books[mode].id, fixedMinor, basisPoints]);
    await recordAct(tx, deps, {
      actor,
      kind: 'FEES_SET',
      subject: name,
      merchantId: id,
      bookId: books[mode].id,
      reason,
      before: { mode, ...feeFacts(books[mode].feeTerms) },
      after: { mode, ...feeFacts(feeTerms) },
    });
    return findMerchant(tx, id);
  });
}

const UPDATE: Statement = {
  name: '',
  text: 'update books set fee_fixed_minor = $2, fee_basis_points = $3 where id = $1',
};
