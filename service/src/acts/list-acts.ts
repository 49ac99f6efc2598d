import type { Actor } from '../domain/actor.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { ActFacts, ActKind } from './act.ts';

const ACTS_LISTED_MAX = 500;

export type RecordedAct = Readonly<{
  id: string;
  at: Date;
  actorKind: Actor['kind'];
  actor: string;
  kind: ActKind;
  subject: string;
  merchant: string | null;
  reason: string | null;
  before: ActFacts | null;
  after: ActFacts | null;
}>;

/** Null: any. */
export type ActFilter = Readonly<{
  /** A person's name, or a user and host, in any case. */
  actor: string | null;
  merchantId: string | null;
  kind: ActKind | null;
  /** From this time on. */
  from: Date | null;
  /** Before this time. */
  to: Date | null;
}>;

export type ActList = Readonly<{ acts: readonly RecordedAct[]; more: boolean }>;

/** What was done, the newest first; `more` says that there are earlier ones. */
export async function listActs(database: Queryable, filter: ActFilter): Promise<ActList> {
  const { actor, merchantId, kind, from, to } = filter;
  const values = [ACTS_LISTED_MAX + 1, actor, merchantId, kind, from, to];
  const rows = await database.query<ActRow>(LIST, values);
  const acts = rows.slice(0, ACTS_LISTED_MAX).map((row) => ({
    id: row.id,
    at: row.acted_at,
    actorKind: row.actor_kind,
    actor: row.actor,
    kind: row.kind,
    subject: row.subject,
    merchant: row.merchant,
    reason: row.reason,
    before: row.before,
    after: row.after,
  }));
  return { acts, more: rows.length > ACTS_LISTED_MAX };
}

type ActRow = {
  id: string;
  acted_at: Date;
  actor_kind: Actor['kind'];
  actor: string;
  kind: ActKind;
  subject: string;
  merchant: string | null;
  reason: string | null;
  before: ActFacts | null;
  after: ActFacts | null;
};

const LIST: Statement = {
  name: '',
  text: `
    select a.id, a.acted_at, a.actor_kind, a.actor_name as actor, a.kind, a.subject,
           m.name as merchant, a.reason, a.before, a.after
    from acts a
    left join merchants m on m.id = a.merchant_id
    where ($2::text is null or lower(a.actor_name) = lower($2))
      and ($3::uuid is null or a.merchant_id = $3)
      and ($4::text is null or a.kind = $4)
      and ($5::timestamptz is null or a.acted_at >= $5)
      and ($6::timestamptz is null or a.acted_at < $6)
    order by a.acted_at desc, a.id desc
    limit $1`,
};
