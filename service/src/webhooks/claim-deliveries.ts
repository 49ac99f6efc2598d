import type { Queryable, Statement } from '../postgres/database.ts';
import type { DeliverableEndpoint } from './endpoint.ts';
import { DELIVERABLE_COLUMNS, type DeliverableRow, toDeliverable } from './endpoint-row.ts';

/**
 * How long a process may work on a delivery before others may try. It is longer than the wait for a turn and the POST
 * together, so a second delivery means that the process died or was paused.
 */
export const DELIVERY_LEASE_MS = 60_000;

/** How many endpoints one claim reads; each costs one probe of an index. */
const ENDPOINTS_PER_CLAIM_MAX = 1_000;
export const FIRST_ENDPOINT = '00000000-0000-0000-0000-000000000000';

export type ClaimedDelivery = Readonly<{
  bookId: string;
  id: string;
  endpointId: string;
  subjectId: string;
  eventSeq: number;
  attempts: number;
  /** Attempts of the present schedule. */
  scheduleAttempts: number;
  createdAt: Date;
  /** As it was when the delivery was claimed. Undefined: it is disabled or deleted, so the delivery cannot be sent. */
  endpoint: (DeliverableEndpoint & Readonly<{ failingForMs: number | null }>) | undefined;
}>;

export type DeliveryClaim = Readonly<{
  deliveries: readonly ClaimedDelivery[];
  /** Where the next claim starts; FIRST_ENDPOINT after the last, so that endpoints take turns. */
  nextEndpoint: string;
}>;

/** How many more deliveries may be claimed for an endpoint; only for endpoints that already have some. */
export type EndpointRoom = Readonly<{ endpointId: string; room: number }>;

/**
 * Takes the lease of deliveries that are due: endpoint by endpoint, so that one's backlog does not delay another, and
 * none for an endpoint that has no room. Rows that another process is claiming are skipped.
 */
export async function claimDeliveries(
  database: Queryable,
  claim: Readonly<{
    leaseOwner: string;
    afterEndpoint: string;
    taken: readonly EndpointRoom[];
    perEndpointMax: number;
    max: number;
  }>,
): Promise<DeliveryClaim> {
  const rows = await database.query<ClaimRow>(CLAIM, [
    claim.leaseOwner,
    claim.afterEndpoint,
    claim.taken.map(({ endpointId }) => endpointId),
    claim.taken.map(({ room }) => room),
    claim.perEndpointMax,
    ENDPOINTS_PER_CLAIM_MAX,
    claim.max,
    DELIVERY_LEASE_MS,
  ]);
  const deliveries = rows.flatMap((row) => (row.delivery_id === null ? [] : [toDelivery(row)]));
  return { deliveries, nextEndpoint: whereToGoOn(rows[0], deliveries, claim.max) };
}

function whereToGoOn(
  walk: WalkRow | undefined,
  deliveries: readonly ClaimedDelivery[],
  max: number,
): string {
  if (deliveries.length >= max) {
    // The claim was full before all endpoints were read: continue at the last endpoint that got anything.
    return deliveries.map(({ endpointId }) => endpointId).reduce((a, b) => (a > b ? a : b));
  }
  const complete = walk === undefined || walk.endpoints_seen < ENDPOINTS_PER_CLAIM_MAX;
  return complete ? FIRST_ENDPOINT : (walk.last_endpoint ?? FIRST_ENDPOINT);
}

/** Releases what was claimed and not sent, so that another process can take it at once. */
export async function releaseDeliveries(
  database: Queryable,
  {
    leaseOwner,
    deliveries,
  }: Readonly<{
    leaseOwner: string;
    deliveries: readonly Pick<ClaimedDelivery, 'bookId' | 'id'>[];
  }>,
): Promise<void> {
  await database.query(RELEASE, [
    leaseOwner,
    deliveries.map(({ bookId }) => bookId),
    deliveries.map(({ id }) => id),
  ]);
}

/** Ends the leases of processes that died. Call it only when no other process is running. */
export async function expireDeliveryLeases(database: Queryable): Promise<void> {
  await database.query(EXPIRE);
}

type WalkRow = { endpoints_seen: number; last_endpoint: string | null };
type DeliveryRow = {
  delivery_book_id: string;
  delivery_id: string;
  endpoint_id: string;
  subject_id: string;
  event_seq: number;
  attempts: number;
  schedule_attempts: number;
  created_at: Date;
};
type EnabledRow = DeliverableRow & { failing_for_ms: number | null };
type Nothing<R> = { [Column in keyof R]: null };
/** Without a delivery: the single row of a claim that found none. */
type ClaimRow = WalkRow &
  ((DeliveryRow & (EnabledRow | Nothing<EnabledRow>)) | Nothing<DeliveryRow & EnabledRow>);

function toDelivery(row: DeliveryRow & (EnabledRow | Nothing<EnabledRow>)): ClaimedDelivery {
  return {
    bookId: row.delivery_book_id,
    id: row.delivery_id,
    endpointId: row.endpoint_id,
    subjectId: row.subject_id,
    eventSeq: row.event_seq,
    attempts: row.attempts,
    scheduleAttempts: row.schedule_attempts,
    createdAt: row.created_at,
    endpoint:
      row.url === null ? undefined : { ...toDeliverable(row), failingForMs: row.failing_for_ms },
  };
}

// `walk` goes through the partial index from endpoint to endpoint, one probe each, however many deliveries an endpoint
// has.
const CLAIM: Statement = {
  name: 'claim-deliveries',
  text: `
    with recursive walk as (
      (
        select d.endpoint_id from deliveries d
        where d.next_attempt_at is not null and d.endpoint_id > $2::uuid
        order by d.endpoint_id limit 1
      )
      union all
      select (
        select d.endpoint_id from deliveries d
        where d.next_attempt_at is not null and d.endpoint_id > w.endpoint_id
        order by d.endpoint_id limit 1
      )
      from walk w
      where w.endpoint_id is not null
    ),
    taken as materialized (
      select endpoint_id, room from unnest($3::uuid[], $4::integer[]) as t (endpoint_id, room)
    ),
    seen as materialized (
      select w.endpoint_id,
             coalesce((select t.room from taken t where t.endpoint_id = w.endpoint_id), $5) as room
      from walk w
      where w.endpoint_id is not null
      limit $6
    ),
    due as (
      select d.book_id, d.id
      from seen s
      cross join lateral (
        select d.book_id, d.id
        from deliveries d
        where d.endpoint_id = s.endpoint_id and d.next_attempt_at <= now()
        order by d.next_attempt_at
        limit s.room
        for update skip locked
      ) d
      where s.room > 0
      limit $7
    ),
    claimed as (
      update deliveries d
      set lease_owner = $1, next_attempt_at = now() + $8::integer * interval '1 ms'
      from due
      where d.book_id = due.book_id and d.id = due.id
      returning d.book_id, d.id, d.endpoint_id, d.subject_id, d.event_seq, d.attempts,
                d.schedule_attempts, d.created_at
    )
    select s.endpoints_seen, s.last_endpoint, c.book_id as delivery_book_id, c.id as delivery_id,
           c.endpoint_id, c.subject_id, c.event_seq, c.attempts, c.schedule_attempts, c.created_at,
           ${DELIVERABLE_COLUMNS},
           (1000 * extract(epoch from now() - e.failing_since))::float8 as failing_for_ms
    from (
      select count(*)::integer as endpoints_seen, max(endpoint_id::text) as last_endpoint from seen
    ) s
    left join claimed c on true
    left join webhook_endpoints e
      on e.book_id = c.book_id and e.id = c.endpoint_id and e.status = 'enabled'
    left join books b on b.id = e.book_id`,
};

const RELEASE: Statement = {
  name: 'release-deliveries',
  text: `
    update deliveries d
    set lease_owner = null, next_attempt_at = now()
    from unnest($2::uuid[], $3::uuid[]) as i (book_id, id)
    where d.book_id = i.book_id and d.id = i.id and d.state = 'pending' and d.lease_owner = $1`,
};

const EXPIRE: Statement = {
  name: '',
  text: `
    update deliveries set next_attempt_at = now()
    where lease_owner is not null and next_attempt_at > now()`,
};
