import { CURRENCIES, type Currency } from '../../domain/money.ts';
import type { CountedWindow } from '../../domain/policy/compile-policy.ts';
import type { NeedWindow, Order, WindowNeed } from '../../domain/policy/order.ts';
import {
  COUNTED_BY,
  type CountedBy,
  WINDOW_MAX_SECONDS,
  type Window,
} from '../../domain/policy/policy.ts';
import { bucketAt, bucketSecondsOf, firstBucketOf } from '../../domain/policy/window-buckets.ts';
import { windowNeed } from '../../domain/policy/window-need.ts';
import { RecentMap } from './recent-map.ts';

/** Of each policy that is replayed, over all its windows: about 60 MB at most. */
const SUBJECTS_MAX = 250_000;
const DAY_SECONDS = 24 * 60 * 60;

type Bucket = { number: number; count: number; sumMinor: bigint };
/** The buckets from the oldest on, and their totals. A day has no buckets: it ends when the next one begins. */
type Counted = { dayMs: number; buckets: Bucket[]; count: number; sumMinor: bigint };

const NOTHING: Readonly<{ count: number; sumMinor: bigint }> = { count: 0, sumMinor: 0n };

/** Counts accepted orders as the service does: by the same subjects, windows and buckets. Orders come by time. */
export class WindowCounts {
  readonly #counted: readonly CountedWindow[];
  /** By window and currency, then by subject. */
  readonly #byWindow = new Map<number, RecentMap<Counted>>();

  constructor(counted: readonly CountedWindow[]) {
    this.#counted = counted;
    const sizeMax = SUBJECTS_MAX / Math.max(1, counted.length * CURRENCIES.length);
    for (const { by, window } of counted) {
      for (const currency of CURRENCIES) {
        const neededMs = secondsOf(window) * 1_000;
        this.#byWindow.set(
          windowKey(by, window, currency),
          new RecentMap<Counted>({ sizeMax, neededMs }),
        );
      }
    }
  }

  /** Whether all subjects had a place. */
  get isExact(): boolean {
    return [...this.#byWindow.values()].every(({ hasForgotten }) => !hasForgotten);
  }

  add(order: Order): void {
    for (const { by, window } of this.#counted) {
      const need = windowNeed(order, by, window);
      if (need !== null) this.#addTo(need, order);
    }
  }

  read(need: WindowNeed, at: Date): Readonly<{ count: number; sumMinor: bigint }> {
    const counted = this.#subjectsOf(need)?.get(need.subject);
    if (counted === undefined) return NOTHING;
    dropPast(counted, need.window, at);
    return counted;
  }

  #subjectsOf({ by, window, currency }: WindowNeed): RecentMap<Counted> | undefined {
    return this.#byWindow.get(windowKey(by, window, currency));
  }

  #addTo(need: WindowNeed, { at, amountMinor }: Order): void {
    const subjects = this.#subjectsOf(need);
    const counted = subjects?.get(need.subject) ?? {
      dayMs: 0,
      buckets: [],
      count: 0,
      sumMinor: 0n,
    };
    dropPast(counted, need.window, at);
    if (need.window.kind === 'sliding') {
      const { seconds } = need.window;
      addToBucket(counted.buckets, bucketAt(at.getTime(), bucketSecondsOf(seconds)), amountMinor);
    }
    counted.count += 1;
    counted.sumMinor += amountMinor;
    subjects?.set(need.subject, counted, at.getTime());
  }
}

/** A number, because joining texts would take longer than all the rest. */
function windowKey(by: CountedBy, window: Window | NeedWindow, currency: Currency): number {
  const seconds = window.kind === 'day' ? 0 : window.seconds;
  const subject = COUNTED_BY.indexOf(by) * CURRENCIES.length + CURRENCIES.indexOf(currency);
  return subject * (WINDOW_MAX_SECONDS + 1) + seconds;
}

function addToBucket(buckets: Bucket[], number: number, amountMinor: bigint): void {
  const last = buckets.at(-1);
  // An order that is a moment older than the one before counts with it.
  if (last !== undefined && last.number >= number) {
    last.count += 1;
    last.sumMinor += amountMinor;
    return;
  }
  buckets.push({ number, count: 1, sumMinor: amountMinor });
}

function dropPast(counted: Counted, window: NeedWindow, at: Date): void {
  if (window.kind === 'day') {
    const dayMs = window.startsAt.getTime();
    if (dayMs <= counted.dayMs) return;
    counted.dayMs = dayMs;
    counted.count = 0;
    counted.sumMinor = 0n;
    return;
  }
  const first = firstBucketOf(at.getTime(), window.seconds);
  while (counted.buckets[0] !== undefined && counted.buckets[0].number < first) {
    const past = counted.buckets.shift();
    counted.count -= past?.count ?? 0;
    counted.sumMinor -= past?.sumMinor ?? 0n;
  }
}

export function longestSeconds(counted: readonly CountedWindow[]): number {
  return Math.max(0, ...counted.map(({ window }) => secondsOf(window)));
}

function secondsOf(window: Window): number {
  return window.kind === 'day' ? DAY_SECONDS : window.seconds + bucketSecondsOf(window.seconds);
}
