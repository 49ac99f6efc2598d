import { findLockedWallets } from '../../ledger/find-locked-wallets.ts';
import { type Queryable, type Statement, sqlState } from '../../postgres/database.ts';
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
    walletId: command.walletId,
  }));
  const locked = await findLockedWallets(database, wallets);
  const books = await findLockedBooks(database, group);
  return new Set([
    ...locked.map(({ bookId, walletId }) => walletKey(bookId, walletId)),
    ...books.map(bookKey),
  ]);
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
  const money = moves.filter(movesMoney).map(({ transfer }) => transfer);
  const wallets = await findLockedWallets(database, money);
  const transfers = await database.query<{ book_id: string; id: string }>(FIND_LOCKED, [
    moves.map(({ transfer }) => transfer.bookId),
    moves.map(({ transfer }) => transfer.id),
  ]);
  return new Set([
    ...wallets.map(({ bookId, walletId }) => walletKey(bookId, walletId)),
    ...transfers.map((row) => transferKey(row.book_id, row.id)),
  ]);
}

const FIND_LOCKED: Statement = {
  name: 'find-locked-transfers',
  text: `
    with wanted as (
      select t.book_id, t.id from transfers t
      where (t.book_id, t.id) in (select * from unnest($1::uuid[], $2::uuid[]))
    ),
    free as materialized (
      select t.book_id, t.id from transfers t
      where (t.book_id, t.id) in (select book_id, id from wanted)
      for update skip locked
    )
    select book_id, id from wanted
    except
    select book_id, id from free`,
};
