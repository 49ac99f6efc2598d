import { networkOf } from '../../domain/network-of.ts';
import { refuse } from '../../domain/refusal.ts';
import { type BucketRule, BucketTable } from './token-bucket.ts';

/**
 * Callbacks with a wrong token, per address. An operator whose token was changed gets a few 404s. Guessing a token of
 * 128 bits is hopeless, so this limit only reduces the noise.
 */
const WRONG_TOKENS: BucketRule = { burst: 30, perSecond: 1 };
/**
 * Callbacks that one payout may bring: one for its end, one for a state before it, and each once more by an operator
 * that got no answer.
 */
const CALLS_PER_PAYOUT = 4;
/** Of half a KiB, which most have; one of 2 KiB for each payout is the same. */
const BYTES_PER_CALL = 512;
/** Callbacks of one operator from one address, where its routes pay out little. It may send many at once after a pause. */
const CALLS_MIN: BucketRule = { burst: 2_000, perSecond: 1_000 };
/** What one route may store then: 500 callbacks a second. */
const BYTES_MIN: BucketRule = { burst: 4 * 1_024 * 1_024, perSecond: 256 * 1_024 };
/** As many payouts a second as a route file can allow a route. Callbacks of more are limited like these. */
const PAYOUTS_PER_SECOND_MAX = 10_000;
const ADDRESSES_TRACKED_MAX = 10_000;
const ROUTES_TRACKED_MAX = 1_000;

/**
 * Limits the calls of operators, and of unauthenticated clients that pretend to be one. An operator may call as often as
 * the payouts of its routes can make it, so that a busy route does not refuse the callbacks of its own payouts. Memory
 * does not grow with that rate: the commit queue bounds how many callbacks wait, and the budget of bodies their bytes.
 */
export class CallbackLimits {
  readonly #monotonicMs: () => number;
  readonly #wrong = new BucketTable(WRONG_TOKENS, ADDRESSES_TRACKED_MAX);
  readonly #calls = new BucketTable(CALLS_MIN, ADDRESSES_TRACKED_MAX);
  readonly #bytes = new BucketTable(BYTES_MIN, ROUTES_TRACKED_MAX);

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
  admit(route: string, address: string, payoutsPerSecond: number): void {
    const nowMs = this.#monotonicMs();
    const rule = atLeast(CALLS_MIN, callsPerSecond(payoutsPerSecond));
    const bucket = this.#calls.bucketOf(`${route} ${networkOf(address)}`, nowMs, rule);
    if (bucket.take(nowMs)) return;
    throw refuse('RATE_LIMITED', { retryAfterSeconds: bucket.secondsUntilNext() });
  }

  /** Called before a body is stored. Throws if the route has sent too many bytes. */
  admitBytes(route: string, bytes: number, payoutsPerSecond: number): void {
    const nowMs = this.#monotonicMs();
    const rule = atLeast(BYTES_MIN, BYTES_PER_CALL * callsPerSecond(payoutsPerSecond));
    const bucket = this.#bytes.bucketOf(route, nowMs, rule);
    if (bucket.take(nowMs, bytes)) return;
    throw refuse('RATE_LIMITED', { retryAfterSeconds: bucket.secondsUntilNext(bytes) });
  }
}

function callsPerSecond(payoutsPerSecond: number): number {
  return CALLS_PER_PAYOUT * Math.min(payoutsPerSecond, PAYOUTS_PER_SECOND_MAX);
}

/** A burst of two seconds, where the minimum has less. */
function atLeast(min: BucketRule, perSecond: number): BucketRule {
  if (perSecond <= min.perSecond) return min;
  return { perSecond, burst: Math.max(min.burst, 2 * perSecond) };
}
