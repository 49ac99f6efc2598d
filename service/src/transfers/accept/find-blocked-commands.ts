import { findLockedRows } from '../../ledger/find-locked-rows.ts';
import { type Queryable, sqlState } from '../../postgres/database.ts';
import type { Move } from '../move/move-transfers.ts';
import { findLockedBooks, needsBookLock } from './lock-books.ts';
import type { PreparedTransfer } from './prepared-transfer.ts';

const LOCK_NOT_AVAILABLE = '55P03';

/** A lock was not available in time. The server rolled everything back. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === LOCK_NOT_AVAILABLE;
}

function walletKey(bookId: string, walletId: string): string {
  return `wallet ${bookId} ${walletId}`;
}

function transferKey(bookId: string, id: string): string {
  return `transfer ${bookId} ${id}`;
}

function bookKey(bookId: string): string {
  return `book ${bookId}`;
}

export function keysOfInitiation(prepared: PreparedTransfer): readonly string[] {
  const { book, command } = prepared;
  const wallet = walletKey(book.id, command.walletId);
  return needsBookLock(prepared) ? [bookKey(book.id), wallet] : [wallet];
}

/** Which wallets and books of these commands are locked by others now. */
export async function findBlockedInitiations(
  database: Queryable,
  group: readonly PreparedTransfer[],
): Promise<ReadonlySet<string>> {
  const wallets = group.map(({ book, command }) => ({
    bookId: book.id,
    id: command.walletId,
  }));
  const locked = await findLockedRows(database, 'wallets', wallets);
  const books = await findLockedBooks(database, group);
  return new Set([...locked.map(({ bookId, id }) => walletKey(bookId, id)), ...books.map(bookKey)]);
}

/** A move that ends a transfer locks its wallet too. */
function movesMoney({ transfer, step }: Move): boolean {
  return step.to !== transfer.state && ENDS.includes(step.to);
}

const ENDS: readonly string[] = ['succeeded', 'failed', 'cancelled', 'reversed'];

export function keysOfMove(move: Move): readonly string[] {
  const { bookId, walletId, id } = move.transfer;
  const transfer = transferKey(bookId, id);
  return movesMoney(move) ? [walletKey(bookId, walletId), transfer] : [transfer];
}

/** Which wallets and transfers of these moves are locked by others now. */
export async function findBlockedMoves(
  database: Queryable,
  moves: readonly Move[],
): Promise<ReadonlySet<string>> {
  const walletKeys = moves
    .filter(movesMoney)
    .map(({ transfer }) => ({ bookId: transfer.bookId, id: transfer.walletId }));
  const wallets = await findLockedRows(database, 'wallets', walletKeys);
  const transfers = await findLockedRows(
    database,
    'transfers',
    moves.map(({ transfer }) => transfer),
  );
  return new Set([
    ...wallets.map(({ bookId, id }) => walletKey(bookId, id)),
    ...transfers.map(({ bookId, id }) => transferKey(bookId, id)),
  ]);
}
