import type { Queryable, Statement } from '../postgres/database.ts';

/** The e-mail addresses of people by their ids. Only the directory has them: cells on other servers do not. */
export async function readEmails(
  directory: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await directory.query<{ id: string; email: string | null }>(READ, [ids]);
  return new Map(rows.map(({ id, email }) => [id, email]));
}

const READ: Statement = {
  name: '',
  text: 'select id, email from people where id = any ($1::uuid[])',
};
