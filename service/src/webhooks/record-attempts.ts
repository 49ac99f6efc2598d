import { bareArray, quotedArray } from '../postgres/array-text.ts';
import { prepareGroup } from '../postgres/bad-command.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import { sustainedFailureMs, type TimeScale } from './delivery-schedule.ts';
import { disableEndpoints } from './disable-endpoints.ts';

/** The receiver says that the endpoint no longer exists. */
const GONE = 410;

export type AttemptOutcome =
  | Readonly<{ kind: 'answered'; status: number; answer: string }>
  | Readonly<{ kind: 'unanswered'; error: string }>;

/** One POST that was made, or that could not be made. */
export type DeliveryAttempt = Readonly<{
  delivery: ClaimedDelivery;
  at: Date;
  elapsedMs: number;
  outcome: AttemptOutcome;
  /** After a failure; null: it was the last attempt. */
  retryInMs: number | null;
}>;

export type RecordedAttempt = Readonly<{
  /** leaseLost: another process has the delivery by now, and nothing was recorded. */
  state: 'delivered' | 'pending' | 'failed' | 'leaseLost';
  /** This group disabled the endpoint. */
  endpointDisabled: boolean;
}>;

export type RecordAttemptsDeps = Readonly<{
  database: Database;
  leaseOwner: string;
  now: () => Date;
  timeScale: TimeScale;
}>;

/** 2xx, and nothing else. */
export function isDelivered(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300;
}

/**
 * Records a group of attempts in one statement and moves their deliveries, where this process still has the lease. An
 * endpoint that is gone, or has failed for days, is disabled in the same transaction; only then does a group need more
 * than the one statement.
 */
export async function recordAttempts(
  deps: RecordAttemptsDeps,
  attempts: readonly DeliveryAttempt[],
): Promise<readonly RecordedAttempt[]> {
  const at = deps.now();
  const failureMs = sustainedFailureMs(deps.timeScale);
  const suspects = prepareGroup(() => attempts.filter((attempt) => mayDisable(attempt, failureMs)));
  if (suspects.length === 0) {
    const states = await moveDeliveries(deps.database, { deps, attempts });
    return states.map((state) => ({ state, endpointDisabled: false }));
  }
  return deps.database.transaction(async (tx) => {
    const states = await moveDeliveries(tx, { deps, attempts });
    const disabled = await disableEndpoints(tx, {
      suspects: suspects.map(({ delivery, outcome }) => ({
        bookId: delivery.bookId,
        endpointId: delivery.endpointId,
        url: delivery.endpoint?.url ?? '',
        gone: isGone(outcome),
      })),
      failureMs,
      at,
    });
    return states.map((state, index) => ({
      state,
      endpointDisabled: disabled.has(attempts[index]?.delivery.endpointId ?? ''),
    }));
  });
}

function isGone(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'answered' && outcome.status === GONE;
}

function mayDisable({ delivery, outcome }: DeliveryAttempt, failureMs: number): boolean {
  if (isDelivered(outcome)) return false;
  return isGone(outcome) || (delivery.endpoint?.failingForMs ?? 0) >= failureMs;
}

async function moveDeliveries(
  database: Queryable,
  { deps, attempts }: Readonly<{ deps: RecordAttemptsDeps; attempts: readonly DeliveryAttempt[] }>,
): Promise<readonly RecordedAttempt['state'][]> {
  const values = prepareGroup(() => [
    bareArray(attempts.map(({ delivery }) => delivery.bookId)),
    bareArray(attempts.map(({ delivery }) => delivery.endpointId)),
    bareArray(attempts.map(({ delivery }) => delivery.id)),
    bareArray(attempts.map(({ outcome }) => isDelivered(outcome))),
    bareArray(attempts.map(({ outcome }) => (outcome.kind === 'answered' ? outcome.status : null))),
    quotedArray(
      attempts.map(({ outcome }) => (outcome.kind === 'answered' ? outcome.answer : null)),
    ),
    quotedArray(
      attempts.map(({ outcome }) => (outcome.kind === 'unanswered' ? outcome.error : null)),
    ),
    bareArray(attempts.map(({ elapsedMs }) => Math.round(elapsedMs))),
    bareArray(attempts.map(({ at }) => at.toISOString())),
    bareArray(attempts.map(({ retryInMs }) => retryInMs)),
    deps.leaseOwner,
  ]);
  const rows = await database.query<{ ord: bigint; state: RecordedAttempt['state'] }>(
    RECORD,
    values,
  );
  const states = new Map(rows.map(({ ord, state }) => [Number(ord), state]));
  return attempts.map((_, index) => states.get(index + 1) ?? 'leaseLost');
}

// `failing_since` is in the database's time, because the clock of a process may jump and turn minutes into days. An
// endpoint's row is locked only when it starts or stops failing: a healthy one is never locked.
const RECORD: Statement = {
  name: 'record-attempts',
  text: `
    with input as materialized (
      select book_id, endpoint_id, delivery_id, delivered, status, answer, error, elapsed_ms, at,
             retry_in_ms, ord
      from unnest(
        $1::uuid[], $2::uuid[], $3::uuid[], $4::boolean[], $5::integer[], $6::text[], $7::text[],
        $8::integer[], $9::timestamptz[], $10::integer[]
      ) with ordinality as t (
        book_id, endpoint_id, delivery_id, delivered, status, answer, error, elapsed_ms, at,
        retry_in_ms, ord
      )
    ),
    heard as (
      select book_id, endpoint_id, bool_or(delivered) as delivered from input group by 1, 2
    ),
    locked as materialized (
      select e.book_id, e.id, h.delivered, e.status = 'disabled' as disabled
      from webhook_endpoints e
      join heard h on h.book_id = e.book_id and h.endpoint_id = e.id
      where not h.delivered or e.failing_since is not null
      order by e.book_id, e.id
      for update of e
    ),
    judged as (
      update webhook_endpoints e
      set failing_since = case when l.delivered then null else now() end
      from locked l
      where e.book_id = l.book_id and e.id = l.id
        and (e.failing_since is not null) = l.delivered
    ),
    moved as (
      update deliveries d
      set state = case
            when i.delivered then 'delivered'
            -- Other deliveries disabled the endpoint meanwhile: nothing more is sent to it.
            when i.retry_in_ms is null or l.disabled then 'failed'
            else 'pending'
          end,
          attempts = d.attempts + 1,
          schedule_attempts = d.schedule_attempts + 1,
          lease_owner = null,
          next_attempt_at = case
            when not i.delivered and l.disabled is not true
            then now() + i.retry_in_ms * interval '1 ms'
          end
      from input i
      left join locked l on l.book_id = i.book_id and l.id = i.endpoint_id
      where d.book_id = i.book_id and d.id = i.delivery_id
        and d.state = 'pending' and d.lease_owner = $11::uuid
        -- Endpoints are locked before the first delivery, in every process: one order prevents deadlocks.
        and (select count(*) from locked) >= 0
      returning d.book_id, d.id, d.attempts, d.state, i.ord
    ),
    recorded as (
      insert into delivery_attempts (
        book_id, delivery_id, attempt, at, elapsed_ms, status, error, answer
      )
      select m.book_id, m.id, m.attempts, i.at, i.elapsed_ms, i.status, i.error, i.answer
      from moved m join input i on i.ord = m.ord
    )
    select ord, state from moved`,
};
