import { hash } from 'node:crypto';
import { networkOf } from '../../domain/network-of.ts';
import { refuse } from '../../domain/refusal.ts';
import type { PersonSession, SessionFinder } from '../../people/session.ts';
import { type BucketRule, BucketTable } from './token-bucket.ts';

/** Wrong cookies of one network. Generous: an office may come back to many tabs whose sessions have ended. */
const WRONG_COOKIES: BucketRule = { burst: 300, perSecond: 10 };
const NETWORKS_TRACKED_MAX = 10_000;
/**
 * Cookies that were right a moment ago. A flood of wrong ones from the same network does not keep them out, and their
 * person is known before the database is asked.
 */
const RIGHT_COOKIES_MAX = 10_000;

type LookupDeps = Readonly<{ findSession: SessionFinder; monotonicMs: () => number }>;

type Sought = Readonly<{ token: string; address: string; isUnattended: boolean }>;

/** Finds sessions in the database. Guessed cookies are limited, so that they cannot load it. */
export class SessionLookups {
  readonly #deps: LookupDeps;
  readonly #wrong = new BucketTable(WRONG_COOKIES, NETWORKS_TRACKED_MAX);
  /** The person of each, by the hash. */
  readonly #right = new Map<string, string>();

  constructor(deps: LookupDeps) {
    this.#deps = deps;
  }

  /** Whose cookie this was a moment ago; undefined: it is not remembered. */
  personOf(token: string): string | undefined {
    return this.#right.get(hashOf(token));
  }

  async find({ token, address, isUnattended }: Sought): Promise<PersonSession | undefined> {
    const nowMs = this.#deps.monotonicMs();
    const bucket = this.#wrong.bucketOf(networkOf(address), nowMs);
    const key = hashOf(token);
    // Taken before the look: many at once would otherwise all pass for the last one that is left.
    const isTaken = bucket.take(nowMs);
    if (!isTaken && !this.#right.has(key)) {
      throw refuse('RATE_LIMITED', { retryAfterSeconds: bucket.secondsUntilNext() });
    }
    const session = await this.#deps.findSession(token, { isUnattended });
    if (isTaken && session !== undefined) bucket.giveBack();
    // Removed and added again, so that the first one is the one that was used least lately.
    this.#right.delete(key);
    if (session !== undefined) this.#remember(key, session.person.id);
    return session;
  }

  #remember(key: string, personId: string): void {
    this.#right.set(key, personId);
    const [oldest] = this.#right.keys();
    if (this.#right.size > RIGHT_COOKIES_MAX && oldest !== undefined) this.#right.delete(oldest);
  }
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64');
}
