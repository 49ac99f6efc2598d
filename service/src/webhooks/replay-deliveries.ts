import type { ActDeps } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import { refuse } from '../domain/refusal.ts';
import type { Database, Statement } from '../postgres/database.ts';
import type { Delivery } from './delivery.ts';
import type { WebhookActor } from './endpoint-act.ts';
import { findDelivery } from './list-deliveries.ts';
import { type EndpointKey, findEndpoint } from './list-endpoints.ts';
import { refuseWhileDisabled } from './refuse-while-disabled.ts';

/** The maximum of deliveries that one call replays: what one statement moves in about a second. */
const REPLAY_MAX = 10_000;

export type ReplayDeps = ActDeps & Readonly<{ database: Database }>;

/** Sends an event once more, by a new schedule. A delivery that is being sent stays as it is. */
export async function replayDelivery(
  deps: ReplayDeps,
  { actor, merchantId, bookId, id }: WebhookActor & Readonly<{ bookId: string; id: string }>,
): Promise<Delivery> {
  return actAs(deps, actor, async (tx) => {
    const found = await findDelivery(tx, { bookId, id });
    if (found === undefined) throw refuse('DELIVERY_NOT_FOUND');
    const endpoint = await findEndpoint(tx, { bookId, id: found.endpointId });
    if (endpoint?.status === 'disabled') throw refuseWhileDisabled();
    await tx.query(REPLAY_ONE, [bookId, id]);
    const delivery = await findDelivery(tx, { bookId, id });
    if (delivery === undefined) throw refuse('DELIVERY_NOT_FOUND');
    await recordAct(tx, deps, {
      actor,
      kind: 'DELIVERY_REPLAYED',
      subject: id,
      merchantId,
      bookId,
      reason: null,
      before: { state: found.state },
      after: { state: delivery.state, endpointId: found.endpointId },
    });
    return delivery;
  });
}

export type ReplayRange = Readonly<{
  /** From this time on. */
  from: Date | null;
  /** Before this time. */
  to: Date | null;
  /** Null: delivered ones too. */
  state: 'failed' | null;
}>;

export type ReplayedDeliveries = Readonly<{
  replayed: number;
  /** Where the next call continues when there were more; null: that was all. */
  nextFrom: Date | null;
}>;

/**
 * Sends finished deliveries once more, oldest first, each by a new schedule. Deliveries that still wait for an attempt
 * are not changed.
 */
export async function replayDeliveries(
  deps: ReplayDeps,
  {
    actor,
    merchantId,
    bookId,
    id,
    range,
    max = REPLAY_MAX,
  }: EndpointKey & WebhookActor & Readonly<{ range: ReplayRange; max?: number }>,
): Promise<ReplayedDeliveries> {
  const { from, to, state } = range;
  const row = await actAs(deps, actor, async (tx) => {
    const endpoint = await findEndpoint(tx, { bookId, id });
    if (endpoint === undefined) throw refuse('WEBHOOK_NOT_FOUND');
    if (endpoint.status === 'disabled') throw refuseWhileDisabled();
    const [again] = await tx.query<ReplayRow>(REPLAY_RANGE, [bookId, id, from, to, state, max]);
    await recordAct(tx, deps, {
      actor,
      kind: 'DELIVERIES_REPLAYED',
      subject: id,
      merchantId,
      bookId,
      reason: null,
      before: null,
      after: {
        replayed: again?.replayed ?? 0,
        from: from?.toISOString() ?? null,
        to: to?.toISOString() ?? null,
        state,
      },
    });
    return again;
  });
  const replayed = row?.replayed ?? 0;
  // The next call starts at the same millisecond: a delivery may be replayed twice, but none is skipped.
  return { replayed, nextFrom: replayed < max ? null : (row?.last_created_at ?? null) };
}

type ReplayRow = { replayed: number; last_created_at: Date | null };

const AGAIN = `
  state = 'pending', schedule_attempts = 0, lease_owner = null, next_attempt_at = now()`;

const REPLAY_ONE: Statement = {
  name: '',
  text: `
    update deliveries
    set ${AGAIN}
    where book_id = $1 and id = $2
      and (lease_owner is null or next_attempt_at is null or next_attempt_at <= now())`,
};

// Not prepared, so that the planner sees which limits are given.
const REPLAY_RANGE: Statement = {
  name: '',
  text: `
    with ended as (
      select d.book_id, d.id
      from deliveries d
      where d.book_id = $1 and d.endpoint_id = $2 and d.state in ('delivered', 'failed')
        and ($3::timestamptz is null or d.created_at >= $3)
        and ($4::timestamptz is null or d.created_at < $4)
        and ($5::text is null or d.state = $5)
      order by d.created_at, d.id
      limit $6
      for update skip locked
    ),
    again as (
      update deliveries d
      set ${AGAIN}
      from ended n
      where d.book_id = n.book_id and d.id = n.id
      returning d.created_at
    )
    select count(*)::integer as replayed, max(created_at) as last_created_at from again`,
};
