import { FIRST_CELL } from '../../cells/cell.ts';
import type { ControlSnapshots } from '../../controls/control-snapshots.ts';
import type { Controls } from '../../controls/controls.ts';
import type { Judgement } from '../../controls/judge.ts';
import type { Book } from '../../domain/book.ts';
import { feeOf } from '../../domain/fee.ts';
import type { NameMatch } from '../../domain/name-match.ts';
import { deriveOperatorReference, FIRST_SUBMISSION } from '../../domain/operator-reference.ts';
import { needsOf } from '../../domain/policy/needs-of.ts';
import { refuse } from '../../domain/refusal.ts';
import type { RefusalCode } from '../../domain/refusal-codes.ts';
import { findSendAtProblem } from '../../domain/send-at.ts';
import type { Transfer, TransferCommand } from '../../domain/transfer.ts';
import { fitsBounds, preferOpen } from '../../operators/routes/choose-route.ts';
import type { Route, Routes } from '../../operators/routes/route.ts';
import { type CommitQueue, CommitQueueFull } from '../../postgres/commit-queue.ts';
import type { Database } from '../../postgres/database.ts';
import { type LeaseStart, startLease } from '../move/lease.ts';
import type { AcceptResult } from './decide-in-order.ts';
import { decideSuspended } from './decide-suspended.ts';
import { judgePrepared, NAME_WANTED, orderOf } from './judge-in-order.ts';
import type { Origin, PreparedTransfer } from './prepared-transfer.ts';

export type InitiateDeps = Readonly<{
  /** Whose commits these are; absent: there is one cell. */
  cell?: string;
  /** Where orders of a suspended merchant are looked up; others are decided in groups. */
  database: Pick<Database, 'transaction'>;
  groups: CommitQueue<PreparedTransfer, AcceptResult>;
  controls: ControlSnapshots;
  /** How the name that was given fits the account's; asked only where a rule asks. Null: not known. */
  matchName: (request: InitiateRequest) => Promise<NameMatch | null>;
  routes: Routes;
  /** Submits a stored transfer, in the slot reserved at its route's limiter. */
  dispatch: (transfer: Transfer, leaseStart: LeaseStart) => void;
  newId: () => string;
  now: () => Date;
  monotonicMs: () => number;
}>;

export type Initiated = Readonly<{ transfer: Transfer; replayed: boolean }>;

const RETRY_AFTER_SECONDS = 1;

export type InitiateRequest = Readonly<{
  book: Book;
  actor: string;
  origin: Origin;
  command: TransferCommand;
  /** How the name fits the account's, where that was checked before; null or absent: it was not. */
  nameMatch?: NameMatch | null;
  /** What was shown and approved with its file; absent: by the terms of the book. */
  feeMinor?: bigint;
}>;

/** Stores a transfer and holds its funds, or refuses. When this resolves the transfer is durable. */
export async function initiateTransfer(
  deps: InitiateDeps,
  request: InitiateRequest,
): Promise<Initiated> {
  if (request.book.isSuspended) {
    const [decision] = await decideSuspended(deps.database, [request]);
    if (decision === undefined) throw LOST;
    return toInitiated(decision);
  }
  for (let asked = request, times = 1; ; times += 1) {
    const found = findControlled(deps, asked);
    const controlled = found instanceof Promise ? await found : found;
    const prepared = prepare(deps, asked, controlled);
    try {
      return await finish(deps, prepared, deps.groups.submit(prepared));
    } catch (error) {
      if (error !== NAME_WANTED || times === NAME_ASKED_MAX) throw error;
      asked = await underCurrentControls(deps, request);
    }
  }
}

/** How often an order is taken anew because rules that ask for the name came into force meanwhile. */
const NAME_ASKED_MAX = 3;

/** A key in memory may know its book as it was a second ago. */
async function underCurrentControls(
  { controls }: InitiateDeps,
  request: InitiateRequest,
): Promise<InitiateRequest> {
  const current = await controls.findCurrent(request.book.id);
  return { ...request, book: { ...request.book, controlsVersion: current?.version ?? null } };
}

/**
 * The same for many, each decided alone, in order; the n-th result belongs to the n-th request. Either all of them wait
 * for a commit, or none when the queue cannot take all.
 */
export async function initiateTransfers(
  deps: InitiateDeps,
  requests: readonly InitiateRequest[],
): Promise<readonly PromiseSettledResult<Initiated>[]> {
  if (requests.some(({ book }) => book.isSuspended)) {
    return initiateSuspended(deps, requests);
  }
  const prepared = requests.every(({ book }) => book.controlsVersion === null)
    ? requests.map((request) => prepare(deps, request, WITHOUT_CONTROLS))
    : await prepareControlled(deps, requests);
  const decisions = submitAll(deps, prepared);
  const settled = await Promise.allSettled(
    prepared.map((one, index) => finish(deps, one, decisions[index] ?? Promise.reject(LOST))),
  );
  return settled.some(lacksName) ? orderAgain(deps, requests, settled) : settled;
}

type Settled = PromiseSettledResult<Initiated>;

/** A call of which nothing is stored is refused as a whole, as for a key without the scope. */
async function initiateSuspended(
  { database }: InitiateDeps,
  requests: readonly InitiateRequest[],
): Promise<readonly Settled[]> {
  const decisions = await decideSuspended(database, requests);
  const [first] = decisions;
  const isNew = (one: AcceptResult) => one.kind === 'refused' && one.refusal.code === 'FORBIDDEN';
  if (first?.kind === 'refused' && decisions.every(isNew)) throw first.refusal;
  return Promise.allSettled(decisions.map(async (decision) => toInitiated(decision)));
}

function toInitiated(decision: AcceptResult): Initiated {
  if (decision.kind === 'refused') throw decision.refusal;
  return { transfer: decision.transfer, replayed: decision.kind === 'replayed' };
}

function lacksName(result: Settled): boolean {
  return result.status === 'rejected' && result.reason === NAME_WANTED;
}

/** Orders that wanted the name are taken once more, each alone, in order. */
async function orderAgain(
  deps: InitiateDeps,
  requests: readonly InitiateRequest[],
  settled: readonly Settled[],
): Promise<readonly Settled[]> {
  const results = [...settled];
  for (const [index, request] of requests.entries()) {
    const result = results[index];
    if (result === undefined || !lacksName(result)) continue;
    const again = await underCurrentControls(deps, request);
    results[index] = (await Promise.allSettled([initiateTransfer(deps, again)]))[0];
  }
  return results;
}

/** How many names of a bulk call are looked up at once. */
const NAMES_AT_ONCE = 16;

async function prepareControlled(
  deps: InitiateDeps,
  requests: readonly InitiateRequest[],
): Promise<readonly PreparedTransfer[]> {
  const controlled: Controlled[] = [];
  for (let from = 0; from < requests.length; from += NAMES_AT_ONCE) {
    const some = requests.slice(from, from + NAMES_AT_ONCE);
    controlled.push(
      ...(await Promise.all(some.map(async (request) => findControlled(deps, request)))),
    );
  }
  // Prepared in one turn: a reserved slot must reach its group even if other requests are refused.
  return requests.map((request, index) =>
    prepare(deps, request, controlled[index] ?? WITHOUT_CONTROLS),
  );
}

/** What is in force for an order, and the name where a rule asks for it. */
type Controlled = Pick<PreparedTransfer, 'controls' | 'nameMatch'>;

const WITHOUT_CONTROLS: Controlled = { controls: null, nameMatch: null };

/** Synchronous where the controls are in memory and the order alone decides. */
function findControlled(
  deps: InitiateDeps,
  request: InitiateRequest,
): Controlled | Promise<Controlled> {
  if (request.book.controlsVersion === null) return WITHOUT_CONTROLS;
  const controls = deps.controls.find(request.book);
  if (controls instanceof Promise) return controls.then((found) => addName(deps, request, found));
  return addName(deps, request, controls);
}

function addName(
  deps: InitiateDeps,
  request: InitiateRequest,
  controls: Controls | null,
): Controlled | Promise<Controlled> {
  const withoutName = { controls, nameMatch: null };
  if (controls === null || controls.policy === null || controls.isSimple) return withoutName;
  const needs = needsOf(controls.policy, orderOf(request, deps.now()));
  if (!needs.some(({ kind }) => kind === 'nameMatch')) return withoutName;
  const { nameMatch: checked = null } = request;
  if (checked !== null) return { controls, nameMatch: checked };
  return deps.matchName(request).then((nameMatch) => ({ controls, nameMatch }));
}

const LOST = new Error('a group lost a decision');

function submitAll(
  deps: InitiateDeps,
  prepared: readonly PreparedTransfer[],
): readonly Promise<AcceptResult>[] {
  try {
    return deps.groups.submitMany(prepared);
  } catch (error) {
    for (const { slot } of prepared) slot?.giveBack();
    throw error instanceof CommitQueueFull ? refuseFull(error) : error;
  }
}

async function finish(
  deps: InitiateDeps,
  prepared: PreparedTransfer,
  decided: Promise<AcceptResult>,
): Promise<Initiated> {
  let dispatched = false;
  try {
    const decision = await decided;
    if (decision.kind === 'accepted' && decision.transfer.state === 'submitting') {
      dispatched = true;
      prepared.slot?.use();
      deps.dispatch(decision.transfer, prepared.leaseStart);
    }
    return toInitiated(decision);
  } catch (error) {
    throw error instanceof CommitQueueFull ? refuseFull(error) : error;
  } finally {
    if (!dispatched) prepared.slot?.giveBack();
  }
}

function refuseFull({ isOfOwner }: CommitQueueFull): Error {
  const retryAfterSeconds = RETRY_AFTER_SECONDS;
  if (!isOfOwner) return refuse('UNAVAILABLE', { retryAfterSeconds });
  return refuse('RATE_LIMITED', { message: TOO_MANY_WAIT, retryAfterSeconds });
}

const TOO_MANY_WAIT =
  'Too many payouts of this book wait to be stored. Wait as long as Retry-After says. Nothing was stored.';

function prepare(
  deps: InitiateDeps,
  { book, actor, origin, command, feeMinor }: InitiateRequest,
  { controls, nameMatch }: Controlled,
): PreparedTransfer {
  const { operator, country, amountMinor, phone, reference } = command;
  const { route, unroutable } = findRoute(
    deps.routes.list({ mode: book.mode, operator, country }),
    amountMinor,
  );
  const now = deps.now();
  const closedForMs = route?.closedForMs({ phone, createdAt: now }) ?? 0;
  const judged =
    controls === null ? null : judgePrepared({ command, actor, origin, controls }, now);
  const leavesNow = command.sendAt === null && closedForMs === 0 && mayLeave(judged);
  const slot = leavesNow ? route?.limiter.hold(book.id, deps.cell ?? FIRST_CELL) : undefined;
  return {
    id: deps.newId(),
    operatorReference: deriveOperatorReference({
      bookId: book.id,
      reference,
      submission: FIRST_SUBMISSION,
    }),
    book,
    actor,
    origin,
    command,
    feeMinor: feeMinor ?? feeOf(book.feeTerms, amountMinor),
    route: route?.name ?? '',
    routeAccount: route?.account ?? null,
    slot,
    closedForMs,
    leaseStart: startLease(deps),
    unroutable,
    controls,
    judged,
    nameMatch,
    sendAtProblem: findSendAtProblem(command.sendAt, now),
  };
}

/** What is known to wait for people, or to be refused, takes no slot. */
function mayLeave(judged: Judgement | null): boolean {
  return judged === null || (judged.refusal === null && judged.approvalsNeeded === null);
}

/** The route that a payout of this amount would take now, or why it has none. */
export function findRoute(
  routes: readonly Route[],
  amountMinor: bigint,
): Readonly<{ route: Route | undefined; unroutable: RefusalCode | null }> {
  const route = preferOpen(routes.filter((one) => fitsBounds(amountMinor, one.bounds())));
  if (route !== undefined) return { route, unroutable: null };
  const unroutable = routes.length === 0 ? 'OPERATOR_NOT_AVAILABLE' : 'AMOUNT_OUT_OF_BOUNDS';
  return { route, unroutable };
}
