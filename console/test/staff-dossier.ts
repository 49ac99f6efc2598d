import type {
  Dossier,
  Doubt,
  OpenProposal,
  StaffEntry,
  StaffTransfer,
} from '../src/api/staff-types.ts';

const TRANSFER: StaffTransfer = {
  id: '019a3447-0000-7000-8000-000000000001',
  type: 'mobile-money',
  reference: 'salary-10',
  status: 'pending',
  state: 'in_doubt',
  amount: 1250.5,
  fee: 1,
  currency: 'ZMW',
  walletId: 'wallet',
  phone: '+26097•••3571',
  operator: 'mtn',
  country: 'ZM',
  recipientName: null,
  narration: null,
  operatorTransactionId: null,
  failure: null,
  mode: 'live',
  createdAt: minute(0),
  updatedAt: minute(0),
  completedAt: null,
  merchant: { id: 'kitwe', name: 'Kitwe Foods' },
  bookId: 'book',
  route: 'mtn-zm',
  operatorReference: 'order-1',
};

/** A time of one day. */
export function minute(count: number): string {
  return new Date(Date.UTC(2026, 9, 28, 9, count)).toISOString();
}

/** What the staff know of a live payout of ZMW 1,250.50 in doubt, about which nothing was heard. */
export function testDossier(given: Partial<Dossier> = {}): Dossier {
  return {
    transfer: TRANSFER,
    why: { line: 'No answer came.', next: null, action: null },
    entries: [],
    earlier: [],
    evidence: {
      checks: 0,
      lastCheckedAt: null,
      lastAnswer: null,
      resubmissions: 0,
      contradictions: [],
      receipt: null,
      doubtKind: 'SUBMISSION_LOST',
      needsPerson: false,
      resubmissionAt: null,
    },
    proposals: [],
    proposal: null,
    seen: 'seen',
    ...given,
  };
}

/** An answer of the operator, as the timeline has it. */
export function testAttempt(
  at: string,
  facts: Readonly<{ operation: string; outcome: string; httpStatus: number | null }>,
): StaffEntry {
  return { at, kind: 'attempt', title: '', detail: null, actor: null, facts };
}

export function testProposal(at: string, by: string): OpenProposal {
  return {
    decision: 'paid',
    receipt: '9914',
    evidence: 'Statement of MTN',
    by: { id: by, name: by },
    at,
    expiresAt: minute(1_440),
  };
}

/** A doubt about which `by` proposed something; null: nothing is proposed. */
export function testDoubt(id: string, by: string | null): Doubt {
  const transfer = { ...TRANSFER, id };
  return {
    transfer,
    merchant: transfer.merchant,
    mode: 'live',
    since: minute(0),
    kind: 'SUBMISSION_LOST',
    why: '',
    whatToDo: '',
    checks: 0,
    lastCheckedAt: null,
    lastAnswer: null,
    nextCheckAt: null,
    needsPerson: false,
    proposal: by === null ? null : testProposal(minute(1), by),
  };
}
