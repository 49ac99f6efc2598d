import { networkOf } from '../../domain/network-of.ts';
import { refuse } from '../../domain/refusal.ts';
import { type BucketRule, BucketTable } from './token-bucket.ts';

/**
 * Callbacks with a wrong token, per address. An operator whose token was changed gets a few 404s. Guessing a token of
 * 128 bits is hopeless, so this limit only reduces the noise.
 */
const WRONG_TOKENS: BucketRule = { burst: 30, perSecond: 1 };
/** Callbacks of one operator from one address: more than a route pays out in a second. */
const CALLS: BucketRule = { burst: 2_000, perSecond: 1_000 };
/** What one route may store: 500 callbacks a second of the usual half KiB. */
const BYTES: BucketRule = { burst: 4 * 1_024 * 1_024, perSecond: 256 * 1_024 };
const ADDRESSES_TRACKED_MAX = 10_000;
const ROUTES_TRACKED_MAX = 1_000;

/** Limits the calls of operators, and of unauthenticated clients that pretend to be one. */
export class CallbackLimits {
  readonly #monotonicMs: () => number;
  readonly #wrong = new BucketTable(WRONG_TOKENS, ADDRESSES_TRACKED_MAX);
  readonly #calls = new BucketTable(CALLS, ADDRESSES_TRACKED_MAX);
  readonly #bytes = new BucketTable(BYTES, ROUTES_TRACKED_MAX);

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** The error for a wrong route or token. */
  refuseUnauthenticated(address: string): Error {
    const nowMs = this.#monotonicMs();
    const bucket = this.#wrong.bucketOf(networkOf(address), nowMs);
    if (bucket.take(nowMs)) return refuse('NOT_FOUND');
    return refuse('RATE_LIMITED', { retryAfterSeconds: bucket.secondsUntilNext() });
  }

  /** Called before the body of a callback with a valid token is read. Throws if there are too many. */
  admit(route: string, address: string): void {
    const nowMs = this.#monotonicMs();
    const bucket = this.#calls.bucketOf(`${route} ${networkOf(address)}`, nowMs);
    if (bucket.take(nowMs)) return;
    throw refuse('RATE_LIMITED', { retryAfterSeconds: bucket.secondsUntilNext() });
  }

  /** Called before a body is stored. Throws if the route has sent too many bytes. */
  admitBytes(route: string, bytes: number): void {
    const nowMs = this.#monotonicMs();
    const bucket = this.#bytes.bucketOf(route, nowMs);
    if (bucket.take(nowMs, bytes)) return;
    throw refuse('RATE_LIMITED', { retryAfterSeconds: bucket.secondsUntilNext(bytes) });
  }
}
