import type { ActDeps } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { Actor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import type { Currency } from '../domain/money.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { lockBook } from './lock-book.ts';
import { readName } from './read-name.ts';

export const WALLETS_MAX = 100;

export type WalletRequest = Readonly<{
  actor: Actor;
  bookId: string;
  currency: Currency;
  name: string;
}>;
export type CreatedWallet = Omit<WalletRequest, 'actor'> &
  Readonly<{ id: string; createdAt: Date }>;

/** Creates an empty wallet. A book may have several of one currency. */
export async function createWallet(
  deps: ActDeps & Readonly<{ database: Database }>,
  request: WalletRequest,
): Promise<CreatedWallet> {
  return actAs(deps, request.actor, (tx) => createWalletIn(tx, deps, request));
}

/** The same inside a transaction of the caller's. */
export async function createWalletIn(
  tx: Queryable,
  deps: ActDeps,
  { actor, bookId, currency, name: given }: WalletRequest,
): Promise<CreatedWallet> {
  const name = readName(given, 'wallet');
  const { merchantId, mode } = await lockBook(tx, bookId);
  const wallet = { bookId, currency, name, id: deps.newId(), createdAt: deps.now() };
  const values = [bookId, wallet.id, currency, name, wallet.createdAt, WALLETS_MAX];
  const rows = await tx.query(INSERT, values);
  if (rows.length !== 1) throw new AdminRefused('WALLETS_TOO_MANY', { max: WALLETS_MAX });
  await recordAct(tx, deps, {
    actor,
    kind: 'WALLET_CREATED',
    subject: wallet.id,
    merchantId,
    bookId,
    reason: null,
    before: null,
    after: { mode, currency, name },
  });
  return wallet;
}

const INSERT: Statement = {
  name: '',
  text: `
    insert into wallets (book_id, id, currency, name, created_at)
    select $1::uuid, $2::uuid, $3, $4, $5::timestamptz
    where (select count(*) from wallets where book_id = $1) < $6::integer
    returning id`,
};
