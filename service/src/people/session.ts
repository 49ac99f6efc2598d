import type { BookPlace } from '../domain/book.ts';
import type { GivenRole, StaffRole } from '../domain/roles.ts';

/** What a person belongs to at one merchant. */
export type Membership = Readonly<{
  merchant: Readonly<{ id: string; name: string }>;
  roles: readonly GivenRole[];
  /** Those in which the person has a role. */
  books: readonly BookPlace[];
}>;

/** A session that is open now, and what its person may do now. */
export type PersonSession = Readonly<{
  id: string;
  person: Readonly<{ id: string; name: string; email: string }>;
  /** A second factor was shown when it began, or since. */
  hasSecondFactor: boolean;
  /** When a second factor was shown last; null: never in this session. */
  steppedUpAt: Date | null;
  staffRoles: readonly StaffRole[];
  memberships: readonly Membership[];
  /** When it ends, however often it is used. */
  expiresAt: Date;
}>;

/** The roles that the person has in a merchant. */
export function rolesIn({ memberships }: PersonSession, merchantId: string): readonly GivenRole[] {
  return memberships.find(({ merchant }) => merchant.id === merchantId)?.roles ?? [];
}

/**
 * Finds the open session of a cookie; undefined: there is none. Counts as a use of the session, unless the page asks by
 * itself: a page that is left open must not keep its session.
 */
export type SessionFinder = (
  token: string,
  call?: Readonly<{ isUnattended: boolean }>,
) => Promise<PersonSession | undefined>;

/** Whether a person must have a second factor: one of the staff, or with a live book. */
export function mustHaveSecondFactor({
  staffRoles,
  memberships,
}: Pick<PersonSession, 'staffRoles' | 'memberships'>): boolean {
  return (
    staffRoles.length > 0 ||
    memberships.some(({ books }) => books.some(({ mode }) => mode === 'live'))
  );
}
