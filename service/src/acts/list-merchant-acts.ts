import type { Queryable, Statement } from '../postgres/database.ts';
import type { ActFacts, ActKind } from './act.ts';

/** What a merchant sees of an act. */
export type MerchantAct = Readonly<{
  id: string;
  at: Date;
  actor: ShownActor;
  kind: ActKind;
  subject: string;
  bookId: string | null;
  reason: string | null;
  before: ActFacts | null;
  after: ActFacts | null;
}>;

type ShownActor = Readonly<{ kind: 'person' | 'key' | 'system'; id: string | null; name: string }>;

/** Null: any. */
type MerchantActFilter = Readonly<{
  /** The id of a person of the merchant, or of a key. */
  actor: string | null;
  kind: ActKind | null;
  bookId: string | null;
  /** From this time on. */
  from: Date | null;
  /** Before this time. */
  to: Date | null;
}>;

/** After this act, in the order of the list. */
export type ActPosition = Readonly<{ at: Date; id: string }>;

type ListRequest = Readonly<{
  merchantId: string;
  /** Only acts in these books, and those in no book. */
  bookIds: readonly string[];
  filter: MerchantActFilter;
  page: Readonly<{ limit: number; before: ActPosition | null }>;
}>;

/** Merchants know the staff and the machine by one name. */
const STAFF: ShownActor = { kind: 'person', id: null, name: 'Kafue staff' };
const SERVICE: ShownActor = { kind: 'system', id: null, name: 'Kafue' };
/** Of what the staff did, the facts about a merchant's own settings; the rest may name routes and evidence. */
const STAFF_FACTS_SHOWN = /^(KEY|WALLET|FEES|LOW_BALANCE|MERCHANT|WEBHOOK|DELIVER)/;

/** What was done in a merchant, the newest first, as its people may see it. */
export async function listMerchantActs(
  database: Queryable,
  { merchantId, bookIds, filter, page }: ListRequest,
): Promise<Readonly<{ items: readonly MerchantAct[]; next: ActPosition | null }>> {
  const { actor, kind, bookId, from, to } = filter;
  const { limit, before } = page;
  const rows = await database.query<ActRow>(LIST, [
    merchantId,
    bookIds,
    actor,
    kind,
    bookId,
    from,
    to,
    before?.at ?? null,
    before?.id ?? null,
    limit + 1,
  ]);
  const items = rows.slice(0, limit).map(toMerchantAct);
  const last = items.at(-1);
  const next = rows.length > limit && last !== undefined ? { at: last.at, id: last.id } : null;
  return { items, next };
}

type ActRow = {
  id: string;
  acted_at: Date;
  actor_kind: 'person' | 'key' | 'machine' | 'system';
  actor_id: string | null;
  actor_name: string;
  key_name: string | null;
  as_member: boolean;
  kind: ActKind;
  subject: string;
  book_id: string | null;
  reason: string | null;
  before: ActFacts | null;
  after: ActFacts | null;
};

function toMerchantAct(row: ActRow): MerchantAct {
  const actor = showActor(row);
  const showsFacts = actor !== STAFF || STAFF_FACTS_SHOWN.test(row.kind);
  return {
    id: row.id,
    at: row.acted_at,
    actor,
    kind: row.kind,
    subject: row.subject,
    bookId: row.book_id,
    reason: actor === STAFF ? null : row.reason,
    before: showsFacts ? row.before : null,
    after: showsFacts ? row.after : null,
  };
}

function showActor({ actor_kind, actor_id, actor_name, key_name, as_member }: ActRow): ShownActor {
  if (actor_kind === 'key') return { kind: 'key', id: actor_id, name: key_name ?? actor_name };
  if (actor_kind === 'system') return SERVICE;
  return as_member ? { kind: 'person', id: actor_id, name: actor_name } : STAFF;
}

// Not prepared, so that the planner sees which filters are given. Old acts name the mode of a book and not its id.
const LIST: Statement = {
  name: '',
  text: `
    select a.id, a.acted_at, a.actor_kind, a.actor_id, a.actor_name, a.as_member, a.kind, a.subject, a.book_id,
           a.reason, a.before, a.after, k.name as key_name
    from acts a
    left join api_keys k on a.actor_kind = 'key' and k.book_id = a.book_id and k.id = a.actor_id
    where a.merchant_id = $1
      and (a.book_id = any ($2::uuid[]) or (a.book_id is null and (
        coalesce(a.after, a.before) ->> 'mode' is null
        or exists (
          select from books b
          where b.id = any ($2::uuid[]) and b.merchant_id = $1 and b.mode = coalesce(a.after, a.before) ->> 'mode'
        )
      )))
      and ($3::uuid is null or (a.actor_id = $3 and (a.as_member or a.actor_kind = 'key')))
      and ($4::text is null or a.kind = $4)
      and ($5::uuid is null or a.book_id = $5)
      and ($6::timestamptz is null or a.acted_at >= $6)
      and ($7::timestamptz is null or a.acted_at < $7)
      and ($8::timestamptz is null or (a.acted_at, a.id) < ($8, $9::uuid))
    order by a.acted_at desc, a.id desc
    limit $10`,
};
