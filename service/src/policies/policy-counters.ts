import type { Currency } from '../domain/money.ts';
import type { CountedWindow } from '../domain/policy/compile-policy.ts';
import type { NeedWindow, Order, WindowNeed } from '../domain/policy/order.ts';
import type { Window } from '../domain/policy/policy.ts';
import {
  BUCKETS_PER_WINDOW,
  bucketAt,
  bucketSecondsOf,
  firstBucketOf,
} from '../domain/policy/window-buckets.ts';
import { windowNeed } from '../domain/policy/window-need.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** Buckets of a subject that are kept: those of its longest window, the one that began before it and the next. */
const BUCKETS_KEPT = BUCKETS_PER_WINDOW + 2;
const DAY_SECONDS = 24 * 60 * 60;

/** What is counted by itself. Recipients are counted by the index of their transfers: they are too many. */
type Counter = Readonly<{
  bookId: string;
  scope: string;
  subject: string;
  currency: Currency;
  /** 0: a business day. */
  bucketSeconds: number;
  /** In seconds since 1970. */
  bucket: number;
}>;

export type Counted = Readonly<{ count: number; sumMinor: bigint }>;

export function counterBucketSeconds(window: Window | NeedWindow): number {
  return window.kind === 'day' ? 0 : bucketSecondsOf(window.seconds);
}

/** Whether the answer is in the counters, and not in the transfers of a number. */
export function isCounter({ by }: Readonly<{ by: WindowNeed['by'] }>): boolean {
  return by !== 'recipient';
}

/** Reads the counters; the n-th answer belongs to the n-th need. */
export async function readCounters(
  tx: Queryable,
  needs: readonly Readonly<{ bookId: string; of: WindowNeed }>[],
  at: Date,
): Promise<readonly Counted[]> {
  if (needs.length === 0) return [];
  const rows = await tx.query<{ count: bigint; sum_minor: bigint }>(READ, [
    needs.map(({ bookId }) => bookId),
    needs.map(({ of }) => of.by),
    needs.map(({ of }) => of.subject),
    needs.map(({ of }) => of.currency),
    needs.map(({ of }) => counterBucketSeconds(of.window)),
    needs.map(({ of }) => firstBucket(of.window, at)),
  ]);
  return rows.map(({ count, sum_minor }) => ({ count: Number(count), sumMinor: sum_minor }));
}

/** The bucket in which the window begins. */
function firstBucket(window: NeedWindow, at: Date): number {
  if (window.kind === 'day') return toSeconds(window.startsAt);
  return firstBucketOf(at.getTime(), window.seconds) * counterBucketSeconds(window);
}

type CountedOrder = Readonly<{
  bookId: string;
  order: Order;
  /** What the policy of the book asks to be counted. */
  counted: readonly CountedWindow[];
}>;

/** Counts accepted orders, and forgets buckets of the same subjects that no window reaches any more. */
export async function addToCounters(tx: Queryable, orders: readonly CountedOrder[]): Promise<void> {
  const touched = foldOrders(orders);
  if (touched.length === 0) return;
  await tx.query(ADD, [
    touched.map(({ counter }) => counter.bookId),
    touched.map(({ counter }) => counter.scope),
    touched.map(({ counter }) => counter.subject),
    touched.map(({ counter }) => counter.currency),
    touched.map(({ counter }) => counter.bucketSeconds),
    touched.map(({ counter }) => counter.bucket),
    touched.map(({ count }) => count),
    touched.map(({ sumMinor }) => sumMinor),
    touched.map(({ counter }) => oldestKept(counter)),
  ]);
}

function oldestKept({ bucket, bucketSeconds }: Counter): number {
  return bucketSeconds === 0 ? bucket - DAY_SECONDS : bucket - BUCKETS_KEPT * bucketSeconds;
}

type Touched = { counter: Counter; count: number; sumMinor: bigint };

function foldOrders(orders: readonly CountedOrder[]): readonly Touched[] {
  const touched = new Map<string, Touched>();
  for (const { bookId, order, counted } of orders) {
    for (const [key, counter] of countersOf(bookId, order, counted)) {
      const known = touched.get(key) ?? { counter, count: 0, sumMinor: 0n };
      known.count += 1;
      known.sumMinor += order.amountMinor;
      touched.set(key, known);
    }
  }
  return [...touched.values()];
}

/** The counters that an order touches, each once: two windows may share one. */
function countersOf(
  bookId: string,
  order: Order,
  counted: readonly CountedWindow[],
): ReadonlyMap<string, Counter> {
  const counters = new Map<string, Counter>();
  for (const { by, window } of counted) {
    const of = isCounter({ by }) ? windowNeed(order, by, window) : null;
    if (of === null) continue;
    const bucketSeconds = counterBucketSeconds(window);
    const bucket =
      of.window.kind === 'day'
        ? toSeconds(of.window.startsAt)
        : bucketAt(order.at.getTime(), bucketSeconds) * bucketSeconds;
    const { subject, currency } = of;
    const key = `${bookId} ${by} ${subject} ${currency} ${bucketSeconds} ${bucket}`;
    counters.set(key, { bookId, scope: by, subject, currency, bucketSeconds, bucket });
  }
  return counters;
}

function toSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}

const READ: Statement = {
  name: 'read-policy-counters',
  text: `
    select coalesce(c.count, 0)::bigint as count, coalesce(c.sum_minor, 0)::bigint as sum_minor
    from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::bigint[])
      with ordinality as n (book_id, scope, subject, currency, bucket_seconds, first_bucket, ord)
    cross join lateral (
      select sum(p.count) as count, sum(p.sum_minor) as sum_minor
      from policy_counters p
      where p.book_id = n.book_id and p.scope = n.scope and p.subject = n.subject
        and p.currency = n.currency and p.bucket_seconds = n.bucket_seconds
        and p.bucket >= n.first_bucket
    ) c
    order by n.ord`,
};

const ADD: Statement = {
  name: 'add-to-policy-counters',
  text: `
    with touched as materialized (
      select *
      from unnest(
        $1::uuid[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::bigint[], $7::bigint[],
        $8::bigint[], $9::bigint[]
      ) as t (
        book_id, scope, subject, currency, bucket_seconds, bucket, count, sum_minor, oldest_kept
      )
    ),
    forgotten as (
      delete from policy_counters p
      using touched t
      where p.book_id = t.book_id and p.scope = t.scope and p.subject = t.subject
        and p.currency = t.currency and p.bucket_seconds = t.bucket_seconds
        and p.bucket < t.oldest_kept
    )
    insert into policy_counters as p (
      book_id, scope, subject, currency, bucket_seconds, bucket, count, sum_minor
    )
    select book_id, scope, subject, currency, bucket_seconds, bucket, count, sum_minor from touched
    on conflict (book_id, scope, subject, currency, bucket_seconds, bucket) do update
      set count = p.count + excluded.count, sum_minor = p.sum_minor + excluded.sum_minor`,
};
