import { networkOf } from '../../domain/network-of.ts';
import { refuse } from '../../domain/refusal.ts';
import { type BucketRule, BucketTable } from './token-bucket.ts';

const NETWORKS_TRACKED_MAX = 10_000;

/** Throws if a network requests pages more often than the rule allows. */
export function limitPages(
  { monotonicMs }: Readonly<{ monotonicMs: () => number }>,
  rule: BucketRule,
): (request: Readonly<{ address: string }>) => void {
  const buckets = new BucketTable(rule, NETWORKS_TRACKED_MAX);
  return ({ address }) => {
    const nowMs = monotonicMs();
    const bucket = buckets.bucketOf(networkOf(address), nowMs);
    if (bucket.take(nowMs)) return;
    throw refuse('RATE_LIMITED', { retryAfterSeconds: bucket.secondsUntilNext() });
  };
}
