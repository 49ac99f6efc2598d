import { refuse } from '../../domain/refusal.ts';
import { networkOf } from './client-address.ts';
import { type BucketRule, BucketTable } from './token-bucket.ts';

/**
 * Calls with a wrong token, of one address. An operator whose token was changed is told 404 a few times;
 * guessing a token of 128 bits goes nowhere, so this only keeps the noise small.
 */
const WRONG_TOKENS: BucketRule = { burst: 30, perSecond: 1 };
/** Calls of one operator from one address: more than a route pays out in a second. */
const CALLS: BucketRule = { burst: 2_000, perSecond: 1_000 };
/** What one route may have stored: 500 calls a second of the usual half KiB. */
const BYTES: BucketRule = { burst: 4 * 1_024 * 1_024, perSecond: 256 * 1_024 };
const ADDRESSES_TRACKED_MAX = 10_000;
const ROUTES_TRACKED_MAX = 1_000;

/** How often operators, and strangers who pretend to be one, may call. */
export class CallbackLimits {
  readonly #monotonicMs: () => number;
  readonly #wrong = new BucketTable(WRONG_TOKENS, ADDRESSES_TRACKED_MAX);
  readonly #calls = new BucketTable(CALLS, ADDRESSES_TRACKED_MAX);
  readonly #bytes = new BucketTable(BYTES, ROUTES_TRACKED_MAX);

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** What a wrong route or token gets. */
  refuseUnauthenticated(address: string): Error {
    const nowMs = this.#monotonicMs();
    const bucket = this.#wrong.bucketOf(networkOf(address), nowMs);
    if (bucket.take(nowMs)) return refuse('NOT_FOUND');
    return refuse('RATE_LIMITED', { retryAfterSeconds: bucket.secondsUntilNext() });
  }

  /** Before the body of a call with a right token is read. Throws when there were too many. */
  admit(route: string, address: string): void {
    const nowMs = this.#monotonicMs();
    const bucket = this.#calls.bucketOf(`${route} ${networkOf(address)}`, nowMs);
    if (bucket.take(nowMs)) return;
    throw refuse('RATE_LIMITED', { retryAfterSeconds: bucket.secondsUntilNext() });
  }

  /** Before a body is stored. Throws when the route has sent too much. */
  admitBytes(route: string, bytes: number): void {
    const nowMs = this.#monotonicMs();
    const bucket = this.#bytes.bucketOf(route, nowMs);
    if (bucket.take(nowMs, bytes)) return;
    throw refuse('RATE_LIMITED', { retryAfterSeconds: bucket.secondsUntilNext(bytes) });
  }
}
