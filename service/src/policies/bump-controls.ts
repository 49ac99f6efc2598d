import { lockAllControls } from '../cells/lock-all-controls.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/**
 * Says in the same transaction that a policy, list or screener of the book changed. From its commit on
 * no payout is decided by what was before: a decision is compared with the version on its locked wallet. It waits for
 * decisions under way, in their order of locks: the book, then the wallets by id.
 *
 * For all books, those of merchants that this cell does not serve are passed over: they refuse every write, as long as
 * their rows are kept, or are being copied and cannot be seen yet. One that is opened counts its controls up by itself, before
 * or after this commit.
 */
export async function bumpControls(
  tx: Queryable,
  {
    bookId,
  }: Readonly<{ /** Null: all books, for a control of the company. */ bookId: string | null }>,
): Promise<void> {
  if (bookId === null) await lockAllControls(tx);
  await tx.query(LOCK_BOOKS, [bookId]);
  await tx.query(COUNT_UP, [bookId]);
  await tx.query(LOCK_WALLETS, [bookId]);
  await tx.query(MARK_WALLETS, [bookId]);
}

const LOCK_BOOKS: Statement = {
  name: 'lock-controls',
  text: `
    select book_id from book_controls
    where $1::uuid is null or book_id = $1
    order by book_id
    for update`,
};

const IS_OPEN = `not exists (
  select from merchants m where m.id = b.merchant_id and m.state <> 'open'
)`;

const COUNT_UP: Statement = {
  name: 'count-controls-up',
  text: `
    update books b set controls_version = coalesce(b.controls_version, 0) + 1
    where b.id = $1 or ($1::uuid is null and ${IS_OPEN})`,
};

const LOCK_WALLETS: Statement = {
  name: 'lock-wallets-of-controls',
  text: `
    select id from wallets
    where $1::uuid is null or book_id = $1
    order by book_id, id
    for update`,
};

const MARK_WALLETS: Statement = {
  name: 'mark-wallets-with-controls',
  text: `
    update wallets w set controls_version = b.controls_version
    from books b
    where b.id = w.book_id and (w.book_id = $1 or ($1::uuid is null and ${IS_OPEN}))`,
};
