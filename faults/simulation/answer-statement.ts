import type { ClaimWanted, DatabaseModel, StoredTransfer } from './database-model.ts';
import { haveLapsed } from './doubt-model.ts';
import type { Claimed } from './journal.ts';
import {
  REPORTED_FIELDS,
  type ReportedField,
  type Row,
  type SendingRoute,
  type Statement,
  type Transfer,
  type TransferRow,
} from './service-core.ts';

type AnswerDeps = Readonly<{
  database: DatabaseModel;
  commit: <T>(apply: () => T) => Promise<T>;
  toDate: (ms: number) => Date;
  onClaim: (claim: Claimed) => void;
  onIncident: (incident: Readonly<{ transferId: string; kind: string }>) => void;
}>;

/** The positions of statement parameters; claims have seven, those of submissions six more, incidents five. */
const CLAIM_OWNER = 0;
const CLAIM_MAX = 4;
const CLAIM_LEASE_MS = 5;
const CLAIM_ROUTE = 6;
const SENDING_ROUTE = 7;
const SENDING_ACCOUNT = 8;
const MIN_MINOR = 9;
const MAX_MINOR = 10;
const IS_WHOLE_ONLY = 11;
const CLAIMED_AT = 12;
const FIND_ID = 1;
const CONTRADICTED = 2;
const GIVEN_BACK_OWNER = 2;
const INCIDENT_TRANSFER = 2;
const INCIDENT_KIND = 3;

/** Answers the few named statements that the simulated code sends directly. */
export async function answerStatement(
  deps: AnswerDeps,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const { database, commit } = deps;
  switch (statement.name) {
    case 'find-transfer':
      return commit(() => {
        const row = database.find(textOf(values, FIND_ID));
        return row === undefined ? [] : [toRow(row, deps)];
      });
    case 'claim-due-inquiries':
      return claim(deps, values, 'inquiry');
    case 'claim-due-submissions':
      return claim(deps, values, 'submission');
    case 'claim-scheduled':
      return claimScheduled(deps, values);
    case 'ask-for-approval-check':
      // Whether people can approve is no matter of a schedule.
      return commit(() => []);
    case 'open-incident':
      return commit(() => {
        const transferId = textOf(values, INCIDENT_TRANSFER);
        deps.onIncident({ transferId, kind: textOf(values, INCIDENT_KIND) });
        return [];
      });
    case 'keep-contradictions':
      return commit(() => {
        const id = textOf(values, FIND_ID);
        return database.keepContradictions(id, subjectsOf(values)) ? [{ id }] : [];
      });
    case 'give-back-callback':
      return commit(() => {
        database.giveBack(textOf(values, FIND_ID), textOf(values, GIVEN_BACK_OWNER));
        return [];
      });
    case 'find-duplicate-attempt':
      // The simulated database is never restored from a backup, so no order is older than it.
      return commit(() => []);
    default:
      throw new Error(`the simulation has no model of the statement ${statement.name}`);
  }
}

async function claim(
  deps: AnswerDeps,
  values: readonly unknown[],
  due: ClaimWanted['due'],
): Promise<Row[]> {
  const wanted = {
    due,
    route: textOf(values, CLAIM_ROUTE),
    leaseOwner: textOf(values, CLAIM_OWNER),
    max: Number(values[CLAIM_MAX]),
    leaseMs: Number(values[CLAIM_LEASE_MS]),
  };
  // A claim that takes nothing changes nothing, so it is answered without a delay.
  if (!deps.database.hasDue(wanted)) return [];
  return deps.commit(() => {
    if (due === 'inquiry') {
      const claimed = deps.database.claim(wanted);
      return claimed.map((row) => claimedRow(deps, row, { wanted, isJudged: false }));
    }
    const claimed = deps.database.claimToSend(wanted, sendingRoute(values), dateOf(values));
    return claimed.map((row) => claimedRow(deps, row, { wanted, isJudged: true }));
  });
}

function sendingRoute(values: readonly unknown[]): SendingRoute {
  const account = values[SENDING_ACCOUNT];
  return {
    name: textOf(values, SENDING_ROUTE),
    account: account === null ? null : textOf(values, SENDING_ACCOUNT),
    bounds: {
      minMinor: BigInt(String(values[MIN_MINOR])),
      maxMinor: BigInt(String(values[MAX_MINOR])),
      decimals: values[IS_WHOLE_ONLY] === true ? 0 : 2,
    },
  };
}

function dateOf(values: readonly unknown[]): Date {
  const at = values[CLAIMED_AT];
  if (!(at instanceof Date)) throw new Error(`parameter ${CLAIMED_AT + 1} is not a time`);
  return at;
}

async function claimScheduled(deps: AnswerDeps, values: readonly unknown[]): Promise<Row[]> {
  const { database, commit } = deps;
  const wanted = {
    leaseOwner: textOf(values, CLAIM_OWNER),
    max: Number(values[CLAIM_MAX]),
    leaseMs: Number(values[CLAIM_LEASE_MS]),
  };
  return commit(() =>
    database.claimScheduled(wanted).map((row) => claimedRow(deps, row, { wanted, isJudged: true })),
  );
}

function claimedRow(
  deps: AnswerDeps,
  row: StoredTransfer,
  { wanted, isJudged }: Readonly<{ wanted: Pick<ClaimWanted, 'leaseOwner'>; isJudged: boolean }>,
): Row {
  const isDenied = isJudged && deps.database.isDenied(row);
  const isLate = isJudged && deps.database.isLate(row);
  const late = isLate ? 'late' : null;
  const { id: transferId, mode } = row.transfer;
  const why = isDenied ? 'denied' : late;
  const { nextActionAtMs: leasedUntilMs } = row;
  deps.onClaim({ transferId, owner: wanted.leaseOwner, leasedUntilMs, why });
  return { ...toRow(row, deps), mode, is_denied: isDenied, is_late: isLate };
}

function textOf(values: readonly unknown[], index: number): string {
  const value = values[index];
  if (typeof value !== 'string') throw new Error(`parameter ${index + 1} is not a text`);
  return value;
}

function subjectsOf(values: readonly unknown[]): readonly ReportedField[] {
  const given = values[CONTRADICTED];
  if (!Array.isArray(given)) throw new Error(`parameter ${CONTRADICTED + 1} is not a list`);
  return REPORTED_FIELDS.filter((subject) => given.includes(subject));
}

type RowDeps = Pick<AnswerDeps, 'database' | 'toDate'>;

export function toRow(stored: StoredTransfer, { database, toDate }: RowDeps): TransferRow {
  const { transfer, nextActionAtMs, doubt, firstTimes } = stored;
  const since = (atMs: number | null) => (atMs === null ? null : database.nowMs() - atMs);
  return {
    ...columnsOf(transfer),
    next_action_at: nextActionAtMs === null ? null : toDate(nextActionAtMs),
    doubt_ms: since(doubt.beganMs),
    since_doubt_ms: since(firstTimes.doubtMs),
    since_pending_ms: since(firstTimes.pendingMs),
    since_submission_ms: since(firstTimes.submittedMs),
    not_found_answers: haveLapsed(doubt, database.nowMs()) ? 0 : transfer.notFoundAnswers,
  };
}

function columnsOf(
  transfer: Transfer,
): Omit<
  TransferRow,
  | 'next_action_at'
  | 'doubt_ms'
  | 'since_doubt_ms'
  | 'since_pending_ms'
  | 'since_submission_ms'
  | 'not_found_answers'
> {
  return {
    book_id: transfer.bookId,
    id: transfer.id,
    wallet_id: transfer.walletId,
    reference: transfer.reference,
    state: transfer.state,
    amount_minor: transfer.amountMinor,
    fee_minor: transfer.feeMinor,
    currency: transfer.currency,
    phone: transfer.phone,
    operator: transfer.operator,
    country: transfer.country,
    recipient_name: transfer.recipientName,
    narration: transfer.narration,
    metadata: transfer.metadata,
    send_at: transfer.sendAt,
    source: transfer.source === 'api' ? null : transfer.source,
    made_by: transfer.madeBy,
    policy_version: transfer.policyVersion,
    rules: [...transfer.rules],
    approvals_needed: null,
    file_id: transfer.fileId,
    replaces: transfer.replaces,
    route: transfer.route,
    route_account: transfer.routeAccount,
    operator_reference: transfer.operatorReference,
    operator_transaction_id: transfer.operatorTransactionId,
    failure_code: transfer.failureCode,
    created_at: transfer.createdAt,
    updated_at: transfer.updatedAt,
    completed_at: transfer.completedAt,
    in_doubt_since: transfer.inDoubtSince,
    // Only displayed; no rule depends on it.
    doubt_kind: transfer.doubtKind,
    last_checked_at: transfer.lastCheckedAt,
    checks: transfer.checks,
    event_seq: transfer.eventSeq,
    unconfirmed_successes: transfer.unconfirmedSuccesses,
    contradictions: [...transfer.contradictions],
    resubmissions: transfer.resubmissions,
    recalls: transfer.recalls,
    throttled: transfer.throttled,
  };
}
