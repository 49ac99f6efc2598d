import type { HeaderWriter } from './caller.ts';
import type { TokenBucket } from './token-bucket.ts';

/** Shown in the RateLimit headers if there is no limit, so that they are never missing. */
const UNLIMITED = '2147483647';

/** Writes the RateLimit headers. */
export function writeLimits(
  reply: HeaderWriter,
  bucket: TokenBucket | undefined,
  nowMs: number,
): void {
  if (bucket === undefined) {
    reply.header('ratelimit-limit', UNLIMITED);
    reply.header('ratelimit-remaining', UNLIMITED);
    reply.header('ratelimit-reset', '0');
    return;
  }
  bucket.fill(nowMs);
  reply.header('ratelimit-limit', String(bucket.rule.burst));
  reply.header('ratelimit-remaining', String(bucket.remaining()));
  reply.header('ratelimit-reset', String(bucket.secondsUntilFull()));
}
