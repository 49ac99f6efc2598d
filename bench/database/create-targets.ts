import { randomBytes, randomUUID } from 'node:crypto';
import type { SystemActor } from '../../service/src/domain/actor.ts';
import type { Mode } from '../../service/src/domain/transfer.ts';
import { fundWallet } from '../../service/src/ledger/fund-wallet.ts';
import { createMerchantIn } from '../../service/src/merchants/create-merchant.ts';
import { createWallet } from '../../service/src/merchants/create-wallet.ts';
import { issueKey } from '../../service/src/merchants/issue-key.ts';
import type { Database } from '../../service/src/postgres/database.ts';
import type { Target } from '../load/transfer-request.ts';

const ACTOR: SystemActor = { kind: 'system', part: 'bench' };
/** 10,000,000,000.00: no run pays out as much. */
const FUNDED_MINOR = 1_000_000_000_000n;
const MERCHANTS_AT_ONCE = 8;

/** Merchants with one funded wallet and one key each, in test books. */
export async function createTargets(
  { database, signal }: Readonly<{ database: Database; signal: AbortSignal }>,
  count: number,
): Promise<readonly Target[]> {
  const targets: Target[] = [];
  while (targets.length < count) {
    signal.throwIfAborted();
    const batch = Math.min(MERCHANTS_AT_ONCE, count - targets.length);
    const created = Array.from({ length: batch }, (_, index) =>
      createTarget(database, { name: `Merchant ${targets.length + index}`, mode: 'test' }),
    );
    targets.push(...(await Promise.all(created)));
  }
  return targets;
}

/** A merchant with a funded wallet and a key that may do what the scenarios do. */
export async function createTarget(
  database: Database,
  { name, mode }: Readonly<{ name: string; mode: Mode }>,
): Promise<Target> {
  const deps = {
    database,
    // On the handle of a cell, which finds the tables of the directory too.
    directory: database,
    now: () => new Date(),
    newId: () => randomUUID(),
    randomBytes,
  };
  const feeTerms = { fixedMinor: 0n, basisPoints: 0 };
  const merchant = await database.transaction((tx) =>
    createMerchantIn(tx, deps, { actor: ACTOR, name, feeTerms }),
  );
  const bookId = merchant.books[mode].id;
  const key = await issueKey(deps, {
    actor: ACTOR,
    bookId,
    mode,
    name: 'Bench',
    scopes: ['transfers:write', 'read'],
    addresses: [],
    expiresAt: null,
  });
  const wallet = await createWallet(deps, {
    actor: ACTOR,
    bookId,
    currency: 'ZMW',
    name: 'Payroll',
  });
  await fundWallet(deps, {
    bookId,
    walletId: wallet.id,
    amountMinor: FUNDED_MINOR,
    fundingReference: 'bench',
  });
  return { apiKey: key.text, walletId: wallet.id };
}
