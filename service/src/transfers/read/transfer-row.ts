import { withoutPutOff } from '../../cells/move/moving-work.ts';
import type { ApprovalRequirement } from '../../domain/approval-requirement.ts';
import type { DoubtKind } from '../../domain/doubt-kind.ts';
import { type Metadata, toMetadata } from '../../domain/metadata.ts';
import type { Currency } from '../../domain/money.ts';
import type { Country, Operator } from '../../domain/operator.ts';
import type { FailureCode, ReportedField } from '../../domain/outcome.ts';
import type { Source } from '../../domain/source.ts';
import type { Mode, Transfer } from '../../domain/transfer.ts';
import type { TransferState } from '../../domain/transfer-state.ts';
import { DOUBT_KIND } from './doubt-kind-column.ts';

/** The columns of a transfer as `t`; `mode` comes from its book. */
export const TRANSFER_COLUMNS = `
  t.book_id, t.id, t.wallet_id, t.reference, t.state, t.amount_minor, t.fee_minor, t.currency,
  t.phone, t.operator, t.country, t.recipient_name, t.narration, t.metadata, t.send_at,
  t.source, t.made_by, t.policy_version, t.rules, t.approvals_needed, t.file_id, t.replaces, t.route, t.route_account, t.operator_reference,
  t.operator_transaction_id, t.failure_code, t.created_at, t.updated_at, t.completed_at,
  t.in_doubt_since, ${DOUBT_KIND} as doubt_kind, t.last_checked_at, t.next_action_at, t.checks, t.event_seq,
  t.unconfirmed_successes, t.contradictions, t.resubmissions, t.recalls, t.throttled,
  case when t.answers_lapse_at < now() then 0 else t.not_found_answers end as not_found_answers,
  (1000 * extract(epoch from now() - t.doubt_began_at))::double precision as doubt_ms,
  (1000 * extract(epoch from now() - t.first_doubt_at))::double precision as since_doubt_ms,
  (1000 * extract(epoch from now() - t.first_pending_at))::double precision as since_pending_ms,
  (1000 * extract(epoch from now() - t.first_submitted_at))::double precision as since_submission_ms`;

/** Enumerated columns have enumerated types, which the CHECK constraints of the table guarantee. */
export type TransferRow = {
  book_id: string;
  id: string;
  wallet_id: string;
  reference: string;
  state: TransferState;
  amount_minor: bigint;
  fee_minor: bigint;
  currency: Currency;
  phone: string;
  operator: Operator;
  country: Country;
  recipient_name: string | null;
  narration: string | null;
  metadata: Metadata | null;
  send_at: Date | null;
  source: Exclude<Source, 'api'> | null;
  made_by: string | null;
  policy_version: number | null;
  rules: string[] | null;
  approvals_needed: ApprovalRequirement[] | null;
  file_id: string | null;
  replaces: string | null;
  route: string;
  route_account: string | null;
  operator_reference: string;
  operator_transaction_id: string | null;
  failure_code: FailureCode | null;
  created_at: Date;
  updated_at: Date;
  completed_at: Date | null;
  in_doubt_since: Date | null;
  doubt_kind: DoubtKind | null;
  doubt_ms: number | null;
  since_doubt_ms: number | null;
  since_pending_ms: number | null;
  since_submission_ms: number | null;
  event_seq: number;
  last_checked_at: Date | null;
  next_action_at: Date | null;
  checks: number;
  /** 0 when they have lapsed: see ANSWERS_LAPSE_MIN_MS. */
  not_found_answers: number;
  unconfirmed_successes: number;
  contradictions: ReportedField[];
  resubmissions: number;
  recalls: number;
  throttled: boolean;
};

export function toTransfer(row: TransferRow, mode: Mode): Transfer {
  return {
    bookId: row.book_id,
    id: row.id,
    mode,
    walletId: row.wallet_id,
    reference: row.reference,
    state: row.state,
    amountMinor: row.amount_minor,
    feeMinor: row.fee_minor,
    currency: row.currency,
    phone: row.phone,
    operator: row.operator,
    country: row.country,
    recipientName: row.recipient_name,
    narration: row.narration,
    metadata: row.metadata === null ? null : toMetadata(Object.entries(row.metadata)),
    sendAt: row.send_at,
    source: row.source ?? 'api',
    madeBy: row.made_by,
    policyVersion: row.policy_version,
    rules: row.rules ?? [],
    approvalsNeeded: row.approvals_needed,
    fileId: row.file_id,
    replaces: row.replaces,
    route: row.route,
    routeAccount: row.route_account,
    operatorReference: row.operator_reference,
    operatorTransactionId: row.operator_transaction_id,
    failureCode: row.failure_code,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    completedAt: row.completed_at,
    inDoubtSince: row.in_doubt_since,
    doubtKind: row.doubt_kind,
    doubtMs: row.doubt_ms,
    sinceDoubtMs: row.since_doubt_ms,
    sincePendingMs: row.since_pending_ms,
    sinceSubmissionMs: row.since_submission_ms,
    resubmissions: row.resubmissions,
    recalls: row.recalls,
    throttled: row.throttled,
    eventSeq: row.event_seq,
    lastCheckedAt: row.last_checked_at,
    nextActionAt: withoutPutOff(row.next_action_at),
    checks: row.checks,
    notFoundAnswers: row.not_found_answers,
    unconfirmedSuccesses: row.unconfirmed_successes,
    contradictions: row.contradictions,
  };
}
