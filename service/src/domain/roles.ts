import type { Mode } from './transfer.ts';

/** The roles of a merchant's people. They add up. */
export const MERCHANT_ROLES = ['owner', 'maker', 'approver', 'developer', 'viewer'] as const;
export type MerchantRole = (typeof MERCHANT_ROLES)[number];

/** The roles of the people of the company that runs the service. They add up. */
export const STAFF_ROLES = ['admin', 'treasurer', 'support', 'auditor'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/**
 * What a person may do in a book, and the roles that allow it there. In a test book a developer may do everything
 * that happens inside the book.
 */
export const BOOK_PERMISSIONS = {
  'payouts:read': { live: ['owner', 'maker', 'approver', 'viewer'] },
  'payouts:write': { live: ['owner', 'maker'] },
  'payouts:approve': { live: ['owner', 'approver'] },
  'policy:read': { live: ['owner', 'maker', 'approver', 'viewer'] },
  'policy:write': { live: ['owner'] },
  'lists:write': { live: ['owner'] },
  'webhooks:read': { live: ['owner', 'maker', 'approver', 'developer', 'viewer'] },
  'webhooks:write': { live: ['owner', 'developer'] },
  'keys:read': { live: ['owner', 'developer', 'viewer'] },
  'keys:write': { live: ['owner', 'developer'] },
  'keys:confirm': { live: ['owner'] },
} as const satisfies Readonly<Record<string, Readonly<{ live: readonly MerchantRole[] }>>>;
export type BookPermission = keyof typeof BOOK_PERMISSIONS;

/** What a person may do in a merchant as a whole, and the roles that allow it. */
export const MERCHANT_PERMISSIONS = {
  'people:read': ['owner', 'maker', 'approver', 'developer', 'viewer'],
  'people:write': ['owner'],
  'activity:read': ['owner', 'maker', 'approver', 'developer', 'viewer'],
} as const satisfies Readonly<Record<string, readonly MerchantRole[]>>;
export type MerchantPermission = keyof typeof MERCHANT_PERMISSIONS;

/** What a person of the staff may do, and the roles that allow it. */
export const STAFF_PERMISSIONS = {
  'operations:read': ['admin', 'treasurer', 'support', 'auditor'],
  'audit:read': ['admin', 'treasurer', 'support', 'auditor'],
  'transfers:inquire': ['admin', 'treasurer', 'support'],
  'transfers:cancel': ['admin', 'support'],
  'transfers:resolve': ['admin', 'treasurer'],
  'incidents:close': ['admin', 'treasurer'],
  'webhooks:replay': ['admin', 'support'],
  'wallets:fund': ['treasurer'],
  'floats:write': ['treasurer'],
  'merchants:write': ['admin'],
  'routes:write': ['admin'],
  'staff:write': ['admin'],
  'holidays:write': ['admin'],
} as const satisfies Readonly<Record<string, readonly StaffRole[]>>;
export type StaffPermission = keyof typeof STAFF_PERMISSIONS;

/** A role that a person has in a merchant; `bookId` null: in all its books. */
export type GivenRole = Readonly<{ role: MerchantRole; bookId: string | null }>;

export function mayInBook(
  given: readonly GivenRole[],
  book: Readonly<{ id: string; mode: Mode }>,
  permission: BookPermission,
): boolean {
  const allowed: readonly MerchantRole[] = BOOK_PERMISSIONS[permission].live;
  return given.some(
    ({ role, bookId }) =>
      (bookId === null || bookId === book.id) &&
      (allowed.includes(role) || (role === 'developer' && book.mode === 'test')),
  );
}

/** A role in one book only says nothing about the merchant as a whole, except that its holder may read. */
export function mayInMerchant(
  given: readonly GivenRole[],
  permission: MerchantPermission,
): boolean {
  const allowed: readonly MerchantRole[] = MERCHANT_PERMISSIONS[permission];
  return given.some(
    ({ role, bookId }) =>
      allowed.includes(role) && (bookId === null || permission.endsWith(':read')),
  );
}

export function mayAsStaff(given: readonly StaffRole[], permission: StaffPermission): boolean {
  const allowed: readonly StaffRole[] = STAFF_PERMISSIONS[permission];
  return given.some((role) => allowed.includes(role));
}

/**
 * Whether a person with the given roles may give another one this role. An owner of the whole merchant has all its
 * roles; every other person can give only a role that they have, where they have it.
 */
export function mayGive(given: readonly GivenRole[], wanted: GivenRole): boolean {
  return given.some(
    ({ role, bookId }) =>
      (role === 'owner' || role === wanted.role) && (bookId === null || bookId === wanted.bookId),
  );
}
