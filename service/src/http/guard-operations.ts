import type { BookReader } from '../merchants/read-book.ts';
import type { SessionFinder } from '../people/session.ts';
import type { ApiKeyGuard } from './server/api-key-guard.ts';
import type {
  ApiOperation,
  MerchantOperation,
  OwnOperation,
  PeopleOperation,
  PublicOperation,
  StaffOperation,
} from './server/api-operation.ts';
import { BookGuard, PeopleOnlyGuard } from './server/book-guard.ts';
import type { Caller } from './server/caller.ts';
import { PublicGuard } from './server/public-guard.ts';
import type { GuardedOperation } from './server/serve-operation.ts';
import {
  BookSessionGuard,
  MerchantSessionGuard,
  OwnSessionGuard,
  type SessionGuardDeps,
  StaffSessionGuard,
} from './server/session-guard.ts';
import { SessionLookups } from './server/session-lookups.ts';
import { type BucketRule, BucketTable } from './server/token-bucket.ts';

/** Where the operations of each kind are. */
export const PREFIXES = {
  book: '/api/v1/payments',
  public: '/api/v1/session',
  own: '/api/v1/session',
  merchant: '/api/v1/merchants/:merchantId',
  staff: '/api/v1/operations',
} as const;

/** Every operation of the API, by who may call it. */
export type Operations = Readonly<{
  /** For keys, and for people who name the book. */
  book: readonly ApiOperation[];
  /** For people who name the book, and not for keys. Below the same prefix. */
  bookPeople: readonly PeopleOperation[];
  public: readonly PublicOperation[];
  own: readonly OwnOperation[];
  merchant: readonly MerchantOperation[];
  staff: readonly StaffOperation[];
}>;

export type GuardDeps = Readonly<{
  /** Undefined: the listener takes no key. */
  keys: ApiKeyGuard | undefined;
  /** Undefined: the listener takes no cookie, and has the operations of books alone. */
  findSession: SessionFinder | undefined;
  /** Undefined: as findSession. */
  readBook: BookReader | undefined;
  now: () => Date;
  monotonicMs: () => number;
}>;

/** A person clicks; a page loads some lists at once. */
const PERSON_CALLS: BucketRule = { burst: 200, perSecond: 20 };
const PEOPLE_TRACKED_MAX = 100_000;

/** Calls `serve` for each operation, with its path and its guard. */
export function guardOperations(
  operations: Operations,
  deps: GuardDeps,
  serve: <C extends Caller>(operation: GuardedOperation<C>) => void,
): void {
  const { keys, findSession, readBook, now, monotonicMs } = deps;
  const personBuckets = new BucketTable(PERSON_CALLS, PEOPLE_TRACKED_MAX);
  const people: SessionGuardDeps | undefined =
    findSession === undefined || readBook === undefined
      ? undefined
      : {
          sessions: new SessionLookups({ findSession, monotonicMs }),
          readBook,
          now,
          monotonicMs,
          personBuckets,
        };
  for (const route of operations.book) {
    const { scope, permission, stepUp = false } = route;
    const sessions =
      people === undefined ? undefined : new BookSessionGuard(people, permission, stepUp);
    const guard = new BookGuard({ keys, scope, sessions });
    serve({ pattern: PREFIXES.book + route.path, route, guard });
  }
  if (people === undefined) return;
  for (const route of operations.bookPeople) {
    const sessions = new BookSessionGuard(people, route.permission, route.stepUp ?? false);
    const guard = new PeopleOnlyGuard({ keys, sessions });
    serve({ pattern: PREFIXES.book + route.path, route, guard });
  }
  const guard = new PublicGuard({ monotonicMs });
  for (const route of operations.public) {
    serve({ pattern: PREFIXES.public + route.path, route, guard });
  }
  for (const route of operations.own) {
    const guard = new OwnSessionGuard(people, route.stepUp ?? false);
    serve({ pattern: PREFIXES.own + route.path, route, guard });
  }
  for (const route of operations.merchant) {
    const guard = new MerchantSessionGuard(people, route.permission, route.stepUp ?? false);
    serve({ pattern: PREFIXES.merchant + route.path, route, guard });
  }
  for (const route of operations.staff) {
    const guard = new StaffSessionGuard(people, route.permission, route.stepUp ?? false);
    serve({ pattern: PREFIXES.staff + route.path, route, guard });
  }
}
