import type { ApprovalRequirement } from '../domain/approval-requirement.ts';
import { hashContent } from '../domain/content-hash.ts';
import { minorToNumber } from '../domain/money.ts';
import { FAILURES } from '../domain/outcome.ts';
import type { Transfer } from '../domain/transfer.ts';
import { statusOf } from '../domain/transfer-state.ts';

/** The part of a transfer that merchants see; the rest is between us and the operator. */
export type ShownTransfer = Omit<
  Transfer,
  | 'route'
  | 'routeAccount'
  | 'operatorReference'
  | 'doubtKind'
  | 'doubtMs'
  | 'sinceDoubtMs'
  | 'sincePendingMs'
  | 'sinceSubmissionMs'
  | 'resubmissions'
  | 'recalls'
  | 'throttled'
  | 'eventSeq'
  | 'checks'
  | 'notFoundAnswers'
  | 'unconfirmedSuccesses'
  | 'contradictions'
  | 'madeBy'
>;

/** What a transfer that awaits approval waits for. */
export type ShownApproval = Readonly<{
  needed: number;
  given: number;
  expiresAt: string | null;
  requirements: readonly ApprovalRequirement[];
  decisions: readonly Readonly<{
    person: Readonly<{ id: string; name: string }>;
    decision: 'approve' | 'reject';
    role: string;
    reason: string | null;
    at: string;
  }>[];
  canApprove: readonly Readonly<{ id: string; name: string; roles: readonly string[] }>[];
  iCan: boolean;
  iCanReject: boolean;
  whyNot: string | null;
  maker: Readonly<{ kind: string; id: string | null; name: string }> | null;
  impossible: boolean;
}>;

const NO_APPROVAL: ShownApproval | null = null;

/** A transfer as merchants see it. Absent values are null, never missing. */
export function renderTransfer(transfer: ShownTransfer) {
  const { failureCode } = transfer;
  const rendered = {
    id: transfer.id,
    type: 'mobile-money',
    reference: transfer.reference,
    status: statusOf(transfer.state),
    state: transfer.state,
    amount: minorToNumber(transfer.amountMinor),
    fee: minorToNumber(transfer.feeMinor),
    currency: transfer.currency,
    walletId: transfer.walletId,
    phone: transfer.phone,
    operator: transfer.operator,
    country: transfer.country,
    recipientName: transfer.recipientName,
    narration: transfer.narration,
    metadata: transfer.metadata,
    sendAt: transfer.sendAt?.toISOString() ?? null,
    source: transfer.source,
    policyVersion: transfer.policyVersion,
    rules: transfer.rules,
    contentHash: wasHeldForPeople(transfer) ? hashContent(transfer) : null,
    // Only who reads one transfer, or the list of approvals, is shown it.
    approval: NO_APPROVAL,
    payoutFileId: transfer.fileId,
    replaces: transfer.replaces,
    operatorTransactionId: transfer.operatorTransactionId,
    failure: failureCode === null ? null : { code: failureCode, message: FAILURES[failureCode] },
    mode: transfer.mode,
    createdAt: transfer.createdAt.toISOString(),
    updatedAt: transfer.updatedAt.toISOString(),
    completedAt: transfer.completedAt?.toISOString() ?? null,
  };
  if (transfer.state !== 'in_doubt') return rendered;
  return {
    ...rendered,
    inDoubtSince: transfer.inDoubtSince?.toISOString(),
    lastCheckedAt: transfer.lastCheckedAt?.toISOString() ?? null,
    nextCheckAt: transfer.nextActionAt?.toISOString() ?? null,
  };
}

function wasHeldForPeople({ approvalsNeeded, state }: ShownTransfer): boolean {
  return approvalsNeeded !== null || state === 'awaiting_approval';
}
