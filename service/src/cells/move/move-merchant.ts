import type { ActDeps } from '../../acts/act.ts';
import { refuseRemoved } from '../../acts/act-as.ts';
import { recordAct } from '../../acts/record-act.ts';
import type { Actor } from '../../domain/actor.ts';
import { AdminRefused } from '../../domain/admin-refused.ts';
import { verifyLedger } from '../../ledger/verify-ledger.ts';
import type { Database, Queryable } from '../../postgres/database.ts';
import { failpoint } from '../../telemetry/failpoint.ts';
import { closeMerchant } from './close-merchant.ts';
import { type CopyProgress, copyMerchant } from './copy-merchant.ts';
import { forgetRows } from './forget-rows.ts';
import { leaveCell } from './leave-cell.ts';
import { lockMoves, type MoveLock } from './move-lock.ts';
import {
  findOpenMove,
  isCellClosed,
  listKeptMoves,
  type MoveRecord,
  type PlacedMerchant,
  placeMerchant,
  setPhase,
  storeMove,
} from './move-record.ts';
import { type MoveCell, readMerchantHere } from './moving-merchant.ts';
import { openMerchant } from './open-merchant.ts';

export type MoveDeps = ActDeps &
  Readonly<{
    /** A handle whose only schema is the directory. */
    directory: Database;
    /** As the owner of its tables. Throws where it is not known or cannot be reached. */
    cellNamed: (name: string) => MoveCell;
    monotonicMs: () => number;
    onProgress?: (progress: CopyProgress) => void;
  }>;

export type MoveRequest = Readonly<{ actor: Actor; merchant: string; reason: string | null }>;

export type MoveResult = Readonly<{
  merchant: PlacedMerchant;
  from: string;
  to: string;
  /** Null: copied by an earlier try. */
  rows: number | null;
  /** How long this try refused the merchant's writes. */
  pausedMs: number;
}>;

type Step = Readonly<{
  merchant: PlacedMerchant;
  move: MoveRecord;
  actor: Actor;
  lock: MoveLock;
}>;

/**
 * Moves a merchant with both its books to another cell. Its writes are refused meanwhile, and reads go on. Every step
 * can be repeated: a move that was cut off is continued by calling this again, or is undone before the switch.
 *
 * In each step only one cell may write or send anything of the merchant: the old one until it is closed, none until the
 * directory names the new one, then that.
 */
export async function moveMerchant(
  deps: MoveDeps,
  request: MoveRequest & Readonly<{ to: string }>,
): Promise<MoveResult> {
  return lockMoves(deps.directory, request.merchant, async (merchant, lock) => {
    const move =
      (await continueMove(deps, merchant, request.to)) ??
      (await beginMove(deps, request, merchant));
    const step = { merchant, move, actor: request.actor, lock };
    const startedMs = deps.monotonicMs();
    failpoint('move-began');
    const rows = move.phase === 'closing' ? await closeAndCopy(deps, step) : null;
    if (move.phase !== 'switched') await switchCells(deps, step, request.reason);
    failpoint('move-switched');
    const epoch = move.epoch;
    const target = deps.cellNamed(move.toCell);
    await openMerchant(target.database, lock, { merchantId: merchant.id, epoch });
    const pausedMs = deps.monotonicMs() - startedMs;
    failpoint('move-opened');
    await leaveCell({ source: deps.cellNamed(move.fromCell), target, lock }, merchant.id);
    failpoint('move-left');
    await setPhase(deps.directory, move, { from: ['switched'], phase: 'opened', at: deps.now() });
    const { fromCell: from, toCell: to } = move;
    return { merchant: { ...merchant, cell: to, epoch }, from, to, rows, pausedMs };
  });
}

/** Opens the merchant again where it was, and deletes what was copied. Not after the switch. */
export async function undoMove(deps: MoveDeps, request: MoveRequest): Promise<PlacedMerchant> {
  return lockMoves(deps.directory, request.merchant, async (merchant, lock) => {
    const move = await findOpenMove(deps.directory, merchant.id);
    if (move === undefined) throw new AdminRefused('MOVE_NOT_FOUND', {});
    if (move.phase === 'switched') {
      throw new AdminRefused('MOVE_SWITCHED', { name: merchant.name, to: move.toCell });
    }
    await undo(deps, { merchant, move, actor: request.actor, lock }, request.reason);
    return merchant;
  });
}

/** Deletes what cells that a merchant left have kept of it. Returns the number of rows. */
export async function forgetMoved(
  deps: MoveDeps,
  request: MoveRequest,
): Promise<Readonly<{ merchant: PlacedMerchant; cells: readonly string[]; rows: number }>> {
  return lockMoves(deps.directory, request.merchant, async (merchant, lock) => {
    if ((await findOpenMove(deps.directory, merchant.id)) !== undefined) {
      throw new AdminRefused('MOVE_UNDER_WAY', { name: merchant.name });
    }
    const moves = await listKeptMoves(deps.directory, merchant.id);
    if (moves.length === 0) throw new AdminRefused('MOVE_NOT_FOUND', {});
    const cells: string[] = [];
    let rows = 0;
    for (const move of moves) {
      // Where it is served again its old rows are gone, and a command that was cut off did not record that.
      if (move.fromCell !== merchant.cell) {
        const source = deps.cellNamed(move.fromCell);
        // Callbacks that it stored after it had handed over those it had then.
        await leaveCell({ source, target: deps.cellNamed(merchant.cell), lock }, merchant.id);
        rows += await forgetRows({ ...source, lock }, merchant.id);
        cells.push(move.fromCell);
      }
      failpoint('move-forgotten');
      await act(deps, request.actor, async (tx) => {
        await setPhase(tx, move, { from: ['opened'], phase: 'forgotten', at: deps.now() });
        await recordAct(tx, deps, {
          actor: request.actor,
          kind: 'MERCHANT_FORGOTTEN',
          subject: merchant.name,
          merchantId: merchant.id,
          reason: request.reason,
          before: { cell: move.fromCell },
          after: null,
        });
      });
    }
    return { merchant, cells, rows };
  });
}

async function continueMove(
  deps: MoveDeps,
  merchant: PlacedMerchant,
  to: string,
): Promise<MoveRecord | undefined> {
  const move = await findOpenMove(deps.directory, merchant.id);
  if (move !== undefined && move.toCell !== to) {
    throw new AdminRefused('MOVE_ELSEWHERE', { name: merchant.name, to: move.toCell });
  }
  return move;
}

async function beginMove(
  deps: MoveDeps,
  { actor, reason, to }: MoveRequest & Readonly<{ to: string }>,
  merchant: PlacedMerchant,
): Promise<MoveRecord> {
  const { id: merchantId, name, cell: fromCell } = merchant;
  if (fromCell === to) throw new AdminRefused('MOVE_TO_SAME_CELL', { name, cell: to });
  const target = deps.cellNamed(to);
  if (await isCellClosed(deps.directory, to)) throw new AdminRefused('CELL_CLOSED', { name: to });
  const there = await readMerchantHere(target.database, merchantId);
  // A copy of a move that was undone meanwhile goes before the next is made.
  if (there !== undefined && there.state !== 'arriving') {
    throw new AdminRefused('MOVE_NOT_FORGOTTEN', { name, cell: to });
  }
  const move: MoveRecord = {
    merchantId,
    fromCell,
    toCell: to,
    epoch: merchant.epoch + 1,
    phase: 'closing',
    beganAt: deps.now(),
  };
  await act(deps, actor, async (tx) => {
    await storeMove(tx, move);
    await recordAct(tx, deps, {
      actor,
      kind: 'MERCHANT_MOVE_BEGAN',
      subject: name,
      merchantId,
      reason,
      before: { cell: fromCell },
      after: { cell: to },
    });
  });
  return move;
}

/** Returns the number of rows that were copied. */
async function closeAndCopy(deps: MoveDeps, step: Step): Promise<number> {
  const { merchant, move, lock } = step;
  const source = deps.cellNamed(move.fromCell);
  const target = deps.cellNamed(move.toCell);
  const closing = { merchantId: merchant.id, epoch: move.epoch };
  try {
    await closeMerchant({ ...source, lock, monotonicMs: deps.monotonicMs }, closing);
  } catch (error) {
    // What it has under way does not end: it is better served where it is.
    if (error instanceof AdminRefused) await undo(deps, step, null);
    throw error;
  }
  failpoint('move-closed');
  await lock.check();
  // A copy that was not found right, or of a try that was cut off.
  await forgetRows({ ...target, lock }, merchant.id);
  const here = await readMerchantHere(source.database, merchant.id);
  const books = here?.books ?? [];
  const moved = { ...closing, books };
  const { rows } = await copyMerchant({ source, target }, moved, deps.onProgress ?? ignore);
  failpoint('move-copied');
  const ledger = await verifyLedger(target.database, { books });
  if (!ledger.ok) {
    throw new Error(`the ledger of the copy is wrong: ${ledger.problems[0]?.message ?? ''}`);
  }
  await lock.check();
  await setPhase(deps.directory, move, { from: ['closing'], phase: 'copied', at: deps.now() });
  failpoint('move-verified');
  return rows;
}

async function switchCells(
  deps: MoveDeps,
  { merchant, move, actor, lock }: Step,
  reason: string | null,
): Promise<void> {
  await lock.check();
  await act(deps, actor, async (tx) => {
    if (!(await placeMerchant(tx, move))) {
      throw new Error('the directory no longer has the merchant in the cell that it moves from');
    }
    await setPhase(tx, move, { from: ['copied'], phase: 'switched', at: deps.now() });
    await recordAct(tx, deps, {
      actor,
      kind: 'MERCHANT_MOVED',
      subject: merchant.name,
      merchantId: merchant.id,
      reason,
      before: { cell: move.fromCell, epoch: move.epoch - 1 },
      after: { cell: move.toCell, epoch: move.epoch },
    });
  });
}

async function undo(
  deps: MoveDeps,
  { merchant, move, actor, lock }: Step,
  reason: string | null,
): Promise<void> {
  await lock.check();
  // From here on the copy is not whole: if the move is continued after all, it copies anew.
  const from = ['closing', 'copied'] as const;
  await setPhase(deps.directory, move, { from, phase: 'closing', at: deps.now() });
  failpoint('move-undoing');
  await forgetRows({ ...deps.cellNamed(move.toCell), lock }, merchant.id);
  failpoint('move-uncopied');
  const { database } = deps.cellNamed(move.fromCell);
  await openMerchant(database, lock, { merchantId: merchant.id, epoch: move.epoch - 1 });
  failpoint('move-reopened');
  await act(deps, actor, async (tx) => {
    await setPhase(tx, move, { from: ['closing'], phase: 'undone', at: deps.now() });
    await recordAct(tx, deps, {
      actor,
      kind: 'MERCHANT_MOVE_UNDONE',
      subject: merchant.name,
      merchantId: merchant.id,
      reason,
      before: { cell: move.toCell },
      after: { cell: move.fromCell },
    });
  });
}

async function act(
  { directory }: MoveDeps,
  actor: Actor,
  work: (tx: Queryable) => Promise<void>,
): Promise<void> {
  await directory.transaction(async (tx) => {
    await refuseRemoved(tx, actor);
    await work(tx);
  });
}

const ignore = (): void => undefined;
