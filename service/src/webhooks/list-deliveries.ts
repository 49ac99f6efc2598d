import { refuse } from '../domain/refusal.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import {
  DELIVERY_COLUMNS,
  type Delivery,
  type DeliveryRow,
  type DeliveryState,
  toDelivery,
} from './delivery.ts';
import { type EndpointKey, findEndpoint } from './list-endpoints.ts';
import { readDeliveryAttempts } from './read-delivery-attempts.ts';

/** The last delivery of the previous page. Times of deliveries are whole milliseconds. */
export type DeliveryPosition = Readonly<{ createdAt: Date; id: string }>;

export type DeliveryQuery = Readonly<{
  endpoint: EndpointKey;
  filter: Readonly<{ state: DeliveryState | null; from: Date | null; to: Date | null }>;
  page: Readonly<{ limit: number; before: DeliveryPosition | null }>;
}>;

/** Newest first. */
export async function listDeliveries(
  database: Queryable,
  { endpoint, filter, page }: DeliveryQuery,
): Promise<Readonly<{ items: readonly Delivery[]; next: DeliveryPosition | null }>> {
  const { bookId } = endpoint;
  if ((await findEndpoint(database, endpoint)) === undefined) throw refuse('WEBHOOK_NOT_FOUND');
  const rows = await database.query<DeliveryRow>(LIST, [
    bookId,
    endpoint.id,
    filter.state,
    filter.from,
    filter.to,
    page.before?.createdAt ?? null,
    page.before?.id ?? null,
    page.limit + 1,
  ]);
  const shown = rows.slice(0, page.limit);
  const deliveryIds = shown.map(({ id }) => id);
  const attempts = await readDeliveryAttempts(database, { bookId, deliveryIds });
  const last = rows.length > page.limit ? shown.at(-1) : undefined;
  return {
    items: shown.map((row) => toDelivery(row, attempts.get(row.id) ?? [])),
    next: last === undefined ? null : { createdAt: last.created_at, id: last.id },
  };
}

/** One delivery of the book; also undefined when its endpoint is deleted. */
export async function findDelivery(
  database: Queryable,
  { bookId, id }: Readonly<{ bookId: string; id: string }>,
): Promise<Delivery | undefined> {
  const [row] = await database.query<DeliveryRow>(FIND, [bookId, id]);
  if (row === undefined) return undefined;
  const attempts = await readDeliveryAttempts(database, { bookId, deliveryIds: [id] });
  return toDelivery(row, attempts.get(id) ?? []);
}

// Not prepared, so that the planner sees which filters are given.
const LIST: Statement = {
  name: '',
  text: `
    select ${DELIVERY_COLUMNS}
    from deliveries d
    join events v
      on v.book_id = d.book_id and v.subject_id = d.subject_id and v.seq = d.event_seq
    where d.book_id = $1 and d.endpoint_id = $2
      and ($3::text is null or d.state = $3)
      and ($4::timestamptz is null or d.created_at >= $4)
      and ($5::timestamptz is null or d.created_at < $5)
      and ($6::timestamptz is null or (d.created_at, d.id) < ($6, $7::uuid))
    order by d.created_at desc, d.id desc
    limit $8`,
};

const FIND: Statement = {
  name: 'find-delivery',
  text: `
    select ${DELIVERY_COLUMNS}
    from deliveries d
    join webhook_endpoints e on e.book_id = d.book_id and e.id = d.endpoint_id
    join events v
      on v.book_id = d.book_id and v.subject_id = d.subject_id and v.seq = d.event_seq
    where d.book_id = $1 and d.id = $2`,
};
