import { ApprovalCount } from './approval-count.tsx';
import type { Place } from './place.ts';
import { DoubtCount, IncidentCount } from './staff-counts.tsx';

/**
 * Every screen of a book, in the order of the column. A screen is a folder below screens/ whose file exports its
 * component as default, and a line here.
 */
export const BOOK_PLACES: readonly Place[] = [
  {
    path: 'pay',
    title: 'pay',
    sees: 'payouts:read',
    column: { icon: 'pay', thumb: 3, key: 'n', isMain: true, does: 'payouts:write' },
    load: () => import('../screens/pay/pay-screen.tsx'),
  },
  {
    path: 'overview',
    title: 'overview',
    sees: 'payouts:read',
    column: { icon: 'home', thumb: 1, key: 'o' },
    load: () => import('../screens/overview/overview-screen.tsx'),
  },
  {
    path: 'transfers',
    title: 'transfers',
    sees: 'payouts:read',
    column: { icon: 'list', thumb: 2, key: 't' },
    load: () => import('../screens/transfers/transfers-screen.tsx'),
  },
  {
    path: 'transfers/$transferId',
    title: 'transfer',
    sees: 'payouts:read',
    load: () => import('../screens/transfer/transfer-screen.tsx'),
  },
  {
    path: 'approvals',
    title: 'approvals',
    sees: 'payouts:read',
    column: { icon: 'check2', thumb: 4, key: 'a', count: ApprovalCount },
    load: () => import('../screens/approvals/approvals-screen.tsx'),
  },
  {
    path: 'schedules',
    title: 'schedules',
    sees: 'payouts:read',
    column: { icon: 'calendar' },
    load: () => import('../screens/schedules/schedules-screen.tsx'),
  },
  {
    path: 'search',
    title: 'search',
    sees: 'payouts:read',
    load: () => import('../screens/search/search-screen.tsx'),
  },
  {
    path: 'recipients',
    title: 'recipients',
    sees: 'payouts:read',
    column: { icon: 'people', group: 'money' },
    load: () => import('../screens/recipients/recipients-screen.tsx'),
  },
  {
    path: 'recipients/$recipientId',
    title: 'recipients',
    sees: 'payouts:read',
    load: () => import('../screens/recipients/recipient-screen.tsx'),
  },
  {
    path: 'wallets',
    title: 'wallets',
    sees: 'payouts:read',
    column: { icon: 'wallet', group: 'money' },
    load: () => import('../screens/wallets/wallets-screen.tsx'),
  },
  {
    path: 'wallets/$walletId',
    title: 'wallet',
    sees: 'payouts:read',
    load: () => import('../screens/wallet/wallet-screen.tsx'),
  },
  {
    path: 'policy',
    title: 'policy',
    sees: 'policy:read',
    column: { icon: 'rules', group: 'control' },
    load: () => import('../screens/policy/policy-screen.tsx'),
  },
  {
    path: 'limits',
    title: 'limits',
    sees: 'policy:read',
    column: { icon: 'limits', group: 'control' },
    load: () => import('../screens/limits/limits-screen.tsx'),
  },
  {
    path: 'developers/keys',
    title: 'keys',
    sees: 'keys:read',
    column: { icon: 'key', group: 'developers' },
    load: () => import('../screens/keys/keys-screen.tsx'),
  },
  {
    path: 'developers/webhooks',
    title: 'webhooks',
    sees: 'webhooks:read',
    column: { icon: 'hook', group: 'developers', key: 'w' },
    load: () => import('../screens/webhooks/webhooks-screen.tsx'),
  },
  {
    path: 'developers/webhooks/$webhookId',
    title: 'webhooks',
    sees: 'webhooks:read',
    load: () => import('../screens/webhooks/webhooks-screen.tsx'),
  },
  {
    path: 'developers/events',
    title: 'events',
    sees: 'payouts:read',
    column: { icon: 'feed', group: 'developers' },
    load: () => import('../screens/events/events-screen.tsx'),
  },
  {
    path: 'team',
    title: 'team',
    sees: 'people:read',
    column: { icon: 'people', group: 'company' },
    load: () => import('../screens/team/team-screen.tsx'),
  },
  {
    path: 'activity',
    title: 'activity',
    sees: 'activity:read',
    column: { icon: 'activity', group: 'company' },
    load: () => import('../screens/activity/activity-screen.tsx'),
  },
];

/** Every screen of the staff, in the order of the column. */
export const STAFF_PLACES: readonly Place[] = [
  {
    path: 'overview',
    title: 'overview',
    sees: 'operations:read',
    column: { icon: 'home', thumb: 1, key: 'o' },
    load: () => import('../screens/staff-overview/overview-screen.tsx'),
  },
  {
    path: 'doubts',
    title: 'doubts',
    sees: 'operations:read',
    column: { icon: 'in_doubt', thumb: 2, key: 'd', count: DoubtCount },
    load: () => import('../screens/doubts/doubts-screen.tsx'),
  },
  {
    path: 'doubts/$transferId',
    title: 'doubt',
    sees: 'operations:read',
    load: () => import('../screens/doubt/doubt-screen.tsx'),
  },
  {
    path: 'incidents',
    title: 'incidents',
    sees: 'operations:read',
    column: { icon: 'alert', thumb: 3, count: IncidentCount },
    load: () => import('../screens/incidents/incidents-screen.tsx'),
  },
  {
    path: 'transfers',
    title: 'transfers',
    sees: 'operations:read',
    column: { icon: 'list', thumb: 4, key: 't' },
    load: () => import('../screens/staff-transfers/transfers-screen.tsx'),
  },
  {
    path: 'transfers/$transferId',
    title: 'transfer',
    sees: 'operations:read',
    load: () => import('../screens/staff-transfer/transfer-screen.tsx'),
  },
  {
    path: 'search',
    title: 'search',
    sees: 'operations:read',
    load: () => import('../screens/staff-transfers/search-screen.tsx'),
  },
  {
    path: 'routes',
    title: 'routes',
    sees: 'operations:read',
    column: { icon: 'route', group: 'operators' },
    load: () => import('../screens/routes/routes-screen.tsx'),
  },
  {
    path: 'routes/$routeName',
    title: 'route',
    sees: 'operations:read',
    load: () => import('../screens/route/route-screen.tsx'),
  },
  {
    path: 'merchants',
    title: 'merchants',
    sees: 'operations:read',
    column: { icon: 'shop', group: 'business' },
    load: () => import('../screens/merchants/merchants-screen.tsx'),
  },
  {
    path: 'merchants/$merchantId',
    title: 'merchant',
    sees: 'operations:read',
    load: () => import('../screens/merchant/merchant-screen.tsx'),
  },
  {
    path: 'lists',
    title: 'denied',
    sees: 'operations:read',
    column: { icon: 'limits', group: 'business' },
    load: () => import('../screens/staff-lists/lists-screen.tsx'),
  },
  {
    path: 'holidays',
    title: 'holidays',
    sees: 'operations:read',
    column: { icon: 'calendar', group: 'business' },
    load: () => import('../screens/holidays/holidays-screen.tsx'),
  },
  {
    path: 'people',
    title: 'people',
    sees: 'operations:read',
    column: { icon: 'people', group: 'company' },
    load: () => import('../screens/people/people-screen.tsx'),
  },
  {
    path: 'audit',
    title: 'audit',
    sees: 'audit:read',
    column: { icon: 'shield', group: 'company' },
    load: () => import('../screens/audit/audit-screen.tsx'),
  },
];
