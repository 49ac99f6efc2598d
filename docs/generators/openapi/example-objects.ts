/** All examples are about the same few things, so that one example can be followed through the page. */
export const EXAMPLE_IDS = {
  wallet: '019a8e02-6c10-7d2a-9b51-6f0f3a1c2e40',
  transfer: '019a8f3e-52b0-7c44-8a19-3d9e420b6c71',
  queuedTransfer: '019a8f41-0d3c-7a86-b5c2-8e17d2f40a93',
  otherTransfer: '019a8f41-0d3d-7b12-9f60-2a71c5e8d304',
  awaitingTransfer: '019a8f42-5b17-7c3d-8e20-4f9a6d1b7c58',
  recipient: '019a8f3d-9e75-7b10-a3d8-51c0f7e29b64',
  webhook: '019a8f20-417a-7e5b-8c36-b90d1f5a7e22',
  delivery: '019a8f3e-5a08-7f91-92e4-0c6d8b3a1f57',
  payoutFile: '019a8f50-7c3e-7a10-9b1d-2f6e8d4c5a90',
  scheduledFile: '019a8f50-9a11-7e02-8c47-5d0b1f3a6e72',
  endedFile: '019a8f51-18d2-7b44-8f0c-6a3e9d7b2c15',
  failedRowsFile: '019a8f52-3a90-7c61-a2d4-0b8f5e6c7d38',
  schedule: '019a8f4b-7c22-7e10-8d4f-6a1b3c5d7e90',
  request: '5f0c2a52-6f0e-4b0b-9c55-0d5ab2b2a9f1',
} as const;

export const { wallet: walletId } = EXAMPLE_IDS;
const at = (clock: string) => `2026-11-15T${clock}Z`;
export const eventIdOf = (id: string, sequence: number) =>
  `evt_${id.replaceAll('-', '')}_${sequence}`;

export const order = {
  amount: 25.5,
  reference: 'salary-2026-11-0042',
  phone: '0977433571',
  operator: 'airtel',
  country: 'zm',
  walletId,
  narration: 'Salary November',
  recipientName: 'Joseph Tembo',
};
export const preflightOrder = {
  amount: 310,
  phone: order.phone,
  operator: order.operator,
  country: order.country,
  walletId,
  recipientName: order.recipientName,
};
export const waitingOrder = {
  amount: 40,
  reference: 'salary-2026-11-0043',
  phone: '0977433941',
  operator: 'mtn',
  country: 'zm',
  walletId,
};

export const otherOrder = {
  amount: 1_250,
  reference: 'salary-2026-11-0044',
  phone: '0956123456',
  operator: 'zamtel',
  country: 'zm',
  walletId,
};

export const initiated = {
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
  metadata: null,
  sendAt: null,
  source: 'api',
  policyVersion: null,
  rules: [],
  contentHash: null,
  approval: null,
  payoutFileId: null,
  replaces: null,
  operatorTransactionId: null,
  failure: null,
  mode: 'test',
  createdAt: at('08:00:00.000'),
  updatedAt: at('08:00:00.000'),
  completedAt: null,
};
export const paid = {
  ...initiated,
  status: 'successful',
  state: 'succeeded',
  operatorTransactionId: 'sandbox-420b6c71',
  updatedAt: at('08:00:01.042'),
  completedAt: at('08:00:01.042'),
};
export const queued = {
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
export const other = {
  ...initiated,
  id: EXAMPLE_IDS.otherTransfer,
  reference: otherOrder.reference,
  amount: otherOrder.amount,
  phone: '+260956123456',
  operator: otherOrder.operator,
  recipientName: null,
  narration: null,
};
export const cancelled = {
  ...queued,
  status: 'cancelled',
  state: 'cancelled',
  failure: { code: 'CANCELLED', message: 'Cancelled before it reached the operator.' },
  updatedAt: at('08:00:02.310'),
  completedAt: at('08:00:02.310'),
};
export const recalled = {
  ...cancelled,
  id: EXAMPLE_IDS.awaitingTransfer,
  reference: 'bonus-2026-11-0042',
  failure: { code: 'APPROVAL_RECALLED', message: 'Its maker recalled it before it was approved.' },
};

export const account = { phone: '0977433571', operator: 'airtel', country: 'zm' };
export const recipient = {
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

export const wallet = {
  id: walletId,
  currency: 'ZMW',
  available: '999974.50',
  held: '0.00',
  status: 'active',
};
export const posting = {
  sequence: 3,
  kind: 'settle',
  amount: '25.50',
  from: 'held',
  to: 'clearing:airtel-zm',
  availableAfter: '999974.50',
  heldAfter: '0.00',
  currency: 'ZMW',
  transferId: EXAMPLE_IDS.transfer,
  reference: order.reference,
  createdAt: at('08:00:01.042'),
};

export const webhook = {
  id: EXAMPLE_IDS.webhook,
  url: 'https://shop.example/webhooks/kafue',
  events: ['transfer.successful', 'transfer.failed', 'transfer.cancelled', 'transfer.reversed'],
  status: 'enabled',
  disabledReason: null,
  createdAt: at('07:30:00.000'),
};
export const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
export const event = {
  id: eventIdOf(EXAMPLE_IDS.transfer, 2),
  type: 'transfer.successful',
  createdAt: at('08:00:01.042'),
  mode: 'test',
  sequence: 2,
  data: paid,
};
export const attempt = {
  at: at('08:00:01.060'),
  elapsedMs: 83,
  status: 204,
  error: null,
  answer: '',
};
export const delivery = {
  id: EXAMPLE_IDS.delivery,
  endpointId: EXAMPLE_IDS.webhook,
  eventId: event.id,
  eventType: event.type,
  state: 'delivered',
  attempts: [attempt],
  nextAttemptAt: null,
  createdAt: at('08:00:01.042'),
};
export const waitingDelivery = {
  ...delivery,
  state: 'pending',
  attempts: [],
  nextAttemptAt: at('08:05:00.000'),
};

const owner = { id: '019a8e01-2f08-7b6e-a1d0-7c3f5e9b8a14', name: 'Mutale Banda' };

export const listEntry = {
  id: '019a8f30-1c4e-7a90-b7d3-6e2f80a5c911',
  list: 'deny',
  phone: '+260955123456',
  reason: 'Reported stolen on 14 November',
  author: owner,
  createdAt: at('07:55:00.000'),
  expiresAt: null,
  endedAt: null,
  endedBy: null,
  endReason: null,
  inForce: true,
};

export const screener = {
  id: '019a8f31-77b2-7d05-8f4c-1a9e3c60d5b8',
  name: 'payouts',
  url: 'https://shop.example/screen',
  deadlineMs: 5_000,
  createdBy: owner,
  createdAt: at('07:58:00.000'),
};

export const limit = {
  rule: null,
  kind: 'sum',
  by: 'wallet',
  subject: walletId,
  name: 'Main',
  window: 'day',
  currency: 'ZMW',
  refuses: true,
  limit: '50000.00',
  used: '1275.50',
  left: '48724.50',
  resetsAt: '2026-11-16T00:00:00.000Z',
};

export const screening = {
  rule: 'night',
  screener: screener.name,
  decision: 'allow',
  reason: 'score 3 of 100',
  createdAt: at('08:00:00.020'),
  decidedAt: at('08:00:00.310'),
  attempts: [
    {
      at: at('08:00:00.100'),
      elapsedMs: 200,
      status: 200,
      error: null,
      answer: '{"decision":"allow","reason":"score 3 of 100"}',
      decision: 'allow',
    },
  ],
};

export const policy = {
  version: 3,
  document: {
    rules: [
      {
        name: 'big',
        when: { amountAtLeast: '5000.00' },
        require: { approvals: 1, of: ['approver', 'owner'] },
      },
    ],
  },
  contentHash: '8f5f2f3b0a4ce7a4b1b2dfc0b1a53d0b7d6de0f5e77e7a1c9b1f6a4d2c3e5f60',
  rules: [
    {
      rule: 'big',
      text: 'If the amount is 5,000.00 or more: ask for 1 approval by an approver or an owner.',
    },
  ],
  publishedAt: at('08:00:00.000'),
  publishedBy: [{ id: '019a8e10-3c55-7b41-8f0e-2d6c9a7b1e53', name: 'Mutale Banda' }],
};
