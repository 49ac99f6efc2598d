import type { Actor } from '../domain/actor.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { mergePages } from '../postgres/merge-pages.ts';
import type { ActFacts, ActKind } from './act.ts';
import { ACTS_WITHOUT_PAYOUTS } from './acts-without-payouts.ts';

export type RecordedAct = Readonly<{
  id: string;
  at: Date;
  actor: Readonly<{
    kind: Actor['kind'];
    id: string | null;
    name: string;
    /** What the key that acted is called now. Null: no key acted, or the act names no book. */
    keyName: string | null;
    /** The person acted as one of the merchant's people, not as staff. */
    isMember: boolean;
  }>;
  kind: ActKind;
  subject: string;
  merchant: Readonly<{ id: string; name: string }> | null;
  bookId: string | null;
  reason: string | null;
  before: ActFacts | null;
  after: ActFacts | null;
}>;

/** Null: any. */
export type ActFilter = Readonly<{
  /** The id of a person or a key. For the staff also a name, in any case, such as a user and host. */
  actor: string | null;
  kind: ActKind | null;
  merchantId: string | null;
  bookId: string | null;
  subject: string | null;
  /** From this time on. */
  from: Date | null;
  /** Before this time. */
  to: Date | null;
}>;

export const ANY_ACT: ActFilter = {
  actor: null,
  kind: null,
  merchantId: null,
  bookId: null,
  subject: null,
  from: null,
  to: null,
};

/** The last act of a page. The next page begins after it. */
export type ActPosition = Readonly<{ at: Date; id: string }>;

export type SeenBooks = Readonly<{
  ids: readonly string[];
  /** Those whose payouts the person may read. Of the others only ACTS_WITHOUT_PAYOUTS are listed. Null: all of them. */
  withPayouts: readonly string[] | null;
}>;

export type ActRequest = Readonly<{
  filter: ActFilter;
  /** What a merchant's person sees: acts in no book are listed too. Null: the staff see all. */
  books: SeenBooks | null;
  page: Readonly<{ limit: number; before: ActPosition | null }>;
}>;

/** `next` is null on the last page. */
export type ActPage = Readonly<{ acts: readonly RecordedAct[]; next: ActPosition | null }>;

/** Lists the acts that the directory and cells recorded, newest first. Fails where one of them does. */
export async function listActs(
  databases: readonly Queryable[],
  request: ActRequest,
): Promise<ActPage> {
  const parts = await Promise.all(databases.map((database) => readActs(database, request)));
  return mergeActs(parts, request.page);
}

/** The acts that one of them recorded, newest first: one more than the page has, where there are as many. */
export async function readActs(
  database: Queryable,
  { filter, books, page }: ActRequest,
): Promise<readonly RecordedAct[]> {
  const { actor, kind, merchantId, bookId, subject, from, to } = filter;
  const { limit, before } = page;
  const position = [before?.at ?? null, before?.id ?? null];
  const values = [limit + 1, ...position, books?.ids ?? null, actor, kind, merchantId, bookId];
  const seen = [books?.withPayouts ?? null, ACTS_WITHOUT_PAYOUTS];
  const rows = await database.query<ActRow>(LIST, [...values, subject, from, to, ...seen]);
  return rows.map(toAct);
}

/** One page of what several of them recorded. While a merchant is moved two cells have the same acts. */
export function mergeActs(
  parts: readonly (readonly RecordedAct[])[],
  { limit }: Readonly<{ limit: number }>,
): ActPage {
  const byId = new Map(parts.flat().map((act) => [act.id, act]));
  const all = [...byId.values()].sort(newestFirst);
  const { items: acts, more } = mergePages([all], { limit, compare: newestFirst });
  const last = acts.at(-1);
  return { acts, next: more && last !== undefined ? { at: last.at, id: last.id } : null };
}

/** Ids of one length in lower case are in the order of the database. */
function newestFirst(a: RecordedAct, b: RecordedAct): number {
  return b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1);
}

type ActRow = {
  id: string;
  acted_at: Date;
  actor_kind: Actor['kind'];
  actor_id: string | null;
  actor_name: string;
  key_name: string | null;
  as_member: boolean;
  kind: ActKind;
  subject: string;
  merchant_id: string | null;
  merchant: string | null;
  book_id: string | null;
  reason: string | null;
  before: ActFacts | null;
  after: ActFacts | null;
};

function toAct(row: ActRow): RecordedAct {
  return {
    id: row.id,
    at: row.acted_at,
    actor: {
      kind: row.actor_kind,
      id: row.actor_id,
      name: row.actor_name,
      keyName: row.key_name,
      isMember: row.as_member,
    },
    kind: row.kind,
    subject: row.subject,
    merchant: row.merchant_id === null ? null : { id: row.merchant_id, name: row.merchant ?? '' },
    bookId: row.book_id,
    reason: row.reason,
    before: row.before,
    after: row.after,
  };
}

// Not prepared, so that the planner sees which filters are given. Acts are stored with the milliseconds of a process's
// clock, so a position reads back as it was. Old acts name the mode of a book and not its id.
const LIST: Statement = {
  name: '',
  text: `
    select a.id, a.acted_at, a.actor_kind, a.actor_id, a.actor_name, k.name as key_name, a.as_member, a.kind,
           a.subject, a.merchant_id, m.name as merchant, a.book_id, a.reason, a.before, a.after
    from acts a
    left join merchants m on m.id = a.merchant_id
    left join api_keys k on a.actor_kind = 'key' and k.book_id = a.book_id and k.id = a.actor_id
    where ($2::timestamptz is null or (a.acted_at, a.id) < ($2, $3::uuid))
      and ($4::uuid[] is null or a.book_id = any ($4) or (a.book_id is null and (
        coalesce(a.after, a.before) ->> 'mode' is null
        or exists (
          select from books b
          where b.id = any ($4) and b.merchant_id = a.merchant_id and b.mode = coalesce(a.after, a.before) ->> 'mode'
        )
      )))
      and ($5::text is null or case when $4::uuid[] is null
        then lower(a.actor_name) = lower($5) or a.actor_id::text = lower($5)
        else a.actor_id::text = lower($5) and (a.as_member or a.actor_kind = 'key')
      end)
      and ($6::text is null or a.kind = $6)
      and ($7::uuid is null or a.merchant_id = $7)
      and ($8::uuid is null or a.book_id = $8)
      and ($9::text is null or a.subject = $9)
      and ($10::timestamptz is null or a.acted_at >= $10)
      and ($11::timestamptz is null or a.acted_at < $11)
      and ($12::uuid[] is null or a.kind = any ($13::text[]) or a.book_id = any ($12) or (a.book_id is null and exists (
        select from books b
        where b.id = any ($12) and b.merchant_id = a.merchant_id and b.mode = coalesce(a.after, a.before) ->> 'mode'
      )))
    order by a.acted_at desc, a.id desc
    limit $1`,
};
