import type { CountedWindow } from '../../domain/policy/compile-policy.ts';
import type { Order, WindowNeed } from '../../domain/policy/order.ts';
import { bucketAt, bucketSecondsOf, firstBucketOf } from '../../domain/policy/window-buckets.ts';
import { windowNeed, windowNeedKey } from '../../domain/policy/window-need.ts';
import { RecentMap } from './recent-map.ts';

/** Of each policy that is replayed: about 60 MB at most. */
const SUBJECTS_MAX = 250_000;
const DAY_SECONDS = 24 * 60 * 60;

type Bucket = { number: number; count: number; sumMinor: bigint };
/** The buckets from the oldest on, and their totals. */
type Counted = { buckets: Bucket[]; count: number; sumMinor: bigint };

const NOTHING: Readonly<{ count: number; sumMinor: bigint }> = { count: 0, sumMinor: 0n };

/** Counts accepted orders as the service does: by the same subjects, windows and buckets. Orders come by time. */
export class WindowCounts {
  readonly #counted: readonly CountedWindow[];
  readonly #bySubject: RecentMap<Counted>;

  constructor(counted: readonly CountedWindow[]) {
    this.#counted = counted;
    const neededMs = longestSeconds(counted) * 1_000;
    this.#bySubject = new RecentMap({ sizeMax: SUBJECTS_MAX, neededMs });
  }

  /** Whether all subjects had a place. */
  get isExact(): boolean {
    return !this.#bySubject.hasForgotten;
  }

  add(order: Order): void {
    for (const { by, window } of this.#counted) {
      const need = windowNeed(order, by, window);
      if (need !== null) this.#addTo(need, order);
    }
  }

  read(need: WindowNeed, at: Date): Readonly<{ count: number; sumMinor: bigint }> {
    const counted = this.#bySubject.get(windowNeedKey(need));
    if (counted === undefined) return NOTHING;
    if (need.window.kind === 'sliding') dropPast(counted, at, need.window.seconds);
    return counted;
  }

  #addTo(need: WindowNeed, { at, amountMinor }: Order): void {
    const key = windowNeedKey(need);
    const counted = this.#bySubject.get(key) ?? { buckets: [], count: 0, sumMinor: 0n };
    const { window } = need;
    if (window.kind === 'sliding') {
      dropPast(counted, at, window.seconds);
      addToBucket(
        counted.buckets,
        bucketAt(at.getTime(), bucketSecondsOf(window.seconds)),
        amountMinor,
      );
    }
    counted.count += 1;
    counted.sumMinor += amountMinor;
    this.#bySubject.set(key, counted, at.getTime());
  }
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

function dropPast(counted: Counted, at: Date, windowSeconds: number): void {
  const first = firstBucketOf(at.getTime(), windowSeconds);
  while (counted.buckets[0] !== undefined && counted.buckets[0].number < first) {
    const [past] = counted.buckets.splice(0, 1);
    counted.count -= past?.count ?? 0;
    counted.sumMinor -= past?.sumMinor ?? 0n;
  }
}

export function longestSeconds(counted: readonly CountedWindow[]): number {
  const seconds = counted.map(({ window }) =>
    window.kind === 'day' ? DAY_SECONDS : window.seconds + bucketSecondsOf(window.seconds),
  );
  return Math.max(0, ...seconds);
}
