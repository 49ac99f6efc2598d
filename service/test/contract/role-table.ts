import type { MerchantRole, StaffRole } from '../../src/domain/roles.ts';

/**
 * Who may call which operation, written from the table of roles in the contract and from nothing in the service: a wrong
 * permission in an operation, or in domain/roles.ts, makes a test red.
 */
type Rule<Role> = Readonly<{
  may: readonly Role[];
  /** Needs a second factor of the last minutes: always, or in a live book. */
  stepUp?: true | 'live';
}>;
export type RuleTable<Role> = Readonly<Record<string, Rule<Role>>>;

const READERS: readonly MerchantRole[] = ['owner', 'maker', 'approver', 'viewer'];
const MAKERS: readonly MerchantRole[] = ['owner', 'maker'];
const EVERY_ROLE: readonly MerchantRole[] = ['owner', 'maker', 'approver', 'developer', 'viewer'];
const DEVELOPERS: readonly MerchantRole[] = ['owner', 'developer'];
const KEY_READERS: readonly MerchantRole[] = ['owner', 'developer', 'viewer'];

const readPayouts = { may: READERS } as const;
const prepare = { may: MAKERS } as const;
const approve = { may: ['owner', 'approver'], stepUp: true } as const;
const readWebhooks = { may: EVERY_ROLE } as const;
const changeWebhooks = { may: DEVELOPERS } as const;

/** In a live book. In a test book a developer may do everything, and the others the same as in a live one. */
export const BOOK_RULES: RuleTable<MerchantRole> = {
  'POST /transfers/mobile-money': prepare,
  'POST /transfers/mobile-money/bulk': prepare,
  'POST /transfers/mobile-money/preflight': prepare,
  'GET /transfers/:id': readPayouts,
  'GET /transfers/status/:reference': readPayouts,
  'GET /transfers': readPayouts,
  'GET /transfers/:id/history': readPayouts,
  'GET /transfers/:id/timeline': readPayouts,
  'POST /transfers/:id/cancel': prepare,
  'POST /transfers/:id/approve': approve,
  'POST /transfers/:id/reject': approve,
  'POST /transfers/:id/recall': prepare,
  'GET /approvals': readPayouts,
  'POST /approvals/decide': approve,
  'POST /payout-files/:id/submit': prepare,
  'POST /payout-files/:id/cancel': prepare,
  'GET /payout-files/:id/results': readPayouts,
  'POST /payout-files/:id/failed-rows': prepare,
  'POST /payout-files/:id/approve': { may: ['owner', 'approver'], stepUp: true },
  'POST /payout-files/:id/reject': { may: ['owner', 'approver'], stepUp: true },
  'GET /search': readPayouts,
  'GET /overview': readPayouts,
  'POST /payout-files': prepare,
  'GET /payout-files': readPayouts,
  'GET /payout-files/:id': readPayouts,
  'PUT /payout-files/:id': prepare,
  'DELETE /payout-files/:id': prepare,
  'GET /payout-files/:id/rows': readPayouts,
  'PUT /payout-files/:id/rows/:number': prepare,
  'DELETE /payout-files/:id/rows/:number': prepare,
  'POST /payout-files/:id/rows/:number/restore': prepare,
  'POST /payout-files/:id/drop-problems': prepare,
  'POST /payout-files/:id/check-names': prepare,
  'POST /transfer-recipients/mobile-money': prepare,
  'GET /transfer-recipients': readPayouts,
  'GET /transfer-recipients/:id': readPayouts,
  'POST /resolve/mobile-money': prepare,
  'GET /wallets': readPayouts,
  'GET /wallets/:id': readPayouts,
  'GET /wallets/:id/postings': readPayouts,
  'GET /operators': readPayouts,
  'POST /webhooks': changeWebhooks,
  'GET /webhooks': readWebhooks,
  'GET /webhooks/:id': readWebhooks,
  'PATCH /webhooks/:id': changeWebhooks,
  'DELETE /webhooks/:id': changeWebhooks,
  'POST /webhooks/:id/rotate-secret': changeWebhooks,
  'POST /webhooks/:id/test': changeWebhooks,
  'GET /webhooks/:id/deliveries': readWebhooks,
  'POST /webhooks/:id/replay': changeWebhooks,
  'POST /webhooks/deliveries/:id/replay': changeWebhooks,
  // Events show payouts whole.
  'GET /events': readPayouts,
  'GET /events/latest': readPayouts,
  'GET /events/:id': readPayouts,
  'GET /keys': { may: KEY_READERS },
  'POST /keys': { may: DEVELOPERS, stepUp: 'live' },
  'POST /keys/:id/revoke': { may: DEVELOPERS, stepUp: 'live' },
  'POST /keys/:id/confirm': { may: ['owner'], stepUp: true },
  'GET /views': readPayouts,
  'POST /views': readPayouts,
  'PUT /views/:id': readPayouts,
  'DELETE /views/:id': readPayouts,
  'GET /stream': readWebhooks,
  'POST /schedules': prepare,
  'GET /schedules': readPayouts,
  'GET /schedules/dates': readPayouts,
  'GET /schedules/:id': readPayouts,
  'PUT /schedules/:id': prepare,
  'POST /schedules/:id/pause': prepare,
  'POST /schedules/:id/resume': prepare,
  'POST /schedules/:id/end': prepare,
  'GET /schedules/:id/next': readPayouts,
  'GET /schedules/:id/rows': readPayouts,
  'GET /schedules/:id/occurrences': readPayouts,
  'GET /calendar': readPayouts,
  'GET /holidays': readPayouts,
  'GET /lists': readPayouts,
  'POST /lists': { may: ['owner'], stepUp: 'live' },
  'POST /lists/:id/end': { may: ['owner'], stepUp: 'live' },
  'GET /screeners': readPayouts,
  'POST /screeners': { may: ['owner'], stepUp: 'live' },
  'DELETE /screeners/:id': { may: ['owner'], stepUp: 'live' },
  'GET /transfers/:id/screenings': readPayouts,
  'GET /limits': readPayouts,
  'GET /policy': readPayouts,
  'GET /policy/versions/:version': readPayouts,
  'PUT /policy/draft': { may: ['owner'] },
  'DELETE /policy/draft': { may: ['owner'] },
  'POST /policy/draft/replay': { may: ['owner'] },
  'POST /policy/draft/publish': { may: ['owner'], stepUp: true },
  'POST /policy/draft/confirm': { may: ['owner'], stepUp: true },
};

/** A person's own: all that sign in may call them; these need a second factor of the last minutes. */
export const OWN_STEP_UP: readonly string[] = ['POST /password', 'POST /factors/recovery-codes'];

/** Of a merchant as a whole. */
export const MERCHANT_RULES: RuleTable<MerchantRole> = {
  'GET /people': { may: EVERY_ROLE },
  'POST /invitations': { may: ['owner'], stepUp: true },
  'DELETE /invitations/:id': { may: ['owner'], stepUp: true },
  'PUT /people/:id/roles': { may: ['owner'], stepUp: true },
  'DELETE /people/:id': { may: ['owner'], stepUp: true },
  'GET /activity': { may: EVERY_ROLE },
};

const ALL_STAFF: readonly StaffRole[] = ['admin', 'treasurer', 'support', 'auditor'];
const see = { may: ALL_STAFF } as const;
const administer = { may: ['admin'] } as const;
const administerProven = { may: ['admin'], stepUp: true } as const;
const decide = { may: ['admin', 'treasurer'], stepUp: true } as const;
const fund = { may: ['treasurer'], stepUp: true } as const;

export const STAFF_RULES: RuleTable<StaffRole> = {
  'GET /overview': see,
  'GET /transfers': see,
  'GET /search': see,
  'GET /transfers/:id': see,
  'POST /transfers/:id/reveal-phone': see,
  'GET /doubts': see,
  'POST /transfers/:id/inquire': { may: ['admin', 'treasurer', 'support'] },
  'POST /transfers/:id/resolve': decide,
  'POST /transfers/:id/withdraw': decide,
  'POST /transfers/:id/cancel': { may: ['admin', 'support'] },
  'GET /incidents': see,
  'POST /incidents/:id/close': decide,
  'GET /merchants': see,
  'GET /merchants/:id': see,
  'POST /merchants': administerProven,
  'POST /merchants/:id/suspend': administer,
  'POST /merchants/:id/resume': administer,
  'PUT /books/:id/fees': administer,
  'POST /books/:id/wallets': administer,
  'POST /wallets/:id/freeze': administer,
  'POST /wallets/:id/unfreeze': administer,
  'POST /wallets/:id/limit': administer,
  'POST /wallets/:id/low-balance': administer,
  'POST /wallets/:id/fund': fund,
  'POST /wallets/:id/take-back': fund,
  'GET /take-backs': see,
  'POST /books/:id/keys': administerProven,
  'POST /keys/:id/revoke': administerProven,
  'GET /routes': see,
  'GET /floats': see,
  'POST /floats/:route/explain': fund,
  'POST /routes/:name/close': administerProven,
  'POST /routes/:name/open': administerProven,
  'POST /routes/:name/hold': administerProven,
  'POST /routes/:name/release': administerProven,
  'GET /webhooks/failing': see,
  'POST /webhooks/:endpointId/replay': { may: ['admin', 'support'] },
  'GET /audit': see,
  'GET /people': see,
  'POST /invitations': administerProven,
  'DELETE /invitations/:id': administerProven,
  'PUT /people/:id/roles': administerProven,
  'DELETE /people/:id': administerProven,
  'DELETE /people/:id/sessions': administerProven,
  'GET /lists': see,
  'POST /lists': administerProven,
  'POST /lists/:id/end': administerProven,
  'GET /screeners': see,
  'POST /screeners': administerProven,
  'DELETE /screeners/:id': administerProven,
  'GET /stream': see,
  'GET /holidays': see,
  'POST /holidays': administerProven,
  'DELETE /holidays/:country/:day': administerProven,
};
