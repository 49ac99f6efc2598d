import type { Queryable, Statement } from '../postgres/database.ts';
import type { AttemptMade } from './delivery.ts';

/** The latest attempts of one delivery; a schedule has ten, and each replay starts a new one. */
const ATTEMPTS_SHOWN_MAX = 50;

/** The latest attempts of each delivery, oldest first, by the delivery's id. */
export async function readDeliveryAttempts(
  database: Queryable,
  { bookId, deliveryIds }: Readonly<{ bookId: string; deliveryIds: readonly string[] }>,
): Promise<ReadonlyMap<string, readonly AttemptMade[]>> {
  const attempts = new Map<string, AttemptMade[]>(deliveryIds.map((id) => [id, []]));
  if (deliveryIds.length === 0) return attempts;
  const rows = await database.query<AttemptRow>(READ, [bookId, deliveryIds, ATTEMPTS_SHOWN_MAX]);
  for (const { delivery_id, elapsed_ms, ...row } of rows) {
    attempts.get(delivery_id)?.push({ ...row, elapsedMs: elapsed_ms });
  }
  return attempts;
}

type AttemptRow = {
  delivery_id: string;
  at: Date;
  elapsed_ms: number;
  status: number | null;
  error: string | null;
  answer: string | null;
};

const READ: Statement = {
  name: 'read-attempts',
  text: `
    select a.delivery_id, a.at, a.elapsed_ms, a.status, a.error, a.answer
    from unnest($2::uuid[]) as d (id)
    cross join lateral (
      select a.delivery_id, a.attempt, a.at, a.elapsed_ms, a.status, a.error, a.answer
      from delivery_attempts a
      where a.book_id = $1 and a.delivery_id = d.id
      order by a.attempt desc
      limit $3
    ) a
    order by a.delivery_id, a.attempt`,
};
