import type { ActDeps, ActFacts, ActKind } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { Actor } from '../domain/actor.ts';
import type { Database, Statement } from '../postgres/database.ts';
import { type AdminWallet, lockWallet } from './find-wallet-for-staff.ts';

export type WalletDeps = ActDeps & Readonly<{ database: Database }>;

/** Sets one thing of a wallet, and records what it was before and is now. */
export async function changeWallet(
  deps: WalletDeps,
  change: Readonly<{
    actor: Actor;
    id: string;
    reason?: string | null;
    kind: ActKind;
    statement: Statement;
    value: string | bigint | null;
    changed: Partial<AdminWallet>;
    factsOf: (wallet: AdminWallet) => ActFacts;
  }>,
): Promise<AdminWallet> {
  const { actor, kind, factsOf, reason = null } = change;
  return actAs(deps, actor, async (tx) => {
    const wallet = await lockWallet(tx, change.id);
    const changed = { ...wallet, ...change.changed };
    await tx.query(change.statement, [wallet.bookId, wallet.id, change.value]);
    await recordAct(tx, deps, {
      actor,
      kind,
      subject: wallet.id,
      merchantId: wallet.merchantId,
      bookId: wallet.bookId,
      reason,
      before: factsOf(wallet),
      after: factsOf(changed),
    });
    return changed;
  });
}
