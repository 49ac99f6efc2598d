import type { BlockList } from 'node:net';
import { networkOf } from '../../domain/network-of.ts';
import { refuse } from '../../domain/refusal.ts';
import type {
  AuthenticatedKey,
  KeyAuthenticator,
  Scope,
} from '../../merchants/authenticated-key.ts';
import type { Arrival, HeaderWriter } from './caller.ts';
import { buildAddressList, isListed } from './client-address.ts';
import { type BucketRule, BucketTable } from './token-bucket.ts';
import { writeLimits } from './write-limits.ts';

/**
 * Failed authentications per address. The burst is generous because many merchants may share an address: a deployment
 * with a stale key must not turn the others' 401 into 429.
 */
const FAILURES: BucketRule = { burst: 300, perSecond: 10 };
const ADDRESSES_TRACKED_MAX = 10_000;
export const KEYS_TRACKED_MAX = 100_000;

export type KeyAdmission = Readonly<{
  key: AuthenticatedKey;
  address: string;
  scope: Scope;
  /** The buckets of an operation that has its own rate limit, used instead of the key's. */
  routeBuckets: BucketTable | undefined;
}>;

type ApiKeyGuardOptions = Readonly<{
  authenticator: KeyAuthenticator;
  /** Requests per second for each key; 0 means no limit. */
  rateLimitPerSecond: number;
  monotonicMs: () => number;
}>;

/** Authenticates keys, checks scopes and addresses, and applies rate limits. */
export class ApiKeyGuard {
  readonly #authenticator: KeyAuthenticator;
  readonly #monotonicMs: () => number;
  readonly #failures = new BucketTable(FAILURES, ADDRESSES_TRACKED_MAX);
  readonly #keyBuckets: BucketTable | undefined;
  readonly #addressLists = new WeakMap<AuthenticatedKey, BlockList>();

  constructor({ authenticator, rateLimitPerSecond, monotonicMs }: ApiKeyGuardOptions) {
    this.#authenticator = authenticator;
    this.#monotonicMs = monotonicMs;
    if (rateLimitPerSecond > 0) {
      const rule = { perSecond: rateLimitPerSecond, burst: rateLimitPerSecond };
      this.#keyBuckets = new BucketTable(rule, KEYS_TRACKED_MAX);
    }
  }

  /** Synchronous where the authenticator is, as for a cached key. */
  authenticate(
    header: string | string[] | undefined,
    address: string,
  ): AuthenticatedKey | undefined | Promise<AuthenticatedKey | undefined> {
    // Two headers of one name arrive joined by a comma, which no key contains.
    if (typeof header !== 'string' || header === '' || header.includes(',')) return undefined;
    return this.#authenticator.authenticate(header, networkOf(address));
  }

  /** The error for a request without a valid key. Failures from an address never affect valid keys. */
  refuseUnauthenticated(address: string): Error {
    const bucket = this.#failures.bucketOf(networkOf(address), this.#monotonicMs());
    if (bucket.take(this.#monotonicMs())) return refuse('UNAUTHORIZED');
    return refuse('RATE_LIMITED', { retryAfterSeconds: bucket.secondsUntilNext() });
  }

  /**
   * Throws if the key lacks the scope, the address is not on its list, or its rate limit is reached. Writes the
   * RateLimit headers in every case.
   */
  admit(admission: KeyAdmission, reply: HeaderWriter): void {
    const { key, address, scope, routeBuckets } = admission;
    const nowMs = this.#monotonicMs();
    const bucket = (routeBuckets ?? this.#keyBuckets)?.bucketOf(key.id, nowMs);
    const isAllowed = this.#isAllowed(key, { address, scope });
    // A stolen key used from another address must not use up the owner's requests.
    const isExhausted = isAllowed && bucket?.take(nowMs) === false;
    writeLimits(reply, bucket, nowMs);
    if (!isAllowed) throw refuse('FORBIDDEN');
    if (!isExhausted) return;
    throw refuse('RATE_LIMITED', { retryAfterSeconds: bucket.secondsUntilNext() });
  }

  /**
   * The key as it is now. Throws if it is no longer valid or no longer allows this. Mostly answered from the cache, and
   * it does not count again.
   */
  async readmit({ headers, address }: Arrival, scope: Scope): Promise<AuthenticatedKey> {
    const key = await this.authenticate(headers['x-api-key'], address);
    if (key === undefined) throw this.refuseUnauthenticated(address);
    if (!this.#isAllowed(key, { address, scope })) throw refuse('FORBIDDEN');
    return key;
  }

  /** Shows the limits of a key that is refused before it can be admitted. */
  showLimits(key: AuthenticatedKey, reply: HeaderWriter): void {
    const nowMs = this.#monotonicMs();
    writeLimits(reply, this.#keyBuckets?.bucketOf(key.id, nowMs), nowMs);
  }

  #isAllowed(
    key: AuthenticatedKey,
    { address, scope }: Readonly<{ address: string; scope: Scope }>,
  ): boolean {
    return this.#comesFromList(key, address) && key.scopes.includes(scope);
  }

  #comesFromList(key: AuthenticatedKey, address: string): boolean {
    if (key.addresses.length === 0) return true;
    let list = this.#addressLists.get(key);
    if (list === undefined) {
      list = buildAddressList(key.addresses);
      this.#addressLists.set(key, list);
    }
    return isListed(list, address);
  }
}
