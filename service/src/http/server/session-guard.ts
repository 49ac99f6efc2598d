import type { BookPlace } from '../../domain/book.ts';
import { fieldProblem } from '../../domain/field-problem.ts';
import { refuse } from '../../domain/refusal.ts';
import {
  type BookPermission,
  type MerchantPermission,
  mayAsStaff,
  mayInBook,
  mayInMerchant,
  type StaffPermission,
} from '../../domain/roles.ts';
import type { BookReader } from '../../merchants/read-book.ts';
import { mustHaveSecondFactor, type PersonSession } from '../../people/session.ts';
import type {
  Arrival,
  BookCaller,
  Guard,
  HeaderWriter,
  MerchantCaller,
  PersonCaller,
} from './caller.ts';
import { refuseOtherOrigins } from './own-origin.ts';
import { readSessionCookie } from './session-cookie.ts';
import type { SessionLookups } from './session-lookups.ts';
import type { BucketTable } from './token-bucket.ts';
import { writeLimits } from './write-limits.ts';

/** A second factor counts for this long. */
export const STEP_UP_MS = 5 * 60_000;

/** Set by pages on calls that no person makes, such as a refresh: these do not keep the session from becoming idle. */
const UNATTENDED = 'x-unattended';

export type SessionGuardDeps = Readonly<{
  sessions: SessionLookups;
  /** Asks the cell of the book that a call names. */
  readBook: BookReader;
  now: () => Date;
  monotonicMs: () => number;
  /** Calls of each person. */
  personBuckets: BucketTable;
}>;

/** How fresh the second factor must be: 'live' asks for it in live books only. */
export type StepUp = boolean | 'live';

/** Whether the second factor was shown again a moment ago. */
export function isSteppedUp(
  { steppedUpAt }: Pick<PersonSession, 'steppedUpAt'>,
  now: Date,
): boolean {
  return steppedUpAt !== null && now.getTime() - steppedUpAt.getTime() <= STEP_UP_MS;
}

type Counted = Readonly<{ arrival: Arrival; buckets: BucketTable; reply: HeaderWriter }>;

/** What every guard of people checks: the session, where the request comes from, the rate, the second factor. */
abstract class PeopleGuard<C extends PersonCaller> implements Guard<C> {
  protected readonly deps: SessionGuardDeps;
  readonly #stepUp: StepUp;

  constructor(deps: SessionGuardDeps, stepUp: StepUp) {
    this.deps = deps;
    this.#stepUp = stepUp;
  }

  async authenticate(
    arrival: Arrival,
    reply: HeaderWriter,
    routeBuckets: BucketTable | undefined,
  ): Promise<C | undefined> {
    const token = readToken(arrival);
    if (token === undefined) return undefined;
    const buckets = routeBuckets ?? this.deps.personBuckets;
    // Counted before the database is asked, so that a flood of refused calls cannot load it.
    const knownId = this.deps.sessions.personOf(token);
    if (knownId !== undefined) this.#count(knownId, { arrival, buckets, reply });
    const session = await this.#findSession(token, arrival);
    if (session === undefined) return undefined;
    if (knownId === undefined) this.#count(session.person.id, { arrival, buckets, reply });
    // Guessed ids count like all other calls.
    return this.enter(session, arrival);
  }

  #findSession(token: string, { headers, address }: Arrival): Promise<PersonSession | undefined> {
    return this.deps.sessions.find({
      token,
      address,
      isUnattended: headers[UNATTENDED] !== undefined,
    });
  }

  refuseUnauthenticated(): Error {
    return refuse('UNAUTHORIZED');
  }

  admit(caller: C): void {
    this.#refuseUnlessMay(caller);
  }

  /** Throws if the person calls too often, or the call comes from a page of another origin. */
  #count(personId: string, { arrival, buckets, reply }: Counted): void {
    const nowMs = this.deps.monotonicMs();
    const bucket = buckets.bucketOf(personId, nowMs);
    try {
      refuseOtherOrigins(arrival);
    } catch (error) {
      // A page of another origin must not use up the person's calls.
      writeLimits(reply, bucket, nowMs);
      throw error;
    }
    const isExhausted = !bucket.take(nowMs);
    writeLimits(reply, bucket, nowMs);
    if (!isExhausted) return;
    throw refuse('RATE_LIMITED', { retryAfterSeconds: bucket.secondsUntilNext() });
  }

  async readmit(_caller: C, arrival: Arrival): Promise<C> {
    const token = readToken(arrival);
    const session = token === undefined ? undefined : await this.#findSession(token, arrival);
    if (session === undefined) throw this.refuseUnauthenticated();
    const caller = await this.enter(session, arrival);
    this.#refuseUnlessMay(caller);
    return caller;
  }

  #refuseUnlessMay(caller: C): void {
    if (!this.may(caller)) throw refuse('FORBIDDEN');
    if (this.needsSecondFactor(caller) && !caller.session.hasSecondFactor) {
      throw refuse('SECOND_FACTOR_REQUIRED');
    }
    const mustStepUp = this.#stepUp === 'live' ? caller.book?.mode === 'live' : this.#stepUp;
    if (mustStepUp && !isSteppedUp(caller.session, this.deps.now())) {
      throw refuse('STEP_UP_REQUIRED');
    }
  }

  /** Throws NOT_FOUND for what the person may not see. */
  protected abstract enter(session: PersonSession, arrival: Arrival): C | Promise<C>;

  protected abstract may(caller: C): boolean;

  /** A person with a staff role or a live book must have one. */
  protected needsSecondFactor({ book, session }: C): boolean {
    if (book !== undefined) return book.mode === 'live';
    return mustHaveSecondFactor(session);
  }
}

function readToken(arrival: Arrival): string | undefined {
  const token = readSessionCookie(arrival);
  if (token === undefined) return undefined;
  if (arrival.headers['x-api-key'] !== undefined) throw refuse('BAD_REQUEST', BOTH);
  return token;
}

const BOTH = {
  message: 'Send an API key or a session cookie, not both. Nothing was stored.',
};

export type PersonInBook = BookCaller & PersonCaller;

/** A person in the book that x-book names. */
export class BookSessionGuard extends PeopleGuard<PersonInBook> {
  readonly #permission: BookPermission;

  constructor(deps: SessionGuardDeps, permission: BookPermission, stepUp: StepUp) {
    super(deps, stepUp);
    this.#permission = permission;
  }

  protected async enter(session: PersonSession, { headers }: Arrival): Promise<PersonInBook> {
    const bookId = headers['x-book'];
    if (typeof bookId !== 'string' || bookId === '') {
      throw refuse('VALIDATION_ERROR', { fields: [fieldProblem('x-book', 'REQUIRED')] });
    }
    const wanted = bookId.toLowerCase();
    const place: BookPlace | undefined = session.memberships
      .flatMap(({ books }) => books)
      .find(({ id }) => id === wanted);
    if (place === undefined) throw refuse('BOOK_NOT_FOUND');
    const book = await this.deps.readBook(place);
    return { ...callerOf(session, book.merchantId), book };
  }

  protected may({ session, book }: PersonInBook): boolean {
    const { roles = [] } = membershipOf(session, book.merchantId) ?? {};
    return mayInBook(roles, book, this.#permission);
  }
}

/** A person in the merchant that the path names. */
export class MerchantSessionGuard extends PeopleGuard<MerchantCaller> {
  readonly #permission: MerchantPermission;

  constructor(deps: SessionGuardDeps, permission: MerchantPermission, stepUp: StepUp) {
    super(deps, stepUp);
    this.#permission = permission;
  }

  protected enter(session: PersonSession, { params }: Arrival): MerchantCaller {
    const merchantId = params['merchantId'] ?? '';
    if (membershipOf(session, merchantId) === undefined) throw refuse('NOT_FOUND');
    return { ...callerOf(session, merchantId), merchantId };
  }

  protected may({ session, merchantId }: MerchantCaller): boolean {
    return mayInMerchant(membershipOf(session, merchantId)?.roles ?? [], this.#permission);
  }
}

/** A person of the staff. */
export class StaffSessionGuard extends PeopleGuard<PersonCaller> {
  readonly #permission: StaffPermission;

  constructor(deps: SessionGuardDeps, permission: StaffPermission, stepUp: StepUp) {
    super(deps, stepUp);
    this.#permission = permission;
  }

  protected enter(session: PersonSession): PersonCaller {
    if (session.staffRoles.length === 0) throw refuse('NOT_FOUND');
    return callerOf(session);
  }

  protected may({ session }: PersonCaller): boolean {
    return mayAsStaff(session.staffRoles, this.#permission);
  }
}

/** A person and what is their own: the session itself, factors, sessions, settings. */
export class OwnSessionGuard extends PeopleGuard<PersonCaller> {
  protected enter(session: PersonSession): PersonCaller {
    return callerOf(session);
  }

  protected may(): boolean {
    return true;
  }

  /** Open without one: here it is set up. */
  protected override needsSecondFactor(): boolean {
    return false;
  }
}

/** `merchantId`: the person acts as one of this merchant's. */
function callerOf(session: PersonSession, merchantId?: string): PersonCaller {
  const { id, name } = session.person;
  const actor = { kind: 'person', id, name } as const;
  return { id, actor: merchantId === undefined ? actor : { ...actor, merchantId }, session };
}

function membershipOf(session: PersonSession, merchantId: string) {
  return session.memberships.find(({ merchant }) => merchant.id === merchantId);
}
