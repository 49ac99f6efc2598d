import type { IncomingHttpHeaders } from 'node:http';
import type { Actor, PersonActor } from '../../domain/actor.ts';
import type { PlacedBook } from '../../domain/book.ts';
import type { PersonSession } from '../../people/session.ts';
import type { BucketTable } from './token-bucket.ts';

/** What the server needs to know of any caller: the owner of its limits, and the book for the log. */
export type Caller = Readonly<{ id: string; actor: Actor; book?: PlacedBook }>;

/**
 * Whose places and memory a call takes. The keys of a merchant share theirs, so that more keys are not more of either;
 * each person has their own, so that a merchant whose key is misused can still revoke it.
 */
export function ownerOf({ id, actor, book }: Caller): string {
  return actor.kind === 'key' && book !== undefined ? book.merchantId : id;
}

/** Calls an operation of one book: an API key, or a person who named the book. */
export type BookCaller = Caller & Readonly<{ book: PlacedBook }>;

/** A person with a session. */
export type PersonCaller = Caller & Readonly<{ actor: PersonActor; session: PersonSession }>;

/** A person with a session who acts in one merchant. */
export type MerchantCaller = PersonCaller & Readonly<{ merchantId: string }>;

/** A caller without a key or session, such as a person who signs in. */
export type UnknownCaller = Caller;

/** A request as guards see it. */
export type Arrival = Readonly<{
  method: string;
  headers: IncomingHttpHeaders;
  /** The client's address. */
  address: string;
  /** A program on this machine sent it, over plain http. */
  isFromThisMachine: () => boolean;
  params: Readonly<Record<string, string>>;
}>;

export type HeaderWriter = Readonly<{ header(name: string, value: string): unknown }>;

/** Decides who calls an operation, and whether the caller may. One for each operation. */
export interface Guard<C extends Caller> {
  /**
   * Undefined: the request shows nothing that is valid. Synchronous where it can be, as for a cached key. Writes the
   * RateLimit headers if it refuses a caller whom it knows.
   */
  authenticate(
    arrival: Arrival,
    reply: HeaderWriter,
    /** As of `admit`, for callers who are counted before the database is asked. */
    routeBuckets: BucketTable | undefined,
  ): C | undefined | Promise<C | undefined>;
  /** The error for a request that shows nothing valid. */
  refuseUnauthenticated(arrival: Arrival): Error;
  /** Throws if the caller may not do this or does it too often. Writes the RateLimit headers where there are limits. */
  admit(
    caller: C,
    arrival: Arrival,
    reply: HeaderWriter,
    /** Of an operation that has its own rate limit, used instead of the caller's. */
    routeBuckets: BucketTable | undefined,
  ): void;
  /**
   * Looks once more at a caller whose body took a while to arrive: keys, sessions and roles end in the meantime. Throws
   * if the caller no longer may. Absent: who was admitted stays so.
   */
  readmit?(caller: C, arrival: Arrival): Promise<C>;
}
