import { COUNTRIES, currencyOf, OPERATORS } from '../../../service/src/domain/operator.ts';
import type { EventType } from '../../../service/src/events/event-types.ts';

/** A request and the answer to it. The tests send the request to a service and compare the answer. */
export type OperationExample = Readonly<{
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: object;
  status: number;
  message: string;
  data: unknown;
}>;

/** All examples are about the same few things, so that one example can be followed through the page. */
export const EXAMPLE_IDS = {
  wallet: '019a8e02-6c10-7d2a-9b51-6f0f3a1c2e40',
  transfer: '019a8f3e-52b0-7c44-8a19-3d9e420b6c71',
  queuedTransfer: '019a8f41-0d3c-7a86-b5c2-8e17d2f40a93',
  otherTransfer: '019a8f41-0d3d-7b12-9f60-2a71c5e8d304',
  recipient: '019a8f3d-9e75-7b10-a3d8-51c0f7e29b64',
  webhook: '019a8f20-417a-7e5b-8c36-b90d1f5a7e22',
  delivery: '019a8f3e-5a08-7f91-92e4-0c6d8b3a1f57',
  request: '5f0c2a52-6f0e-4b0b-9c55-0d5ab2b2a9f1',
} as const;

const { wallet: walletId } = EXAMPLE_IDS;
const at = (clock: string) => `2026-11-15T${clock}Z`;
const eventIdOf = (id: string, sequence: number) => `evt_${id.replaceAll('-', '')}_${sequence}`;

const order = {
  amount: 25.5,
  reference: 'salary-2026-11-0042',
  phone: '0977433571',
  operator: 'airtel',
  country: 'zm',
  walletId,
  narration: 'Salary November',
  recipientName: 'Joseph Tembo',
};
const waitingOrder = {
  amount: 40,
  reference: 'salary-2026-11-0043',
  phone: '0977433941',
  operator: 'mtn',
  country: 'zm',
  walletId,
};

const otherOrder = {
  amount: 1_250,
  reference: 'salary-2026-11-0044',
  phone: '0956123456',
  operator: 'zamtel',
  country: 'zm',
  walletId,
};

const initiated = {
  id: EXAMPLE_IDS.transfer,
  type: 'mobile-money',
  reference: order.reference,
  status: 'pending',
  state: 'submitting',
  amount: order.amount,
  fee: 0,
  currency: 'ZMW',
  walletId,
  phone: '+260977433571',
  operator: order.operator,
  country: order.country,
  recipientName: order.recipientName,
  narration: order.narration,
  operatorTransactionId: null,
  failure: null,
  mode: 'test',
  createdAt: at('08:00:00.000'),
  updatedAt: at('08:00:00.000'),
  completedAt: null,
};
const paid = {
  ...initiated,
  status: 'successful',
  state: 'succeeded',
  operatorTransactionId: 'sandbox-420b6c71',
  updatedAt: at('08:00:01.042'),
  completedAt: at('08:00:01.042'),
};
const queued = {
  ...initiated,
  id: EXAMPLE_IDS.queuedTransfer,
  reference: waitingOrder.reference,
  state: 'queued',
  amount: waitingOrder.amount,
  phone: '+260977433941',
  operator: waitingOrder.operator,
  recipientName: null,
  narration: null,
};
const other = {
  ...initiated,
  id: EXAMPLE_IDS.otherTransfer,
  reference: otherOrder.reference,
  amount: otherOrder.amount,
  phone: '+260956123456',
  operator: otherOrder.operator,
  recipientName: null,
  narration: null,
};
const cancelled = {
  ...queued,
  status: 'cancelled',
  state: 'cancelled',
  failure: { code: 'CANCELLED', message: 'Cancelled before it reached the operator.' },
  updatedAt: at('08:00:02.310'),
  completedAt: at('08:00:02.310'),
};

const account = { phone: '0977433571', operator: 'airtel', country: 'zm' };
const recipient = {
  id: EXAMPLE_IDS.recipient,
  type: 'mobile-money',
  phone: '+260977433571',
  operator: account.operator,
  country: account.country,
  accountName: 'Joseph Tembo',
  suppliedAccountName: 'Joseph Tembo',
  nameMatch: 'match',
  resolution: 'resolved',
  mode: 'test',
  createdAt: at('07:59:12.480'),
};

const wallet = {
  id: walletId,
  currency: 'ZMW',
  available: '999974.50',
  held: '0.00',
  status: 'active',
};
const posting = {
  sequence: 3,
  kind: 'settle',
  amount: '25.50',
  from: 'held',
  to: 'clearing:airtel:zm',
  availableAfter: '999974.50',
  heldAfter: '0.00',
  currency: 'ZMW',
  transferId: EXAMPLE_IDS.transfer,
  reference: order.reference,
  createdAt: at('08:00:01.042'),
};

const webhook = {
  id: EXAMPLE_IDS.webhook,
  url: 'https://shop.example/webhooks/kafue',
  events: ['transfer.successful', 'transfer.failed', 'transfer.reversed'],
  status: 'enabled',
  disabledReason: null,
  createdAt: at('07:30:00.000'),
};
const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const event = {
  id: eventIdOf(EXAMPLE_IDS.transfer, 2),
  type: 'transfer.successful',
  createdAt: at('08:00:01.042'),
  mode: 'test',
  sequence: 2,
  data: paid,
};
const attempt = { at: at('08:00:01.060'), elapsedMs: 83, status: 204, error: null, answer: '' };
const delivery = {
  id: EXAMPLE_IDS.delivery,
  endpointId: EXAMPLE_IDS.webhook,
  eventId: event.id,
  eventType: event.type,
  state: 'delivered',
  attempts: [attempt],
  nextAttemptAt: null,
  createdAt: at('08:00:01.042'),
};
const waitingDelivery = {
  ...delivery,
  state: 'pending',
  attempts: [],
  nextAttemptAt: at('08:05:00.000'),
};

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
          actor: 'key 019a8e02-7710-7c01-8f43-a25e6d9b1c08',
          at: initiated.createdAt,
        },
        {
          sequence: 2,
          from: 'submitting',
          state: 'succeeded',
          event: 'transfer.successful',
          cause: 'the operator paid',
          actor: 'dispatcher',
          at: paid.completedAt,
        },
      ],
    }),
  },
  cancelTransfer: { params: { id: queued.id }, ...found('Transfer cancelled', cancelled) },
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
  'webhook.disabled': {
    ...event,
    id: eventIdOf(webhook.id, 1),
    type: 'webhook.disabled',
    sequence: 1,
    data: { ...webhook, status: 'disabled', disabledReason: 'The receiver answered 410 Gone.' },
  },
};
