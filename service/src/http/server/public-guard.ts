import { networkOf } from '../../domain/network-of.ts';
import { refuse } from '../../domain/refusal.ts';
import type { Arrival, Guard, HeaderWriter, UnknownCaller } from './caller.ts';
import { refuseOtherOrigins } from './own-origin.ts';
import { type BucketRule, BucketTable } from './token-bucket.ts';

/** Calls of a network that has shown nothing: enough for an office that signs in on Monday morning. */
const CALLS: BucketRule = { burst: 60, perSecond: 1 };
const NETWORKS_TRACKED_MAX = 10_000;

/** Lets in every client, each network so often. */
export class PublicGuard implements Guard<UnknownCaller> {
  readonly #monotonicMs: () => number;
  readonly #buckets = new BucketTable(CALLS, NETWORKS_TRACKED_MAX);

  constructor({ monotonicMs }: Readonly<{ monotonicMs: () => number }>) {
    this.#monotonicMs = monotonicMs;
  }

  authenticate({ address }: Arrival): UnknownCaller {
    return { id: networkOf(address), actor: { kind: 'system', part: 'sign-in' } };
  }

  refuseUnauthenticated(): Error {
    return refuse('UNAUTHORIZED');
  }

  admit(
    { id }: UnknownCaller,
    arrival: Arrival,
    _reply: HeaderWriter,
    routeBuckets: BucketTable | undefined,
  ): void {
    refuseOtherOrigins(arrival);
    const nowMs = this.#monotonicMs();
    const bucket = (routeBuckets ?? this.#buckets).bucketOf(id, nowMs);
    if (bucket.take(nowMs)) return;
    throw refuse('RATE_LIMITED', { retryAfterSeconds: bucket.secondsUntilNext() });
  }
}
