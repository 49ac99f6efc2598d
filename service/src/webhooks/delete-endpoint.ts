import { refuse } from '../domain/refusal.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { KEEP_VERSION, LOCK_ENDPOINT } from './keep-version.ts';
import type { EndpointKey } from './list-endpoints.ts';

/** Deliveries that still wait for it cannot be sent any more, and the sender gives them up. */
export async function deleteEndpoint(
  database: Queryable,
  { bookId, id }: EndpointKey,
): Promise<void> {
  const rows = await database.query(DELETE, [bookId, id]);
  if (rows.length === 0) throw refuse('WEBHOOK_NOT_FOUND');
}

const DELETE: Statement = {
  name: '',
  text: `
    with ${LOCK_ENDPOINT},
    ${KEEP_VERSION}
    delete from webhook_endpoints e
    using was w
    where e.book_id = w.book_id and e.id = w.id
    returning e.id`,
};
