import type { ApprovalRequirement } from '../domain/approval-requirement.ts';
import { type Metadata, toMetadata } from '../domain/metadata.ts';
import type { Currency } from '../domain/money.ts';
import type { Country, Operator } from '../domain/operator.ts';
import type { FailureCode } from '../domain/outcome.ts';
import type { Source } from '../domain/source.ts';
import { isTransferState, STATE_RULES, type TransferState } from '../domain/transfer-state.ts';
import {
  eventKey,
  keyColumns,
  type RecordedEvent,
  type ShowSubjects,
} from '../events/recorded-event.ts';
import type { Statement } from '../postgres/database.ts';
import { renderTransfer, type ShownTransfer } from './render-transfer.ts';

/** Transfers as they were at their events. */
export const showTransfers: ShowSubjects = async (database, events) => {
  const rows = await database.query<TransferRow>(READ, keyColumns(events).slice(0, 2));
  const rowById = new Map(rows.map((row) => [`${row.book_id} ${row.id}`, row]));
  const shown = new Map<string, object>();
  for (const event of events) {
    const row = rowById.get(`${event.bookId} ${event.subjectId}`);
    if (row !== undefined) shown.set(eventKey(event), renderTransfer(transferAt(row, event)));
  }
  return shown;
};

/**
 * The transfer after the event. Values that were set later are left out. Values that are set only once and by then (the
 * receipt, the failure, the time of the end) are read from the present row.
 */
function transferAt(row: TransferRow, { toState, createdAt, mode }: RecordedEvent): ShownTransfer {
  if (toState === null || !isTransferState(toState)) {
    throw new Error(`a transfer's event has no state of transfers: ${toState}`);
  }
  const { hold } = STATE_RULES[toState];
  return {
    bookId: row.book_id,
    id: row.id,
    mode,
    walletId: row.wallet_id,
    reference: row.reference,
    state: toState,
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
    policyVersion: row.policy_version,
    rules: row.rules ?? [],
    approvalsNeeded: row.approvals_needed,
    fileId: row.file_id,
    replaces: row.replaces,
    operatorTransactionId: isPaid(toState) ? row.operator_transaction_id : null,
    failureCode: hold === 'released' ? row.failure_code : null,
    createdAt: row.created_at,
    updatedAt: createdAt,
    completedAt: hold === 'held' ? null : row.completed_at,
    inDoubtSince: toState === 'in_doubt' ? createdAt : null,
    lastCheckedAt: null,
    nextActionAt: null,
  };
}

function isPaid(state: TransferState): boolean {
  return state === 'succeeded' || state === 'reversed';
}

/** Enumerated columns have enumerated types, which the CHECK constraints of the table guarantee. */
type TransferRow = {
  book_id: string;
  id: string;
  wallet_id: string;
  reference: string;
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
  policy_version: number | null;
  rules: string[] | null;
  approvals_needed: ApprovalRequirement[] | null;
  file_id: string | null;
  replaces: string | null;
  operator_transaction_id: string | null;
  failure_code: FailureCode | null;
  created_at: Date;
  completed_at: Date | null;
};

const READ: Statement = {
  name: 'show-transfers',
  text: `
    select t.book_id, t.id, t.wallet_id, t.reference, t.amount_minor, t.fee_minor, t.currency,
           t.phone, t.operator, t.country, t.recipient_name, t.narration, t.metadata, t.send_at,
           t.source, t.policy_version, t.rules, t.approvals_needed, t.file_id, t.replaces,
           t.operator_transaction_id,
           t.failure_code, t.created_at, t.completed_at
    from (
      select distinct book_id, id from unnest($1::uuid[], $2::uuid[]) as k (book_id, id)
    ) k
    join transfers t on t.book_id = k.book_id and t.id = k.id`,
};
