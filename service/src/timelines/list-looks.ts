import type { Queryable, Statement } from '../postgres/database.ts';

const LOOKS_MAX = 20;

/** When people of the service proposed how a transfer ended. What they wrote is not readable here. */
export async function listLooks(
  database: Queryable,
  about: Readonly<{ bookId: string; transferId: string }>,
): Promise<readonly Date[]> {
  const values = [about.bookId, about.transferId, LOOKS_MAX];
  const rows = await database.query<{ proposed_at: Date }>(LIST, values);
  return rows.map((row) => row.proposed_at);
}

const LIST: Statement = {
  name: 'list-looks',
  text: `
    select p.proposed_at from proposals p
    where p.book_id = $1 and p.transfer_id = $2
    order by p.proposed_at
    limit $3`,
};
