import type { Queryable, Statement } from '../postgres/database.ts';

const ACTS_LISTED_MAX = 500;

type NotedAct = Readonly<{
  at: Date;
  /** Null: there was nobody yet. */
  administrator: string | null;
  act: string;
  subject: string;
  detail: string | null;
}>;

export type ActList = Readonly<{ acts: readonly NotedAct[]; more: boolean }>;

/** What administrators did, the newest first. */
export async function listActs(database: Queryable): Promise<ActList> {
  const rows = await database.query<ActRow>(LIST, [ACTS_LISTED_MAX + 1]);
  const acts = rows.slice(0, ACTS_LISTED_MAX).map((row) => ({
    at: row.acted_at,
    administrator: row.administrator,
    act: row.act,
    subject: row.subject,
    detail: row.detail,
  }));
  return { acts, more: rows.length > ACTS_LISTED_MAX };
}

type ActRow = {
  acted_at: Date;
  administrator: string | null;
  act: string;
  subject: string;
  detail: string | null;
};

const LIST: Statement = {
  name: '',
  text: `
    select a.acted_at, n.name as administrator, a.act, a.subject, a.detail
    from administrator_acts a
    left join administrators n on n.id = a.administrator_id
    order by a.acted_at desc, a.id desc
    limit $1`,
};
