import type { Queryable, Statement } from '../postgres/database.ts';
import { DELIVERY_COLUMNS, type Delivery, type DeliveryRow, toDelivery } from './delivery.ts';
import { readDeliveryAttempts } from './read-delivery-attempts.ts';

/** Ten endpoints, and a transfer with more events than any has. */
const DELIVERIES_MAX = 100;

type About = Readonly<{
  bookId: string;
  subjectId: string;
  /** When its events were written: deliveries are stored under the same time. */
  times: readonly Date[];
}>;

export type TransferDelivery = Delivery & Readonly<{ url: string }>;

/**
 * The deliveries of one transfer's events. They are not indexed by transfer, because that would slow down every
 * delivery for this one page: an endpoint's deliveries are in the order of time, and their times are known.
 */
export async function readTransferDeliveries(
  database: Queryable,
  { bookId, subjectId, times }: About,
): Promise<readonly TransferDelivery[]> {
  const distinct = [...new Set(times.map((at) => at.getTime()))].map((ms) => new Date(ms));
  const values = [bookId, subjectId, distinct, DELIVERIES_MAX];
  const rows = await database.query<DeliveryRow & { url: string }>(READ, values);
  const deliveryIds = rows.map(({ id }) => id);
  const attempts = await readDeliveryAttempts(database, { bookId, deliveryIds });
  return rows.map((row) => ({ ...toDelivery(row, attempts.get(row.id) ?? []), url: row.url }));
}

const READ: Statement = {
  name: 'read-transfer-deliveries',
  text: `
    select ${DELIVERY_COLUMNS}, e.url
    from webhook_endpoints e
    cross join unnest($3::timestamptz[]) as c (at)
    cross join lateral (
      select d.* from deliveries d
      where d.book_id = e.book_id and d.endpoint_id = e.id and d.created_at = c.at
        and d.subject_id = $2
      limit $4
    ) d
    join events v
      on v.book_id = d.book_id and v.subject_id = d.subject_id and v.seq = d.event_seq
    where e.book_id = $1
    order by d.created_at, d.id
    limit $4`,
};
