import type { ControlSnapshots } from '../../controls/control-snapshots.ts';
import type { Controls } from '../../controls/controls.ts';
import { refuse } from '../../domain/refusal.ts';
import { prepareGroup } from '../../postgres/bad-command.ts';
import { type Database, type Queryable, violatedConstraint } from '../../postgres/database.ts';
import { failpoint } from '../../telemetry/failpoint.ts';
import { ControlsChanged, expectControls } from './controls-changed.ts';
import { type AcceptResult, decideInOrder } from './decide-in-order.ts';
import { countAccepted, judgePrepared, readJudge } from './judge-in-order.ts';
import { lockBooks } from './lock-books.ts';
import { acceptTransfer, type PreparedTransfer } from './prepared-transfer.ts';
import { proveDurable, readKnownTransfers } from './read-known-transfers.ts';
import { FileLost, hasFileRows, refuseLostFiles } from './refuse-lost-files.ts';
import { isOrderedAgain, refusePaidAgain } from './refuse-paid-again.ts';
import { storeTransfers } from './store-transfers.ts';

/** How often a group that lost a race for a reference is decided again. */
const RACES_MAX = 5;

export type CommitDeps = Readonly<{
  database: Database;
  leaseOwner: string;
  now: () => Date;
  controls: ControlSnapshots;
}>;

/**
 * Commits one group. Nearly always every command passes, and then storing all at once is the same as deciding in order.
 * If one does not pass, nothing was stored, and the whole group is decided in order under the wallets' locks.
 */
export async function commitTransfers(
  deps: CommitDeps,
  group: readonly PreparedTransfer[],
): Promise<readonly AcceptResult[]> {
  const at = deps.now();
  if (prepareGroup(() => group.every(passesAlone))) {
    const accepted = prepareGroup(() => group.map((prepared) => acceptTransfer(prepared, at)));
    failpoint('before-store-commit');
    if (await storedAtOnce(deps, { accepted, at })) {
      failpoint('after-store-commit');
      return accepted.map(({ transfer }) => ({ kind: 'accepted', transfer }));
    }
  }
  let judged = group;
  for (let races = 0; ; races += 1) {
    try {
      const decided = judged;
      return await deps.database.transaction((tx) => decideGroup(tx, deps, decided));
    } catch (error) {
      if (races === RACES_MAX)
        throw error instanceof ControlsChanged ? refuse('UNAVAILABLE') : error;
      if (error instanceof ControlsChanged) judged = await judgeAnew(deps, judged, error);
      else if (error instanceof FileLost) continue;
      // Another process stored the same reference between our read and our insert.
      else if (violatedConstraint(error) === undefined) throw error;
    }
  }
}

function passesAlone(prepared: PreparedTransfer): boolean {
  const { unroutable, sendAtProblem, controls, judged } = prepared;
  if (unroutable !== null || sendAtProblem !== null || isOrderedAgain(prepared)) return false;
  if (controls === null) return true;
  return judged !== null && judged.refusal === null && judged.approvalsNeeded === null;
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

/** The same commands under the controls that are in force now. */
async function judgeAnew(
  deps: CommitDeps,
  group: readonly PreparedTransfer[],
  { versions }: ControlsChanged,
): Promise<readonly PreparedTransfer[]> {
  const found = new Map<string, Controls | null>();
  for (const [id, controlsVersion] of versions) {
    found.set(id, await deps.controls.find({ id, controlsVersion }));
  }
  return group.map((prepared) => {
    const controls = found.get(prepared.book.id);
    if (controls === undefined) return prepared;
    // Whether these rules ask for the name is known only now, and no operator is asked while others wait to be stored.
    const under = { ...prepared, controls, nameMatch: prepared.nameMatch ?? undefined };
    return { ...under, judged: judgePrepared(under, deps.now()) };
  });
}

async function decideGroup(
  tx: Queryable,
  deps: CommitDeps,
  group: readonly PreparedTransfer[],
): Promise<readonly AcceptResult[]> {
  const lockedAt = await lockBooks(tx, group);
  const { knowledge, controlsVersions } = await readKnownTransfers(tx, group);
  expectControls(group, controlsVersions);
  const at = lockedAt ?? deps.now();
  const { leaseOwner } = deps;
  const payable = await refusePaidAgain(tx, group, await readJudge(tx, group, at));
  const judge = await refuseLostFiles(tx, { group, leaseOwner }, payable);
  const commands = prepareGroup(() =>
    group.map((prepared) => ({ prepared, accepted: acceptTransfer(prepared, at) })),
  );
  const decisions = prepareGroup(() => decideInOrder(commands, knowledge, judge));
  const accepted = decisions.flatMap((one) => (one.kind === 'accepted' ? [one.accepted] : []));
  if (accepted.length === 0) {
    await proveDurable(tx);
    return decisions;
  }
  const stored = await storeTransfers(tx, { accepted, at, leaseOwner });
  if (!stored && hasFileRows(group)) throw new FileLost();
  if (!stored) throw new Error('the ledger refused transfers that were decided under its locks');
  await countAccepted(
    tx,
    group.filter((_, index) => decisions[index]?.kind === 'accepted'),
    at,
  );
  return decisions;
}
