import type { Queryable, Statement } from '../postgres/database.ts';

const ADMINISTRATORS_LISTED_MAX = 1_000;

export type KnownAdministrator = Readonly<{
  id: string;
  name: string;
  createdAt: Date;
  removedAt: Date | null;
  /** The key opens something now: it was not ended, and its owner is still an admin. */
  isAdmin: boolean;
}>;

/** All present and former administrators. Those who may still act come first. */
export async function listAdministrators(
  directory: Queryable,
): Promise<readonly KnownAdministrator[]> {
  const rows = await directory.query<{
    id: string;
    name: string;
    created_at: Date;
    removed_at: Date | null;
    is_admin: boolean;
  }>(LIST, [ADMINISTRATORS_LISTED_MAX]);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    removedAt: row.removed_at,
    isAdmin: row.is_admin,
  }));
}

const LIST: Statement = {
  name: '',
  text: `
    select a.id, a.name, a.created_at, a.removed_at,
           a.removed_at is null and exists (
             select from staff_roles r where r.person_id = a.id and r.role = 'admin'
           ) as is_admin
    from administrators a
    order by is_admin desc, lower(a.name)
    limit $1`,
};
