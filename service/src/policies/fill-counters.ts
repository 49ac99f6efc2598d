import { COUNTRY_ZONES } from '../domain/business-day.ts';
import type { CompiledPolicy, CountedWindow } from '../domain/policy/compile-policy.ts';
import { firstUuidAt, ID_OLDER_MAX_MS } from '../domain/uuid.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { counterBucketSeconds, isCounter } from './policy-counters.ts';

const DAY_SECONDS = 24 * 60 * 60;
/** Clocks differ: so much is read before the window begins. Buckets that are too old are never asked for. */
const MARGIN_MS = 10 * 60_000;

type Filling = Readonly<{ bookId: string; policy: CompiledPolicy; now: Date }>;

/**
 * Counts anew what a policy asks for, from the transfers themselves. In the transaction that makes the policy be in
 * force, after bumpControls: its locks let no payout be accepted between the counting and the commit.
 */
export async function fillCounters(tx: Queryable, { bookId, policy, now }: Filling): Promise<void> {
  await tx.query(FORGET, [bookId]);
  for (const counted of distinctCounters(policy.counted)) {
    const from = beginOf(counted, now);
    const idFrom = firstUuidAt(new Date(from.getTime() - ID_OLDER_MAX_MS));
    await tx.query(FILL, [
      bookId,
      counted.by,
      counterBucketSeconds(counted.window),
      from,
      idFrom,
      COUNTRY_ZONES.zm.offsetMs / 1_000,
      COUNTRY_ZONES.ng.offsetMs / 1_000,
    ]);
  }
}

/** Windows with buckets of the same length share their counters: the longest fills them. */
function distinctCounters(counted: readonly CountedWindow[]): readonly CountedWindow[] {
  const longest = new Map<string, CountedWindow>();
  for (const one of counted.filter(isCounter)) {
    const key = `${one.by} ${counterBucketSeconds(one.window)}`;
    const known = longest.get(key);
    if (known === undefined || secondsOf(one) > secondsOf(known)) longest.set(key, one);
  }
  return [...longest.values()];
}

function secondsOf({ window }: CountedWindow): number {
  return window.kind === 'day' ? 0 : window.seconds;
}

/** A day may have begun 24 hours ago; a window also counts the whole bucket in which it begins. */
function beginOf({ window }: CountedWindow, now: Date): Date {
  const seconds =
    window.kind === 'day' ? DAY_SECONDS : window.seconds + counterBucketSeconds(window);
  return new Date(now.getTime() - seconds * 1_000 - MARGIN_MS);
}

const FORGET: Statement = {
  name: '',
  text: 'delete from policy_counters where book_id = $1',
};

// The first event says who ordered it: transfers of before `made_by` have the person only there.
const FILL: Statement = {
  name: '',
  text: `
    with ordered as (
      select t.currency, t.amount_minor, floor(extract(epoch from t.created_at))::bigint as second,
             case t.country when 'zm' then $6::bigint else $7::bigint end as day_offset,
             case $2::text
               when 'wallet' then t.wallet_id::text
               when 'operator' then t.operator
               when 'key' then substring(e.actor from '^key:(.*)$')
               when 'person' then coalesce(t.made_by::text, substring(e.actor from '^person:(.*)$'))
             end as subject
      from transfers t
      join events e on e.book_id = t.book_id and e.subject_id = t.id and e.seq = 1
      where t.book_id = $1 and t.id >= $5 and t.created_at >= $4
    ),
    placed as (
      select subject, currency, amount_minor,
             case when $3::integer = 0
               then (second + day_offset) / 86400 * 86400 - day_offset
               else second / nullif($3, 0) * $3
             end as bucket
      from ordered
      where subject is not null
    )
    insert into policy_counters (
      book_id, scope, subject, currency, bucket_seconds, bucket, count, sum_minor
    )
    select $1, $2, subject, currency, $3, bucket, count(*), sum(amount_minor)
    from placed
    group by subject, currency, bucket`,
};
