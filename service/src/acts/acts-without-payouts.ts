import type { ActKind } from './act.ts';

/**
 * Acts that say nothing of payouts, balances, fees or the rules for them. A person who may not read the payouts of a
 * book, as a developer in a live one, sees no other acts of it.
 */
export const ACTS_WITHOUT_PAYOUTS: readonly ActKind[] = [
  'MERCHANT_SUSPENDED',
  'MERCHANT_RESUMED',
  'MERCHANT_MOVE_BEGAN',
  'MERCHANT_MOVED',
  'MERCHANT_MOVE_UNDONE',
  'MERCHANT_FORGOTTEN',
  'KEY_ISSUED',
  'KEY_CONFIRMED',
  'KEY_ROTATED',
  'KEY_REVOKED',
  'WEBHOOK_CREATED',
  'WEBHOOK_CHANGED',
  'WEBHOOK_DELETED',
  'WEBHOOK_SECRET_ROTATED',
  'DELIVERY_REPLAYED',
  'DELIVERIES_REPLAYED',
  'PERSON_INVITED',
  'INVITATION_WITHDRAWN',
  'INVITATION_ACCEPTED',
  'ROLES_CHANGED',
  'PERSON_REMOVED',
  'SESSIONS_ENDED',
  'ACCOUNT_RESET',
];
