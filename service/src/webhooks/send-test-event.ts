import { causeOf } from '../domain/cause.ts';
import { refuse } from '../domain/refusal.ts';
import { recordEvents } from '../events/record-events.ts';
import type { Database, Statement } from '../postgres/database.ts';
import type { Delivery } from './delivery.ts';
import { findDelivery } from './list-deliveries.ts';
import { type EndpointKey, findEndpoint } from './list-endpoints.ts';
import { refuseWhileDisabled } from './refuse-while-disabled.ts';

export type TestEventDeps = Readonly<{
  database: Database;
  now: () => Date;
  newId: () => string;
}>;

/** Queues a test event for this endpoint only. Its subscribed types do not matter. */
export async function sendTestEvent(
  { database, now, newId }: TestEventDeps,
  { bookId, id, actor }: EndpointKey & Readonly<{ actor: string }>,
): Promise<Delivery> {
  const deliveryId = newId();
  const queued = await database.query(QUEUE, [bookId, id, deliveryId, actor, now()]);
  if (queued.length === 0) {
    if ((await findEndpoint(database, { bookId, id })) === undefined) {
      throw refuse('WEBHOOK_NOT_FOUND');
    }
    throw refuseWhileDisabled();
  }
  const delivery = await findDelivery(database, { bookId, id: deliveryId });
  // The endpoint was deleted at the same moment.
  if (delivery === undefined) throw refuse('WEBHOOK_NOT_FOUND');
  return delivery;
}

const QUEUE: Statement = {
  name: '',
  text: `
    with numbered as (
      update webhook_endpoints e
      set event_seq = e.event_seq + 1
      where e.book_id = $1 and e.id = $2 and e.status = 'enabled'
      returning e.book_id, e.id, e.event_seq
    ),
    ${recordEvents(`
      select n.book_id, n.id, n.event_seq, 'webhook.test', null, null, '${causeOf('TEST_REQUESTED')}', $4, $5, true
      from numbered n`)}
    insert into deliveries (
      book_id, id, endpoint_id, subject_id, event_seq, next_attempt_at, created_at
    )
    select n.book_id, $3, n.id, n.id, n.event_seq, now(), $5
    from numbered n
    returning id`,
};
