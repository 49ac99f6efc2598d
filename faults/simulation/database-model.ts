import { causeOf } from '../../service/src/domain/cause.ts';
import { SEND_LATE_WITHIN_DEFAULT_MS } from '../../service/src/domain/send-at.ts';
import { type ControlsPlan, isDeniedAt } from './controls-plan.ts';
import {
  countAnswers,
  type DoubtTimes,
  doubtAfter,
  type FirstTimes,
  firstTimesAfter,
  isProven,
  mayResubmit,
  NO_DOUBT,
  NO_TIMES,
} from './doubt-model.ts';
import { createLedgerModel, holdLegs, type LedgerModel, type Leg, legsOf } from './ledger-model.ts';
import {
  type AcceptedTransfer,
  type Move,
  RECALLED_INQUIRY_MS,
  type ReportedField,
  type SendingRoute,
  type Transfer,
  type TransferState,
} from './service-core.ts';
import { type Callback, isAnswer } from './taken-callbacks.ts';

/** A row of the transfers table. `transfer` is replaced at every change, like a snapshot. */
export type StoredTransfer = {
  readonly idempotencyKey: string | null;
  readonly firstState: TransferState;
  transfer: Transfer;
  leaseOwner: string | null;
  /** In the database's time, like leases. */
  nextActionAtMs: number | null;
  doubt: DoubtTimes;
  firstTimes: FirstTimes;
  flagged: boolean;
  /** Whether a readable callback about it is stored. */
  calledAbout: boolean;
  /** When a person approved it last, by the clock of the process. */
  approvedAtMs: number | null;
};

export type HistoryEntry = Readonly<{
  transferId: string;
  from: TransferState | null;
  to: TransferState;
  cause: string;
  actor: string;
  atMs: number;
  /** The process that wrote it. */
  mover: string;
}>;

/** How a planted bug changes the statements; normal schedules have none of these. */
export type StatementFaults = Readonly<{
  ignoresExpectedState?: boolean;
  /** Does not distinguish two stays in the same state. */
  ignoresTurn?: boolean;
  ignoresLease?: boolean;
  ignoresUsedReferences?: boolean;
  claimsWithoutLease?: boolean;
  /** Accepts callbacks with invalid signatures as answers. */
  takesUnverified?: boolean;
  /** Takes callbacks as answers that report another amount, and believes them. */
  takesAnyAmount?: boolean;
  /** Does not check at the move whether the operator still recognises the order. */
  resubmitsAtAnyAge?: boolean;
  /** Does not store that the operator reported other values than were sent. */
  forgetsContradictions?: boolean;
  /** Counts held money as available, without a constraint that would refuse it. */
  spendsWhatIsHeld?: boolean;
  /** A scheduled transfer is due at once. */
  ignoresSendAt?: boolean;
  alterLegs?: (legs: readonly Leg[], transfer: Transfer) => readonly Leg[];
}>;

type DatabaseDeps = Readonly<{
  nowMs: () => number;
  faults: StatementFaults;
  /** A transfer will be due at that time. */
  onDue: (atMs: number) => void;
  note: (transferId: string, text: string) => void;
  /** A time of the database's clock as simulated time. */
  toMs: (date: Date) => number;
  controls: ControlsPlan | null;
}>;

/**
 * An in-memory model of the service's statements. Each method is one transaction: it happens at one moment,
 * completely or not at all.
 */
export type DatabaseModel = Readonly<{
  ledger: LedgerModel;
  find(id: string): StoredTransfer | undefined;
  nowMs(): number;
  spendableMinor(walletId: string): bigint;
  findByReference(bookId: string, reference: string): StoredTransfer | undefined;
  findByIdempotencyKey(bookId: string, key: string): StoredTransfer | undefined;
  findByOperatorReference(operatorReference: string): StoredTransfer | undefined;
  all(): readonly StoredTransfer[];
  history(): readonly HistoryEntry[];
  /** Whether a move recorded that the operator reported other values for this payout than were sent. */
  wasContradicted(operatorReference: string): boolean;
  store(accepted: AcceptedTransfer, leaseOwner: string): void;
  move(move: Move, by: Readonly<{ mover: string; at: Date }>): boolean;
  keepContradictions(id: string, subjects: readonly ReportedField[]): boolean;
  claim(wanted: ClaimWanted): readonly StoredTransfer[];
  /** Claims queued transfers. Those that are not denied, not late and not out of bounds leave the queue. */
  claimToSend(wanted: ClaimWanted, way: SendingRoute, at: Date): readonly StoredTransfer[];
  claimScheduled(
    wanted: Pick<ClaimWanted, 'leaseOwner' | 'max' | 'leaseMs'>,
  ): readonly StoredTransfer[];
  /** Its time passed longer ago than its book allows, and no person approved it since. */
  isLate(row: StoredTransfer): boolean;
  /** Its number is denied now. */
  isDenied(row: StoredTransfer): boolean;
  hasDue(wanted: Pick<ClaimWanted, 'route' | 'due'>): boolean;
  /** Undefined: nothing is due at any time. */
  firstDueMs(): number | undefined;
  /** Makes the next inquiry due now. */
  bringForward(row: StoredTransfer): void;
  /** Takes the lease for a callback that takes the place of an inquiry. Undefined: it does not. */
  take(
    callback: Pick<Callback, 'route' | 'reference' | 'claims' | 'verified' | 'amountMinor'>,
    lease: Pick<ClaimWanted, 'leaseOwner' | 'leaseMs'>,
  ): StoredTransfer | undefined;
  /** Gives such a lease back, so that an inquiry is made at once. */
  giveBack(id: string, leaseOwner: string): void;
}>;

export type ClaimWanted = Readonly<{
  route: string;
  due: 'submission' | 'inquiry';
  leaseOwner: string;
  max: number;
  leaseMs: number;
}>;

/** The stored data and the dependencies of the statements. */
type Tables = Readonly<{
  deps: DatabaseDeps;
  ledger: LedgerModel;
  rows: Map<string, StoredTransfer>;
  byOperatorReference: Map<string, StoredTransfer>;
  history: HistoryEntry[];
  contradicted: Set<string>;
}>;

export function createDatabaseModel(deps: DatabaseDeps): DatabaseModel {
  const { nowMs, faults } = deps;
  const ledger = createLedgerModel({ nowMs, isChecked: faults.spendsWhatIsHeld !== true });
  const rows = new Map<string, StoredTransfer>();
  const byOperatorReference = new Map<string, StoredTransfer>();
  const tables: Tables = {
    deps,
    ledger,
    rows,
    byOperatorReference,
    history: [],
    contradicted: new Set(),
  };
  const isIn = (bookId: string) => (row: StoredTransfer) => row.transfer.bookId === bookId;
  return {
    ledger,
    nowMs,
    find: (id) => rows.get(id),
    spendableMinor(walletId) {
      const { availableMinor = 0n, heldMinor = 0n } = ledger.wallet(walletId) ?? {};
      return faults.spendsWhatIsHeld === true ? availableMinor + heldMinor : availableMinor;
    },
    findByReference(bookId, reference) {
      if (faults.ignoresUsedReferences === true) return undefined;
      return find(tables, (row) => row.transfer.reference === reference && isIn(bookId)(row));
    },
    findByIdempotencyKey: (bookId, key) =>
      find(tables, (row) => row.idempotencyKey === key && isIn(bookId)(row)),
    findByOperatorReference: (reference) => byOperatorReference.get(reference),
    all: () => [...rows.values()],
    history: () => tables.history,
    wasContradicted: (reference) => tables.contradicted.has(reference),
    store: (accepted, leaseOwner) => store(tables, accepted, leaseOwner),
    move: (move, by) => moveRow(tables, move, by),
    keepContradictions: (id, subjects) => keepContradictions(tables, id, subjects),
    claim: (wanted) => claim(tables, wanted, (row) => isDue(tables, row, wanted)),
    claimToSend: (wanted, way, at) => claimToSend(tables, wanted, { way, at }),
    claimScheduled: (wanted) => claim(tables, wanted, (row) => isScheduledDue(tables, row)),
    isLate: (row) => isLate(tables, row),
    isDenied: (row) => isDenied(tables, row),
    hasDue: (wanted) => find(tables, (row) => isDue(tables, row, wanted)) !== undefined,
    firstDueMs: () => firstDueMs(tables),
    bringForward(row) {
      if (row.nextActionAtMs === null || row.nextActionAtMs > nowMs()) setDue(tables, row, 0);
      deps.note(row.transfer.id, 'a callback brings the next inquiry forward');
    },
    take(callback, { leaseOwner, leaseMs }) {
      const row = byOperatorReference.get(callback.reference);
      if (row === undefined || !isAnswer(row, callback, faults)) return undefined;
      row.leaseOwner = leaseOwner;
      setDue(tables, row, leaseMs);
      deps.note(row.transfer.id, `a callback is taken as an answer by ${leaseOwner}`);
      return row;
    },
    giveBack(id, leaseOwner) {
      const row = rows.get(id);
      if (row === undefined || row.leaseOwner !== leaseOwner) return;
      if (row.transfer.state !== 'submitted' && row.transfer.state !== 'in_doubt') return;
      row.leaseOwner = null;
      setDue(tables, row, 0);
      deps.note(id, `a callback is given back by ${leaseOwner}`);
    },
  };
}

function find(
  { rows }: Tables,
  matches: (row: StoredTransfer) => boolean,
): StoredTransfer | undefined {
  for (const row of rows.values()) if (matches(row)) return row;
  return undefined;
}

function setDue({ deps }: Tables, row: StoredTransfer, inMs: number | null): void {
  row.nextActionAtMs = inMs === null ? null : deps.nowMs() + inMs;
  if (row.nextActionAtMs !== null) deps.onDue(row.nextActionAtMs);
}

function isDue(
  { deps }: Tables,
  row: StoredTransfer,
  { route, due }: Pick<ClaimWanted, 'route' | 'due'>,
): boolean {
  return (
    row.nextActionAtMs !== null &&
    row.nextActionAtMs <= deps.nowMs() &&
    row.transfer.route === route &&
    row.transfer.state !== 'scheduled' &&
    row.transfer.state !== 'awaiting_approval' &&
    (row.transfer.state === 'queued') === (due === 'submission')
  );
}

function isScheduledDue({ deps }: Tables, { transfer, nextActionAtMs }: StoredTransfer): boolean {
  const isDue = nextActionAtMs !== null && nextActionAtMs <= deps.nowMs();
  return transfer.state === 'scheduled' && isDue;
}

/** When a transfer that comes into its state is due; a scheduled one at its time. */
function dueInMs(
  { deps }: Tables,
  { state, sendAt }: Transfer,
  givenMs: number | null,
): number | null {
  if (state !== 'scheduled' || sendAt === null || deps.faults.ignoresSendAt === true)
    return givenMs;
  return deps.toMs(sendAt) - deps.nowMs();
}

function store(tables: Tables, accepted: AcceptedTransfer, leaseOwner: string): void {
  const { ledger, rows, byOperatorReference, history, deps } = tables;
  const { transfer, idempotencyKey, actor } = accepted;
  const nextActionInMs = accepted.expiresAfterMs ?? accepted.nextActionInMs;
  const { id: transferId, walletId, state } = transfer;
  ledger.post({ walletId, transferId, legs: holdLegs(transfer) });
  const row: StoredTransfer = {
    transfer,
    idempotencyKey,
    firstState: state,
    leaseOwner: state === 'submitting' ? leaseOwner : null,
    nextActionAtMs: null,
    doubt: NO_DOUBT,
    firstTimes: { ...NO_TIMES, submittedMs: state === 'submitting' ? deps.nowMs() : null },
    flagged: false,
    calledAbout: false,
    approvedAtMs: null,
  };
  rows.set(transferId, row);
  byOperatorReference.set(transfer.operatorReference, row);
  setDue(tables, row, dueInMs(tables, transfer, nextActionInMs));
  const entry = { transferId, from: null, to: state, cause: causeOf('ACCEPTED'), actor };
  history.push({ ...entry, atMs: deps.nowMs(), mover: leaseOwner });
  deps.note(transferId, `stored as ${state} on ${transfer.route}, lease ${row.leaseOwner}`);
}

/** Moves a row only when it is unchanged since the mover read it, together with its postings and its event. */
function moveRow(tables: Tables, move: Move, by: Readonly<{ mover: string; at: Date }>): boolean {
  const { ledger, rows, history, deps } = tables;
  const { transfer: seen, step, actor } = move;
  const row = rows.get(seen.id);
  if (row === undefined || !isAsExpected(deps, row, { move, mover: by.mover })) return false;
  const { transfer } = row;
  const { id: transferId, walletId } = transfer;
  if (seen.state !== step.to) {
    const legs = legsOf(step.to, transfer);
    const made = deps.faults.alterLegs?.(legs, transfer) ?? legs;
    ledger.post({ walletId, transferId, legs: made });
    const { to, cause } = step;
    const moved = { transferId, from: transfer.state, to, cause, actor, atMs: deps.nowMs() };
    history.push({ ...moved, mover: by.mover });
  }
  const notFoundAnswers = countAnswers(row.doubt, step, deps.nowMs());
  row.transfer = { ...afterMove(transfer, move, by.at), notFoundAnswers };
  if (step.contradicted !== undefined) tables.contradicted.add(transfer.operatorReference);
  if (deps.faults.forgetsContradictions === true)
    row.transfer = { ...row.transfer, contradictions: [] };
  row.doubt = doubtAfter(row.doubt, step, deps.nowMs());
  row.firstTimes = firstTimesAfter(row.firstTimes, step, deps.nowMs());
  // A resubmission keeps the lease, because its owner sends next.
  if (step.resubmission === undefined) row.leaseOwner = move.leaseFor;
  row.flagged = step.needsPerson;
  if (move.event === 'transfer.approved') row.approvedAtMs = deps.nowMs();
  const nextActionInMs = step.nextActionInMs ?? recalledInMs(transfer, step.to);
  setDue(tables, row, dueInMs(tables, row.transfer, nextActionInMs));
  deps.note(transferId, `${seen.state} → ${step.to} by ${by.mover}: ${step.cause}`);
  return true;
}

/** A success may have been reported before a recall, so the row makes the service inquire again. */
function recalledInMs({ state, recalls }: Transfer, to: TransferState): number | null {
  return to === 'succeeded' && state !== 'succeeded' && recalls > 0 ? RECALLED_INQUIRY_MS : null;
}

function isAsExpected(
  deps: DatabaseDeps,
  row: StoredTransfer,
  { move, mover }: Readonly<{ move: Move; mover: string }>,
): boolean {
  const { faults } = deps;
  const { state, eventSeq, route } = row.transfer;
  const isTurn = eventSeq === move.transfer.eventSeq || faults.ignoresTurn === true;
  const isState = state === move.transfer.state && isTurn;
  const isRoute = move.anyRoute === true || route === move.transfer.route;
  const isLeased = row.leaseOwner === mover && (row.nextActionAtMs ?? 0) > deps.nowMs();
  const isLease = !move.needsLease || isLeased || faults.ignoresLease === true;
  return (
    (isState || faults.ignoresExpectedState === true) &&
    isRoute &&
    isLease &&
    row.transfer.resubmissions === move.transfer.resubmissions &&
    isWeighed(row, move) &&
    (mayResubmit(row, move.step, deps.nowMs()) || faults.resubmitsAtAnyAge === true) &&
    isProven(row, move.step, deps.nowMs())
  );
}

/** A contradiction that was recorded after the read must be considered before an end. */
function isWeighed(row: StoredTransfer, { step, transfer: seen }: Move): boolean {
  const { contradictions } = row.transfer;
  const isEnd = step.to === 'succeeded' || step.to === 'failed';
  return (
    !isEnd ||
    step.notFoundProof !== undefined ||
    contradictions.length <= seen.contradictions.length
  );
}

function keepContradictions(
  tables: Tables,
  id: string,
  subjects: readonly ReportedField[],
): boolean {
  const { rows, contradicted, deps } = tables;
  const row = rows.get(id);
  if (row === undefined || row.transfer.completedAt !== null) return false;
  const { transfer } = row;
  contradicted.add(transfer.operatorReference);
  if (deps.faults.forgetsContradictions === true) return true;
  row.transfer = {
    ...transfer,
    contradictions: joined(transfer.contradictions, subjects),
    unconfirmedSuccesses: Math.max(transfer.unconfirmedSuccesses, 1),
  };
  row.doubt = { ...row.doubt, answersLapseMs: -Infinity };
  deps.note(id, 'what contradicts it is kept, without the lease');
  return true;
}

function joined(
  kept: readonly ReportedField[],
  added: readonly ReportedField[],
): readonly ReportedField[] {
  return [...new Set([...kept, ...added])].sort();
}

function claim(
  tables: Tables,
  wanted: Pick<ClaimWanted, 'leaseOwner' | 'max' | 'leaseMs'>,
  isWanted: (row: StoredTransfer) => boolean,
): readonly StoredTransfer[] {
  const { rows, deps } = tables;
  const due = [...rows.values()].filter(isWanted);
  due.sort((one, other) => (one.nextActionAtMs ?? 0) - (other.nextActionAtMs ?? 0));
  const claimed = due.slice(0, wanted.max);
  for (const row of claimed) {
    if (deps.faults.claimsWithoutLease !== true) row.leaseOwner = wanted.leaseOwner;
    setDue(tables, row, wanted.leaseMs);
    deps.note(row.transfer.id, `claimed in ${row.transfer.state} by ${wanted.leaseOwner}`);
  }
  return claimed;
}

function firstDueMs({ rows }: Tables): number | undefined {
  let firstMs: number | undefined;
  for (const { nextActionAtMs } of rows.values()) {
    if (nextActionAtMs !== null && nextActionAtMs < (firstMs ?? Infinity)) {
      firstMs = nextActionAtMs;
    }
  }
  return firstMs;
}

/** The columns that the statement sets. */
function afterMove(
  transfer: Transfer,
  { transfer: seen, step, route, routeAccount }: Move,
  at: Date,
): Transfer {
  const from = seen.state;
  const { to } = step;
  const changed = from !== to;
  const inquired = from === 'in_doubt' || from === 'submitted';
  const doubtSince = from === 'in_doubt' ? transfer.inDoubtSince : at;
  return {
    ...transfer,
    state: to,
    route: route ?? transfer.route,
    routeAccount: routeAccount ?? transfer.routeAccount,
    failureCode: step.failure ?? transfer.failureCode,
    operatorTransactionId: step.operatorTransactionId ?? transfer.operatorTransactionId,
    inDoubtSince: to === 'in_doubt' ? doubtSince : null,
    lastCheckedAt: inquired ? at : transfer.lastCheckedAt,
    checks: step.checks,
    resubmissions: transfer.resubmissions + (step.resubmission === undefined ? 0 : 1),
    throttled: step.throttled ?? false,
    unconfirmedSuccesses: step.unconfirmedSuccesses ?? 0,
    contradictions: joined(transfer.contradictions, step.contradicted ?? []),
    updatedAt: changed ? at : transfer.updatedAt,
    eventSeq: transfer.eventSeq + (changed ? 1 : 0),
    completedAt: ENDS.has(to) ? (transfer.completedAt ?? at) : null,
  };
}

const ENDS: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled', 'reversed']);

/** As the statement of claim-submissions.ts. Here no transfer pays another one again. */
function claimToSend(
  tables: Tables,
  wanted: ClaimWanted,
  { way, at }: Readonly<{ way: SendingRoute; at: Date }>,
): readonly StoredTransfer[] {
  const claimed = claim(tables, wanted, (row) => isDue(tables, row, wanted));
  for (const row of claimed) {
    const { transfer, leaseOwner: leaseFor } = row;
    if (!isTaken(transfer, way) || isDenied(tables, row) || isLate(tables, row)) continue;
    const { name: route, account } = way;
    const sentBy = account === null ? { route } : { route, routeAccount: account };
    const step = { ...LEAVE_QUEUE, checks: transfer.checks, nextActionInMs: wanted.leaseMs };
    const actor = 'system:dispatcher';
    const move = { transfer, step, actor, needsLease: false, leaseFor, ...sentBy };
    moveRow(tables, move, { mover: wanted.leaseOwner, at });
  }
  return claimed;
}

const LEAVE_QUEUE = {
  to: 'submitting',
  cause: causeOf('ROUTE_HAS_ROOM'),
  failure: null,
  operatorTransactionId: null,
  notFoundAnswers: 0,
  needsPerson: false,
} as const;

/** Whether a route takes the amount. */
function isTaken({ amountMinor }: Transfer, { bounds }: SendingRoute): boolean {
  const isInBounds = bounds.minMinor <= amountMinor && amountMinor <= bounds.maxMinor;
  return isInBounds && (bounds.decimals > 0 || amountMinor % 100n === 0n);
}

function isLate({ deps }: Tables, { transfer: { sendAt }, approvedAtMs }: StoredTransfer): boolean {
  if (sendAt === null) return false;
  const sendAtMs = deps.toMs(sendAt);
  const lateWithinMs = deps.controls?.lateWithinMs ?? Infinity;
  const approvalHoldsMs = Math.max(lateWithinMs, SEND_LATE_WITHIN_DEFAULT_MS);
  const isApproved =
    approvedAtMs !== null &&
    approvedAtMs > sendAtMs &&
    approvedAtMs >= deps.nowMs() - approvalHoldsMs;
  return sendAtMs < deps.nowMs() - lateWithinMs && !isApproved;
}

function isDenied({ deps }: Tables, { transfer: { phone } }: StoredTransfer): boolean {
  return isDeniedAt(deps.controls, { phone, atMs: deps.nowMs() });
}
