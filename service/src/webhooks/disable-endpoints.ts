import { causeOf } from '../domain/cause.ts';
import { recordEvents } from '../events/record-events.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { SUSTAINED_FAILURE_ATTEMPTS_MIN } from './delivery-schedule.ts';

/** The maximum of deliveries that one statement gives up. */
const GIVE_UP_BATCH_MAX = 1_000;

export type SuspectEndpoint = Readonly<{
  bookId: string;
  endpointId: string;
  /** The URL that was posted to. An endpoint whose URL was changed since is not disabled for the old one. */
  url: string;
  gone: boolean;
}>;

/**
 * Disables endpoints that answered 410 Gone, and endpoints that have failed for long enough in enough attempts. An event
 * reports it to the book's other endpoints. Returns the ids of the disabled ones. Must run inside a transaction, since
 * it is two statements.
 */
export async function disableEndpoints(
  tx: Queryable,
  {
    suspects,
    failureMs,
    at,
  }: Readonly<{ suspects: readonly SuspectEndpoint[]; failureMs: number; at: Date }>,
): Promise<ReadonlySet<string>> {
  const disabled = await tx.query<{ book_id: string; id: string; event_seq: number; why: string }>(
    DISABLE,
    [
      suspects.map(({ bookId }) => bookId),
      suspects.map(({ endpointId }) => endpointId),
      suspects.map(({ url }) => url),
      suspects.map(({ gone }) => gone),
      failureMs,
      SUSTAINED_FAILURE_ATTEMPTS_MIN,
      causeOf('RECEIVER_GONE'),
      causeOf('RECEIVER_FAILED_TOO_LONG'),
    ],
  );
  if (disabled.length === 0) return new Set();
  await tx.query(NOTE_DISABLED, [
    disabled.map(({ book_id }) => book_id),
    disabled.map(({ id }) => id),
    disabled.map(({ event_seq }) => event_seq),
    disabled.map(({ why }) => why),
    at,
  ]);
  return new Set(disabled.map(({ id }) => id));
}

/**
 * Gives up a batch of deliveries that wait for a disabled or deleted endpoint; a merchant can have them replayed.
 * Deliveries that are being sent are left alone, except for those in `held`, which the caller has claimed and not sent.
 * Returns false when there is nothing left to give up.
 */
export async function giveUpDeliveries(
  database: Queryable,
  endpoint: Readonly<{ bookId: string; endpointId: string; held: readonly string[] }>,
): Promise<boolean> {
  const rows = await database.query<{ given_up: number }>(GIVE_UP, [
    endpoint.bookId,
    endpoint.endpointId,
    endpoint.held,
    GIVE_UP_BATCH_MAX,
  ]);
  return rows[0]?.given_up === GIVE_UP_BATCH_MAX;
}

// Only deliveries from the time of the failure or shortly before count. Oldest first, because those have been tried.
const DISABLE: Statement = {
  name: 'disable-endpoints',
  text: `
    with input as (
      select book_id, id, url, bool_or(gone) as gone
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::boolean[]) as t (book_id, id, url, gone)
      group by 1, 2, 3
    )
    update webhook_endpoints e
    set status = 'disabled', event_seq = e.event_seq + 1,
        disabled_reason = case when i.gone then $7 else $8 end
    from input i
    where e.book_id = i.book_id and e.id = i.id and e.url = i.url and e.status = 'enabled'
      and (
        i.gone
        or (
          e.failing_since <= now() - $5::bigint * interval '1 ms'
          and $6 <= (
            select coalesce(sum(tried.attempts), 0)
            from (
              select d.attempts from deliveries d
              where d.book_id = e.book_id and d.endpoint_id = e.id
                and d.created_at >= e.failing_since - $5::bigint * interval '1 ms'
                and d.state <> 'delivered' and d.attempts > 0
              order by d.created_at
              limit $6
            ) tried
          )
        )
      )
    returning e.book_id, e.id, e.event_seq, e.disabled_reason as why`,
};

const NOTE_DISABLED: Statement = {
  name: 'note-disabled',
  text: `
    with ${recordEvents(`
      select i.book_id, i.id, i.seq, 'webhook.disabled', 'enabled', 'disabled', i.why,
             'system:webhook-sender', $5, true
      from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::text[]) as i (book_id, id, seq, why)`)}
    select 1 from recorded`,
};

const GIVE_UP: Statement = {
  name: 'give-up-deliveries',
  text: `
    with given_up as (
      update deliveries d
      set state = 'failed', next_attempt_at = null, lease_owner = null
      from (
        select book_id, id from deliveries
        where book_id = $1 and endpoint_id = $2 and next_attempt_at is not null
          and (lease_owner is null or next_attempt_at <= now() or id = any ($3::uuid[]))
        limit $4
        for update skip locked
      ) waiting
      where d.book_id = waiting.book_id and d.id = waiting.id
        and not exists (
          select 1 from webhook_endpoints e
          where e.book_id = $1 and e.id = $2 and e.status = 'enabled'
        )
      returning 1
    )
    select count(*)::integer as given_up from given_up`,
};
