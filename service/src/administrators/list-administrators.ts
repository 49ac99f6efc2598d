import type { Queryable, Statement } from '../postgres/database.ts';

const ADMINISTRATORS_LISTED_MAX = 1_000;

export type KnownAdministrator = Readonly<{
  id: string;
  name: string;
  createdAt: Date;
  removedAt: Date | null;
}>;

/** All there are and were, those who still may act first. */
export async function listAdministrators(
  database: Queryable,
): Promise<readonly KnownAdministrator[]> {
  const rows = await database.query<{
    id: string;
    name: string;
    created_at: Date;
    removed_at: Date | null;
  }>(LIST, [ADMINISTRATORS_LISTED_MAX]);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    removedAt: row.removed_at,
  }));
}

const LIST: Statement = {
  name: '',
  text: `
    select id, name, created_at, removed_at
    from administrators
    order by removed_at is not null, lower(name)
    limit $1`,
};
