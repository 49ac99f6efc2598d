import { COUNTRIES, currencyOf, OPERATORS } from '../../../service/src/domain/operator.ts';
import type { EventType } from '../../../service/src/events/event-types.ts';
import {
  account,
  attempt,
  cancelled,
  delivery,
  EXAMPLE_IDS,
  event,
  eventIdOf,
  initiated,
  limit,
  listEntry,
  order,
  other,
  otherOrder,
  paid,
  policy,
  posting,
  preflightOrder,
  queued,
  recalled,
  recipient,
  screener,
  screening,
  secret,
  waitingDelivery,
  waitingOrder,
  wallet,
  walletId,
  webhook,
} from './example-objects.ts';
import { PAYOUT_FILE_EXAMPLES } from './example-payout-file.ts';
import { SCHEDULE_EXAMPLES } from './schedule-examples.ts';

/** A request and the answer to it. The tests send the request to a service and compare the answer. */
export type OperationExample = Readonly<{
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: object;
  status: number;
  message: string;
  data: unknown;
}>;

const payoutFileId = EXAMPLE_IDS.payoutFile;

const found = (message: string, data: unknown) => ({ status: 200, message, data });
const pageOf = (item: object, nextCursor: string | null = null) => ({ items: [item], nextCursor });

/** By operationId. */
export const OPERATION_EXAMPLES: Readonly<Record<string, OperationExample>> = {
  initiateTransfer: { body: order, status: 201, message: 'Transfer initiated', data: initiated },
  initiateTransfers: {
    body: { transfers: [waitingOrder, otherOrder] },
    ...found('Transfers decided', {
      results: [
        { status: true, message: 'Transfer initiated', data: queued },
        { status: true, message: 'Transfer initiated', data: other },
      ],
      accepted: 2,
      refused: 0,
    }),
  },
  preflightTransfer: {
    body: preflightOrder,
    ...found('Transfer checked', {
      wouldAccept: true,
      problems: [],
      warnings: [],
      fee: 0,
      total: preflightOrder.amount,
      available: wallet.available,
      operator: { given: 'airtel', predicted: 'airtel', open: true, min: 0.01, max: 1_000_000_000 },
      recipient: { accountName: recipient.accountName, nameMatch: 'match' },
      approvals: { needed: 0, rules: [] },
      similar: [],
      limits: [],
    }),
  },
  getTransfer: { params: { id: paid.id }, ...found('Transfer found', paid) },
  getTransferByReference: {
    params: { reference: paid.reference },
    ...found('Transfer found', paid),
  },
  listTransfers: {
    query: { status: 'successful', operator: 'airtel', limit: '1' },
    ...found('Transfers listed', pageOf(paid)),
  },
  getTransferHistory: {
    params: { id: paid.id },
    ...found('History found', {
      items: [
        {
          sequence: 1,
          from: null,
          state: 'submitting',
          event: 'transfer.created',
          cause: 'accepted',
          actor: 'key:019a8e02-7710-7c01-8f43-a25e6d9b1c08',
          at: initiated.createdAt,
        },
        {
          sequence: 2,
          from: 'submitting',
          state: 'succeeded',
          event: 'transfer.successful',
          cause: 'the operator paid',
          actor: 'system:dispatcher',
          at: paid.completedAt,
        },
      ],
    }),
  },
  cancelTransfer: { params: { id: queued.id }, ...found('Transfer cancelled', cancelled) },
  recallTransfer: { params: { id: recalled.id }, ...found('Transfer recalled', recalled) },
  ...PAYOUT_FILE_EXAMPLES,
  createRecipient: {
    body: { ...account, accountName: recipient.suppliedAccountName },
    status: 201,
    message: 'Recipient created',
    data: recipient,
  },
  listRecipients: {
    query: { phone: account.phone, country: account.country },
    ...found('Recipients listed', pageOf(recipient)),
  },
  getRecipient: { params: { id: recipient.id }, ...found('Recipient found', recipient) },
  resolveAccount: {
    body: account,
    ...found('Account resolved', {
      phone: recipient.phone,
      accountName: recipient.accountName,
      operator: account.operator,
      country: account.country,
    }),
  },
  listWallets: found('Wallets listed', pageOf(wallet)),
  getWallet: { params: { id: walletId }, ...found('Wallet found', wallet) },
  listPostings: {
    params: { id: walletId },
    query: { limit: '1' },
    ...found('Postings listed', pageOf(posting, 'djE6cG9zdGluZ3M6MDE5YThlMDI')),
  },
  listOperators: found('Operators listed', {
    items: OPERATORS.slice(0, 1).flatMap((operator) =>
      COUNTRIES.map((country) => ({
        operator,
        country,
        currency: currencyOf(country),
        available: true,
        min: 0.01,
        max: 1_000_000_000,
        decimals: 2,
        fee: { fixed: 0, basisPoints: 0 },
        health: 'up',
      })),
    ),
  }),
  createWebhook: {
    body: { url: webhook.url, events: webhook.events },
    status: 201,
    message: 'Webhook created',
    data: { ...webhook, secret },
  },
  listWebhooks: found('Webhooks listed', pageOf(webhook)),
  getWebhook: { params: { id: webhook.id }, ...found('Webhook found', webhook) },
  updateWebhook: {
    params: { id: webhook.id },
    body: { events: [] },
    ...found('Webhook changed', { ...webhook, events: [] }),
  },
  deleteWebhook: { params: { id: webhook.id }, ...found('Webhook deleted', { id: webhook.id }) },
  rotateWebhookSecret: {
    params: { id: webhook.id },
    ...found('Secret rotated', {
      ...webhook,
      secret: 'whsec_9Qm2ZrTq0bXc7Vd1LsYhKfWnEa4uPj6G',
      previousSecretUntil: '2026-11-16T08:10:00.000Z',
    }),
  },
  testWebhook: {
    params: { id: webhook.id },
    ...found('Test event queued', {
      ...waitingDelivery,
      eventId: eventIdOf('019a8f44-2b61-7d30-8e55-4f7a9c1d6b02', 1),
      eventType: 'webhook.test',
    }),
  },
  listDeliveries: {
    params: { id: webhook.id },
    query: { state: 'delivered' },
    ...found('Deliveries listed', pageOf(delivery)),
  },
  replayDeliveries: {
    params: { id: webhook.id },
    body: { from: '2026-11-15T00:00:00Z', state: 'failed' },
    ...found('Deliveries replayed', { replayed: 12, nextFrom: null }),
  },
  replayDelivery: {
    params: { id: delivery.id },
    ...found('Delivery replayed', { ...waitingDelivery, attempts: [attempt] }),
  },
  listEvents: {
    query: { type: event.type, limit: '1' },
    ...found('Events listed', pageOf(event, 'djE6ZXZlbnRzOjQyLjE')),
  },
  listEntries: {
    query: { list: 'deny' },
    ...found('Entries listed', pageOf(listEntry)),
  },
  listScreeners: found('Screeners listed', { items: [screener] }),
  listLimits: found('Limits listed', { items: [limit], isComplete: true }),
  listScreenings: {
    params: { id: paid.id },
    ...found('Screenings listed', { transferId: paid.id, items: [screening] }),
  },
  getPolicy: found('Policy found', {
    ...policy,
    draft: null,
    history: [
      {
        version: policy.version,
        contentHash: policy.contentHash,
        publishedAt: policy.publishedAt,
        by: policy.publishedBy,
      },
    ],
  }),
  ...SCHEDULE_EXAMPLES,
};

/** The body of a delivery, for one type of each kind of subject. */
export const EVENT_EXAMPLES: Readonly<Partial<Record<EventType, object>>> = {
  'transfer.successful': event,
  'recipient.resolved': {
    ...event,
    id: eventIdOf(recipient.id, 2),
    type: 'recipient.resolved',
    data: recipient,
  },
  'wallet.low_balance': {
    ...event,
    id: eventIdOf(walletId, 1),
    type: 'wallet.low_balance',
    sequence: 1,
    data: wallet,
  },
  'payout_file.done': {
    ...event,
    id: eventIdOf(payoutFileId, 2),
    type: 'payout_file.done',
    data: {
      id: payoutFileId,
      name: 'November salaries.csv',
      state: 'done',
      source: 'file',
      rows: 240,
      amount: '312500.00',
      currency: 'ZMW',
      walletId,
      contentHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      submittedAt: '2026-11-15T08:00:00.000Z',
      payAt: null,
    },
  },
  'webhook.disabled': {
    ...event,
    id: eventIdOf(webhook.id, 1),
    type: 'webhook.disabled',
    sequence: 1,
    data: { ...webhook, status: 'disabled', disabledReason: 'The receiver answered 410 Gone.' },
  },
};
