import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import {
  BOOK_PERMISSIONS,
  type BookPermission,
  MERCHANT_PERMISSIONS,
  type MerchantPermission,
  mayAsStaff,
  mayInBook,
  mayInMerchant,
  STAFF_PERMISSIONS,
  type StaffPermission,
} from '../../../service/src/domain/roles.ts';
import { call } from '../api/call.ts';
import type { Membership, Mode, Session, SessionBook } from '../api/types.ts';

export type Permission = BookPermission | MerchantPermission | StaffPermission;

export const SESSION_KEY = ['session'] as const;

export const sessionQuery = {
  queryKey: SESSION_KEY,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call<Session>({ path: '/session', signal, isSignIn: true }),
  staleTime: 60_000,
  retry: false,
} as const;

/** The signed-in person. Only below the routes that need a session. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

export type OpenBook = SessionBook & Readonly<{ merchant: Membership['merchant'] }>;

export function listBooks(session: Session): readonly OpenBook[] {
  return session.memberships.flatMap(({ merchant, books }) =>
    books.map((book) => ({ ...book, merchant })),
  );
}

export function findBook(session: Session, bookId: string): OpenBook | undefined {
  return listBooks(session).find(({ id }) => id === bookId);
}

/** The book of the address. Throws outside books. */
export function useBook(): OpenBook {
  const book = useOptionalBook();
  if (book === undefined) throw new Error('This part needs a book in the address');
  return book;
}

/** The book of the address, if the page has one: staff pages have none. */
export function useOptionalBook(): OpenBook | undefined {
  const session = useSession();
  const { bookId } = useParams({ strict: false });
  return bookId === undefined ? undefined : findBook(session, bookId);
}

/** Whether the person may do this here: in the book of the address, its merchant, or as staff. */
export function useMay(): (permission: Permission) => boolean {
  const session = useSession();
  const book = useOptionalBook();
  return (permission) => may(session, book, permission);
}

/** Undefined: the person may. Else the roles that could, for an inactive button. */
export function useRolesNeeded(): (permission: Permission) => readonly string[] | undefined {
  const session = useSession();
  const book = useOptionalBook();
  return (permission) => rolesNeeded(session, book, permission);
}

export function rolesNeeded(
  session: Session,
  book: OpenBook | undefined,
  permission: Permission,
): readonly string[] | undefined {
  return may(session, book, permission) ? undefined : rolesFor(permission, book?.mode ?? 'live');
}

export function may(session: Session, book: OpenBook | undefined, permission: Permission): boolean {
  if (isStaffPermission(permission)) return mayAsStaff(session.staffRoles, permission);
  if (book === undefined) return false;
  if (isBookPermission(permission)) {
    return mayInBook(
      book.roles.map((role) => ({ role, bookId: null })),
      book,
      permission,
    );
  }
  const membership = session.memberships.find(({ merchant }) => merchant.id === book.merchant.id);
  // A role that holds in every book holds in the merchant. The service decides in the end.
  const given = (membership?.roles ?? []).map((role) => {
    const isEverywhere = membership?.books.every(({ roles }) => roles.includes(role)) === true;
    return { role, bookId: isEverywhere ? null : book.id };
  });
  return mayInMerchant(given, permission);
}

function rolesFor(permission: Permission, mode: Mode): readonly string[] {
  if (isStaffPermission(permission)) return STAFF_PERMISSIONS[permission];
  if (isBookPermission(permission)) {
    const roles: readonly string[] = BOOK_PERMISSIONS[permission].live;
    // Developers may do everything in a test book.
    return mode === 'test' && !roles.includes('developer') ? [...roles, 'developer'] : roles;
  }
  return MERCHANT_PERMISSIONS[permission];
}

function isStaffPermission(permission: Permission): permission is StaffPermission {
  return Object.hasOwn(STAFF_PERMISSIONS, permission);
}

function isBookPermission(permission: Permission): permission is BookPermission {
  return Object.hasOwn(BOOK_PERMISSIONS, permission);
}

/** The key of a query in the open book: others never see its answer. */
export function useBookKey(): (...rest: readonly unknown[]) => readonly unknown[] {
  const { id } = useBook();
  return (...rest) => ['book', id, ...rest];
}

export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await call({ method: 'DELETE', path: '/session' });
    queries.clear();
    // A whole new page: nothing of the old session stays in memory.
    location.assign('/console/sign-in');
  };
}
