import { MERCHANT_ROLES } from '../../../../service/src/domain/roles.ts';
import type { GivenRole } from '../../api/team-types.ts';
import type { MerchantRole, Mode, SessionBook } from '../../api/types.ts';
import { team as texts } from '../../texts/en/team.ts';

export type RoleIn = keyof typeof texts.roleIn;
export type RoleChoice = Readonly<Record<MerchantRole, RoleIn>>;

export const NO_ROLES = Object.fromEntries(
  MERCHANT_ROLES.map((role) => [role, 'none']),
) as RoleChoice;

type Books = readonly Pick<SessionBook, 'id' | 'mode'>[];

/** Roles as they are given, as one choice for each role. */
export function choiceOf(given: readonly GivenRole[], books: Books): RoleChoice {
  const choose = (role: MerchantRole): RoleIn => {
    const ofRole = given.filter((one) => one.role === role);
    if (ofRole.length === 0) return 'none';
    const modes = new Set(ofRole.flatMap(({ bookId }) => modesOf(bookId, books)));
    if (modes.size > 1) return 'all';
    return modes.has('live') ? 'live' : 'test';
  };
  return Object.fromEntries(MERCHANT_ROLES.map((role) => [role, choose(role)])) as RoleChoice;
}

export function givenOf(choice: RoleChoice, books: Books): readonly GivenRole[] {
  return MERCHANT_ROLES.flatMap((role): readonly GivenRole[] => {
    const where = choice[role];
    if (where === 'none') return [];
    if (where === 'all') return [{ role, bookId: null }];
    const book = books.find(({ mode }) => mode === where);
    return book === undefined ? [] : [{ role, bookId: book.id }];
  });
}

/** The modes in which a role holds: of one book, or of all. */
export function modesOf(bookId: string | null, books: Books): readonly Mode[] {
  if (bookId === null) return ['live', 'test'];
  return books.filter(({ id }) => id === bookId).map(({ mode }) => mode);
}

/** "owner and maker in TEST only" */
export function sayRoles(choice: RoleChoice): string {
  const words = MERCHANT_ROLES.flatMap((role) => {
    const where = choice[role];
    if (where === 'none') return [];
    return [where === 'all' ? role : `${role} ${texts.roleIn[where]}`];
  });
  return texts.listRoles(words);
}
