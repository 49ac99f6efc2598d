/**
 * A sliding window is counted in this many buckets, each counted whole: up to a sixty-fourth too much, and never too
 * little.
 */
export const BUCKETS_PER_WINDOW = 64;

export function bucketSecondsOf(windowSeconds: number): number {
  return Math.max(1, Math.ceil(windowSeconds / BUCKETS_PER_WINDOW));
}

/** The number of the bucket of a moment, since 1970. */
export function bucketAt(atMs: number, bucketSeconds: number): number {
  return Math.floor(atMs / 1_000 / bucketSeconds);
}

/** The first bucket of the window that ends at a moment. */
export function firstBucketOf(atMs: number, windowSeconds: number): number {
  return bucketAt(atMs - windowSeconds * 1_000, bucketSecondsOf(windowSeconds));
}
