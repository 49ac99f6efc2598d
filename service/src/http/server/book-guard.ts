import { refuse } from '../../domain/refusal.ts';
import type { AuthenticatedKey, Scope } from '../../merchants/authenticated-key.ts';
import type { ApiKeyGuard } from './api-key-guard.ts';
import type { Arrival, BookCaller, Guard, HeaderWriter } from './caller.ts';
import { readSessionCookie } from './session-cookie.ts';
import type { BookSessionGuard, PersonInBook } from './session-guard.ts';
import type { BucketTable } from './token-bucket.ts';

type BookGuardParts = Readonly<{
  /** Undefined: the listener takes no key. */
  keys: ApiKeyGuard | undefined;
  scope: Scope;
  /** Undefined: the listener takes no cookie. */
  sessions: BookSessionGuard | undefined;
}>;

/** Lets in an API key of a book, or a person who names the book. */
export class BookGuard implements Guard<BookCaller> {
  readonly #keys: ApiKeyGuard | undefined;
  readonly #scope: Scope;
  readonly #sessions: BookSessionGuard | undefined;

  constructor({ keys, scope, sessions }: BookGuardParts) {
    this.#keys = keys;
    this.#scope = scope;
    this.#sessions = sessions;
  }

  authenticate(
    arrival: Arrival,
    reply: HeaderWriter,
    routeBuckets: BucketTable | undefined,
  ): BookCaller | undefined | Promise<BookCaller | undefined> {
    const key = arrival.headers['x-api-key'];
    if (this.#sessions === undefined || readSessionCookie(arrival) === undefined) {
      return this.#keys?.authenticate(key, arrival.address);
    }
    return this.#sessions.authenticate(arrival, reply, routeBuckets);
  }

  refuseUnauthenticated({ address }: Arrival): Error {
    return this.#keys?.refuseUnauthenticated(address) ?? refuse('UNAUTHORIZED');
  }

  admit(
    caller: AuthenticatedKey | PersonInBook,
    arrival: Arrival,
    reply: HeaderWriter,
    routeBuckets: BucketTable | undefined,
  ): void {
    if ('session' in caller) {
      this.#sessions?.admit(caller);
      return;
    }
    const { address } = arrival;
    this.#keys?.admit({ key: caller, address, scope: this.#scope, routeBuckets }, reply);
  }

  async readmit(caller: AuthenticatedKey | PersonInBook, arrival: Arrival): Promise<BookCaller> {
    const readmitted =
      'session' in caller
        ? this.#sessions?.readmit(caller, arrival)
        : this.#keys?.readmit(arrival, this.#scope);
    if (readmitted === undefined) throw this.refuseUnauthenticated(arrival);
    return readmitted;
  }
}

type PeopleOnlyGuardParts = Readonly<{
  /** Undefined: the listener takes no key. */
  keys: ApiKeyGuard | undefined;
  sessions: BookSessionGuard;
}>;

/** Lets in a person who names the book. A valid key is refused, even one with all scopes. */
export class PeopleOnlyGuard implements Guard<PersonInBook> {
  readonly #keys: ApiKeyGuard | undefined;
  readonly #sessions: BookSessionGuard;

  constructor({ keys, sessions }: PeopleOnlyGuardParts) {
    this.#keys = keys;
    this.#sessions = sessions;
  }

  async authenticate(
    arrival: Arrival,
    reply: HeaderWriter,
    routeBuckets: BucketTable | undefined,
  ): Promise<PersonInBook | undefined> {
    if (readSessionCookie(arrival) !== undefined) {
      return this.#sessions.authenticate(arrival, reply, routeBuckets);
    }
    const key = await this.#keys?.authenticate(arrival.headers['x-api-key'], arrival.address);
    if (key === undefined) return undefined;
    this.#keys?.showLimits(key, reply);
    throw refuse('FORBIDDEN', PEOPLE_ONLY);
  }

  refuseUnauthenticated({ address }: Arrival): Error {
    return this.#keys?.refuseUnauthenticated(address) ?? refuse('UNAUTHORIZED');
  }

  admit(caller: PersonInBook): void {
    this.#sessions.admit(caller);
  }

  readmit(caller: PersonInBook, arrival: Arrival): Promise<PersonInBook> {
    return this.#sessions.readmit(caller, arrival);
  }
}

const PEOPLE_ONLY = {
  message: 'Only people may do this, not API keys. Sign in and send the session cookie and x-book.',
};
