import type { ActDeps } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { Actor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import type { Database, Statement } from '../postgres/database.ts';
import { findMerchant, lockMerchant, type Merchant } from './find-merchant.ts';

type SuspendDeps = ActDeps & Readonly<{ database: Database }>;
type SuspendRequest = Readonly<{ actor: Actor; merchant: string; reason: string }>;

/**
 * Stops a merchant's payouts in both books. Its keys start no new ones, within a second in every process, and what
 * is queued waits until the merchant is resumed, or is cancelled. What was sent is still inquired about, and can be read.
 */
export async function suspendMerchant(
  deps: SuspendDeps,
  request: SuspendRequest,
): Promise<Merchant> {
  return setSuspended(deps, request, deps.now());
}

/** Lets a suspended merchant pay again, beginning with what is queued. */
export async function resumeMerchant(
  deps: SuspendDeps,
  request: SuspendRequest,
): Promise<Merchant> {
  return setSuspended(deps, request, null);
}

async function setSuspended(
  deps: SuspendDeps,
  { actor, merchant, reason }: SuspendRequest,
  suspendedAt: Date | null,
): Promise<Merchant> {
  return actAs(deps, actor, async (tx) => {
    const { id, name, suspendedAt: before } = await lockMerchant(tx, merchant);
    if (suspendedAt !== null && before !== null) {
      throw new AdminRefused('MERCHANT_SUSPENDED', { name, since: before });
    }
    if (suspendedAt === null && before === null) {
      throw new AdminRefused('MERCHANT_NOT_SUSPENDED', { name });
    }
    await tx.query(SET, [id, suspendedAt]);
    await recordAct(tx, deps, {
      actor,
      kind: suspendedAt === null ? 'MERCHANT_RESUMED' : 'MERCHANT_SUSPENDED',
      subject: name,
      merchantId: id,
      reason,
      before: { suspended: before !== null },
      after: { suspended: suspendedAt !== null },
    });
    return findMerchant(tx, id);
  });
}

const SET: Statement = {
  name: '',
  text: 'update books set suspended_at = $2 where merchant_id = $1',
};
