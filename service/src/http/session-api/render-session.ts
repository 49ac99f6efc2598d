import type { GivenRole } from '../../domain/roles.ts';
import type { Membership, PersonSession } from '../../people/session.ts';
import { isSteppedUp, STEP_UP_MS } from '../server/session-guard.ts';

/** As SessionObject says. */
export function renderSession(session: PersonSession, now: Date): object {
  const { person, staffRoles, memberships, steppedUpAt, hasSecondFactor, expiresAt } = session;
  return {
    person,
    staffRoles,
    memberships: memberships.map(renderMembership),
    steppedUpUntil:
      steppedUpAt !== null && isSteppedUp(session, now) ? stepUpEnd(steppedUpAt) : null,
    hasSecondFactor,
    expiresAt: expiresAt.toISOString(),
  };
}

/** Until when a second factor counts that was shown at this time. */
export function stepUpEnd(steppedUpAt: Date): string {
  return new Date(steppedUpAt.getTime() + STEP_UP_MS).toISOString();
}

function renderMembership({ merchant, roles, books }: Membership) {
  return {
    merchant,
    roles: distinctWords(roles),
    books: books.map(({ id, mode }) => ({
      id,
      mode,
      roles: distinctWords(roles.filter(({ bookId }) => bookId === null || bookId === id)),
    })),
  };
}

function distinctWords(roles: readonly GivenRole[]): string[] {
  return [...new Set(roles.map(({ role }) => role))];
}
