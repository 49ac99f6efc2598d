import { EXAMPLE_IDS, walletId } from './example-objects.ts';

/** What the example uploads. */
export const payoutCsv =
  'name,phone,amount\nChanda Banda,0977433571,1250.50\nMwape Kasonde,097 33 4512,2140\n';

const columns = ['name', 'phone', 'amount'].map((field) => ({ header: field, field }));
const key = '019a8e02-7710-7c01-8f43-a25e6d9b1c08';

const item = {
  id: '019a9101-2b7e-7a54-8d13-5f0c6e9a41b7',
  name: 'October salaries',
  source: 'file',
  references: 'derived',
  state: 'draft',
  format: 'csv',
  sheet: null,
  otherSheets: [],
  columns,
  problem: null,
  madeBy: { kind: 'key', id: key, name: 'Payroll' },
  createdAt: '2026-11-15T08:30:00.000Z',
  updatedAt: '2026-11-15T08:30:00.420Z',
  walletId,
  currency: 'ZMW',
  progress: { checked: 2, total: 2 },
  counts: {
    rows: 2,
    ready: 1,
    problems: 1,
    warnings: 0,
    dropped: 0,
    created: 0,
    refused: 0,
    succeeded: 0,
    failed: 0,
    cancelled: 0,
  },
  sum: '3390.50',
  names: { state: 'none', total: 0, checked: 0 },
  version: 2,
  contentHash: null,
  submittedAt: null,
  submittedBy: null,
  payAt: null,
  policyVersion: null,
  rules: [],
  approvalExpiresAt: null,
  payingAt: null,
  endedAt: null,
  endedAs: null,
  failedRowsOf: null,
  scheduleId: null,
};

const file = {
  ...item,
  approval: null,
  fees: '0.00',
  total: '3390.50',
  problemKinds: [
    {
      code: 'INVALID_PHONE',
      field: 'phone',
      kind: 'problem',
      message:
        'Not a mobile number of the country, such as +260977433571 in Zambia or +2348031234567 in Nigeria.',
      count: 1,
    },
  ],
  operators: [
    {
      operator: 'airtel',
      country: 'zm',
      count: 1,
      sum: '1250.50',
      fees: '0.00',
      open: true,
      float: 'enough',
      min: 0.01,
      max: 1_000_000_000,
    },
  ],
  wallet: {
    id: walletId,
    currency: 'ZMW',
    status: 'active',
    available: '999974.50',
    left: '996584.00',
    leftToday: null,
    suffices: true,
  },
  sameUploads: [],
};

const row = {
  number: 2,
  line: 3,
  state: 'problem',
  cells: { name: 'Mwape Kasonde', phone: '097 33 4512', amount: '2140' },
  corrections: {},
  phone: null,
  operator: null,
  operatorPredicted: false,
  country: null,
  currency: null,
  amount: 2140,
  fee: 0,
  name: 'Mwape Kasonde',
  narration: null,
  reference: null,
  problems: [
    {
      code: 'INVALID_PHONE',
      field: 'phone',
      message:
        'Not a mobile number of the country, such as +260977433571 in Zambia or +2348031234567 in Nigeria.',
    },
  ],
  warnings: [],
  accountName: null,
  nameMatch: null,
  nameCheckedAt: null,
  replaces: null,
  replacedFailure: null,
  transferReference: null,
  transferId: null,
  transferState: null,
  transferFailure: null,
  refusal: null,
};

const corrected = {
  ...row,
  state: 'ready',
  corrections: { phone: '0977334512' },
  phone: '+260977334512',
  operator: 'airtel',
  operatorPredicted: true,
  country: 'zm',
  currency: 'ZMW',
  problems: [],
};

/** A file all of whose rows are ready, once it is submitted. */
const submitted = {
  ...file,
  id: EXAMPLE_IDS.payoutFile,
  state: 'paying',
  counts: { ...file.counts, ready: 2, problems: 0 },
  problemKinds: [],
  contentHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  submittedAt: '2026-11-15T08:40:00.000Z',
  submittedBy: 'Payroll',
  payingAt: '2026-11-15T08:40:00.000Z',
};

const cancelled = {
  ...submitted,
  id: EXAMPLE_IDS.scheduledFile,
  state: 'cancelled',
  counts: { ...submitted.counts, refused: 2 },
  payAt: '2026-11-30T06:00:00.000Z',
  payingAt: null,
  endedAt: '2026-11-15T09:10:00.000Z',
  endedAs: 'CANCELLED',
};

const failedRows = {
  ...file,
  id: EXAMPLE_IDS.failedRowsFile,
  name: 'October salaries (failed rows)',
  format: null,
  counts: { ...file.counts, rows: 1, ready: 1, problems: 0 },
  progress: { checked: 1, total: 1 },
  problemKinds: [],
  failedRowsOf: EXAMPLE_IDS.endedFile,
};

const params = { id: file.id };
const rowParams = { ...params, number: '2' };
const found = (message: string, data: unknown) => ({ status: 200, message, data });
const pageOf = (one: object) => ({ items: [one], nextCursor: null });

/** By operationId. */
export const PAYOUT_FILE_EXAMPLES = {
  uploadPayoutFile: {
    query: { name: file.name, walletId },
    status: 201,
    message: 'Payout file uploaded',
    data: file,
  },
  listPayoutFiles: {
    query: { state: 'draft' },
    ...found('Payout files listed', pageOf(item)),
  },
  getPayoutFile: { params, ...found('Payout file found', file) },
  changePayoutFile: {
    params,
    body: { walletId },
    ...found('Payout file changed', { ...file, version: 3 }),
  },
  deletePayoutFile: { params, ...found('Payout file deleted', params) },
  listPayoutRows: {
    params,
    query: { state: 'problem' },
    ...found('Rows listed', pageOf(row)),
  },
  correctPayoutRow: {
    params: rowParams,
    body: { phone: '0977334512' },
    ...found('Row corrected', corrected),
  },
  dropPayoutRow: {
    params: rowParams,
    ...found('Row dropped', { ...corrected, state: 'dropped' }),
  },
  restorePayoutRow: { params: rowParams, ...found('Row restored', corrected) },
  dropProblemRows: { params, ...found('Rows dropped', { dropped: 0 }) },
  submitPayoutFile: {
    params: { id: submitted.id },
    body: { walletId },
    ...found('Payout file submitted', submitted),
  },
  cancelPayoutFile: {
    params: { id: cancelled.id },
    ...found('Payout file cancelled', cancelled),
  },
  getPayoutFileResults: {
    params: { id: submitted.id },
    query: { format: 'csv' },
    status: 200,
    message: '',
    data: {},
  },
  retryFailedRows: {
    params: { id: EXAMPLE_IDS.endedFile },
    status: 201,
    message: 'Payout file created',
    data: { ...failedRows, rowsLeftOut: 0 },
  },
  checkPayoutNames: {
    params,
    ...found('Names are being checked', {
      ...file,
      names: { state: 'asking', total: 2, checked: 0 },
    }),
  },
};
