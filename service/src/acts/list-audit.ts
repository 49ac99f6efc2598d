import type { Actor } from '../domain/actor.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { ActFacts, ActKind } from './act.ts';

export type AuditedAct = Readonly<{
  id: string;
  at: Date;
  actor: Readonly<{ kind: Actor['kind']; id: string | null; name: string }>;
  kind: ActKind;
  subject: string;
  merchant: Readonly<{ id: string; name: string }> | null;
  bookId: string | null;
  reason: string | null;
  before: ActFacts | null;
  after: ActFacts | null;
}>;

/** Null: any. */
export type AuditFilter = Readonly<{
  /** A person's or a key's id, or a name in any case. */
  actor: string | null;
  kind: ActKind | null;
  merchantId: string | null;
  subject: string | null;
  /** From this time on. */
  from: Date | null;
  /** Before this time. */
  to: Date | null;
}>;

/** Where the next page continues. */
export type AuditPosition = Readonly<{ at: Date; id: string }>;

/** What was done, newest first. */
export async function listAudit(
  database: Queryable,
  query: Readonly<{ filter: AuditFilter; max: number; before: AuditPosition | null }>,
): Promise<readonly AuditedAct[]> {
  const { filter, max, before } = query;
  const { actor, kind, merchantId, subject, from, to } = filter;
  const position = [before?.at ?? null, before?.id ?? null];
  const values = [max, ...position, actor, kind, merchantId, subject, from, to];
  const rows = await database.query<AuditRow>(LIST, values);
  return rows.map(toAct);
}

type AuditRow = {
  id: string;
  acted_at: Date;
  actor_kind: Actor['kind'];
  actor_id: string | null;
  actor_name: string;
  kind: ActKind;
  subject: string;
  merchant_id: string | null;
  merchant: string | null;
  book_id: string | null;
  reason: string | null;
  before: ActFacts | null;
  after: ActFacts | null;
};

function toAct(row: AuditRow): AuditedAct {
  const { merchant_id: id, merchant: name } = row;
  return {
    id: row.id,
    at: row.acted_at,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    kind: row.kind,
    subject: row.subject,
    merchant: id === null ? null : { id, name: name ?? '' },
    bookId: row.book_id,
    reason: row.reason,
    before: row.before,
    after: row.after,
  };
}

// Acts are stored with the milliseconds of a process's clock, so a position reads back as it was.
const LIST: Statement = {
  name: '',
  text: `
    select a.id, a.acted_at, a.actor_kind, a.actor_id, a.actor_name, a.kind, a.subject, a.merchant_id,
           m.name as merchant, a.book_id, a.reason, a.before, a.after
    from acts a
    left join merchants m on m.id = a.merchant_id
    where ($2::timestamptz is null or (a.acted_at, a.id) < ($2, $3::uuid))
      and ($4::text is null or lower(a.actor_name) = lower($4) or a.actor_id::text = lower($4))
      and ($5::text is null or a.kind = $5)
      and ($6::uuid is null or a.merchant_id = $6)
      and ($7::text is null or a.subject = $7)
      and ($8::timestamptz is null or a.acted_at >= $8)
      and ($9::timestamptz is null or a.acted_at < $9)
    order by a.acted_at desc, a.id desc
    limit $1`,
};
