import { AdminRefused } from '../domain/admin-refused.ts';
import type { Currency } from '../domain/money.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { lockBook } from './lock-book.ts';
import { readName } from './read-name.ts';

export const WALLETS_MAX = 100;

export type WalletRequest = Readonly<{ bookId: string; currency: Currency; name: string }>;
export type CreatedWallet = WalletRequest & Readonly<{ id: string; createdAt: Date }>;

type WalletDeps = Readonly<{ now: () => Date; newId: () => string }>;

/** Creates an empty wallet. A book may have several of one currency. */
export async function createWallet(
  deps: WalletDeps & Readonly<{ database: Database }>,
  request: WalletRequest,
): Promise<CreatedWallet> {
  return deps.database.transaction((tx) => createWalletIn(tx, deps, request));
}

/** The same inside a transaction of the caller's. */
export async function createWalletIn(
  tx: Queryable,
  deps: WalletDeps,
  request: WalletRequest,
): Promise<CreatedWallet> {
  const { bookId, currency } = request;
  const name = readName(request.name, 'wallet');
  await lockBook(tx, bookId);
  const wallet = { bookId, currency, name, id: deps.newId(), createdAt: deps.now() };
  const values = [bookId, wallet.id, currency, name, wallet.createdAt, WALLETS_MAX];
  const rows = await tx.query(INSERT, values);
  if (rows.length === 1) return wallet;
  throw new AdminRefused(
    `This book has ${WALLETS_MAX} wallets, which is the most it may have.`,
    'Use one that is there: "wallets list" shows them.',
  );
}

const INSERT: Statement = {
  name: '',
  text: `
    insert into wallets (book_id, id, currency, name, created_at)
    select $1::uuid, $2::uuid, $3, $4, $5::timestamptz
    where (select count(*) from wallets where book_id = $1) < $6::integer
    returning id`,
};
