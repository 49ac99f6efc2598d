import type { Book } from '../domain/book.ts';
import { type GivenRole, type MerchantRole, mayInBook } from '../domain/roles.ts';
import { SEND_LATE_WITHIN_DEFAULT_MS } from '../domain/send-at.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { ScheduleMaker, WaitsBecause } from './schedule.ts';

type Judged = Readonly<{ book: Book; payAt: Date; maker: Pick<ScheduleMaker, 'kind' | 'id'> }>;

/** Why the file of an occurrence would wait for a person now, by the database's clock; null: it need not. */
export async function findWaitReason(
  database: Queryable,
  { book, payAt, maker }: Judged,
): Promise<WaitsBecause | null> {
  const values = [book.id, payAt, SEND_LATE_WITHIN_DEFAULT_MS];
  const [row] = await database.query<{ is_late: boolean }>(IS_LATE, values);
  if (row?.is_late !== false) return 'LATE';
  return (await mayStillPay(database, maker, book)) ? null : 'MAKER_LEFT';
}

/** Whether who made the schedule could pay today. */
async function mayStillPay(
  database: Queryable,
  maker: Judged['maker'],
  book: Book,
): Promise<boolean> {
  if (maker.kind === 'key') {
    return (await database.query(LIVE_KEY, [book.id, maker.id])).length > 0;
  }
  const rows = await database.query<{ role: MerchantRole; book_id: string | null }>(ROLES, [
    maker.id,
    book.merchantId,
  ]);
  const given: readonly GivenRole[] = rows.map(({ role, book_id }) => ({ role, bookId: book_id }));
  return mayInBook(given, book, 'payouts:write');
}

const IS_LATE: Statement = {
  name: 'is-occurrence-late',
  text: `
    select now() - $2::timestamptz
      > coalesce(send_late_within_ms, $3::bigint)::double precision * interval '1 ms' as is_late
    from books
    where id = $1`,
};

const LIVE_KEY: Statement = {
  name: '',
  text: `
    select id from api_keys
    where book_id = $1 and id = $2 and revoked_at is null and (expires_at is null or expires_at > now())`,
};

const ROLES: Statement = {
  name: '',
  text: 'select role, book_id from merchant_roles where person_id = $1 and merchant_id = $2 for share',
};
