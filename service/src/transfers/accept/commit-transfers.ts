import { prepareGroup } from '../../postgres/bad-command.ts';
import { type Database, type Queryable, violatedConstraint } from '../../postgres/database.ts';
import { failpoint } from '../../telemetry/failpoint.ts';
import { type AcceptResult, decideInOrder } from './decide-in-order.ts';
import { acceptTransfer, type PreparedTransfer } from './prepared-transfer.ts';
import { proveDurable, readKnownTransfers } from './read-known-transfers.ts';
import { storeTransfers } from './store-transfers.ts';

/** How often a group that lost a race for a reference is decided again. */
const RACES_MAX = 5;

export type CommitDeps = Readonly<{ database: Database; leaseOwner: string; now: () => Date }>;

/**
 * Commits one group. Nearly always every command passes, and then storing all at once is the same as deciding in order.
 * If one does not pass, nothing was stored, and the whole group is decided in order under the wallets' locks.
 */
export async function commitTransfers(
  deps: CommitDeps,
  group: readonly PreparedTransfer[],
): Promise<readonly AcceptResult[]> {
  const at = deps.now();
  const accepted = prepareGroup(() => group.map((prepared) => acceptTransfer(prepared, at)));
  if (
    group.every(({ unroutable, sendAtProblem }) => unroutable === null && sendAtProblem === null)
  ) {
    failpoint('before-store-commit');
    if (await storedAtOnce(deps, { accepted, at })) {
      failpoint('after-store-commit');
      return accepted.map(({ transfer }) => ({ kind: 'accepted', transfer }));
    }
  }
  for (let races = 0; ; races += 1) {
    try {
      return await deps.database.transaction((tx) => decideGroup(tx, deps, group));
    } catch (error) {
      // Another process stored the same reference between our read and our insert.
      if (violatedConstraint(error) === undefined || races === RACES_MAX) throw error;
    }
  }
}

async function storedAtOnce(
  deps: CommitDeps,
  group: Pick<Parameters<typeof storeTransfers>[1], 'accepted' | 'at'>,
): Promise<boolean> {
  try {
    return await storeTransfers(deps.database, { ...group, leaseOwner: deps.leaseOwner });
  } catch (error) {
    if (violatedConstraint(error) === undefined) throw error;
    return false;
  }
}

async function decideGroup(
  tx: Queryable,
  deps: CommitDeps,
  group: readonly PreparedTransfer[],
): Promise<readonly AcceptResult[]> {
  const knowledge = await readKnownTransfers(tx, group);
  const at = deps.now();
  const commands = group.map((prepared) => ({ prepared, accepted: acceptTransfer(prepared, at) }));
  const decisions = prepareGroup(() => decideInOrder(commands, knowledge));
  const accepted = commands
    .filter((_, index) => decisions[index]?.kind === 'accepted')
    .map((command) => command.accepted);
  if (accepted.length === 0) {
    await proveDurable(tx);
    return decisions;
  }
  const stored = await storeTransfers(tx, { accepted, at, leaseOwner: deps.leaseOwner });
  if (!stored) throw new Error('the ledger refused transfers that were decided under its locks');
  return decisions;
}
