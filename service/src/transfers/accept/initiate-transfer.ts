import type { Book } from '../../domain/book.ts';
import { feeOf } from '../../domain/fee.ts';
import { deriveOperatorReference, FIRST_SUBMISSION } from '../../domain/operator-reference.ts';
import { type RefusalCode, refuse } from '../../domain/refusal.ts';
import { findSendAtProblem } from '../../domain/send-at.ts';
import type { Transfer, TransferCommand } from '../../domain/transfer.ts';
import { fitsBounds, preferOpen } from '../../operators/routes/choose-route.ts';
import type { Route, Routes } from '../../operators/routes/route.ts';
import { type CommitQueue, CommitQueueFull } from '../../postgres/commit-queue.ts';
import { type LeaseStart, startLease } from '../move/lease.ts';
import type { AcceptResult } from './decide-in-order.ts';
import type { Origin, PreparedTransfer } from './prepared-transfer.ts';

export type InitiateDeps = Readonly<{
  groups: CommitQueue<PreparedTransfer, AcceptResult>;
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
}>;

/** Stores a transfer and holds its funds, or refuses. When this resolves the transfer is durable. */
export async function initiateTransfer(
  deps: InitiateDeps,
  request: InitiateRequest,
): Promise<Initiated> {
  refuseSuspended(request);
  const prepared = prepare(deps, request);
  return finish(deps, prepared, deps.groups.submit(prepared));
}

/**
 * The same for many, each decided alone, in order; the n-th result belongs to the n-th request. Either all of them wait
 * for a commit, or none when the queue cannot take all.
 */
export async function initiateTransfers(
  deps: InitiateDeps,
  requests: readonly InitiateRequest[],
): Promise<readonly PromiseSettledResult<Initiated>[]> {
  for (const request of requests) refuseSuspended(request);
  const prepared = requests.map((request) => prepare(deps, request));
  const decisions = submitAll(deps, prepared);
  return Promise.allSettled(
    prepared.map((one, index) => finish(deps, one, decisions[index] ?? Promise.reject(LOST))),
  );
}

/** As for a key without the scope: the whole call is refused. */
function refuseSuspended({ book }: InitiateRequest): void {
  if (book.isSuspended) throw refuse('FORBIDDEN', { message: SUSPENDED });
}

export const SUSPENDED =
  'This merchant is suspended and starts no payouts now. Nothing was stored. Reading and cancelling go on; ask the company that runs this service.';

const LOST = new Error('a group lost a decision');

function submitAll(
  deps: InitiateDeps,
  prepared: readonly PreparedTransfer[],
): readonly Promise<AcceptResult>[] {
  try {
    return deps.groups.submitMany(prepared);
  } catch (error) {
    for (const one of prepared) releaseSlot(deps, one);
    throw error instanceof CommitQueueFull ? refuseFull() : error;
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
    if (decision.kind === 'refused') throw decision.refusal;
    if (decision.kind === 'accepted' && prepared.reserved) {
      dispatched = true;
      deps.dispatch(decision.transfer, prepared.leaseStart);
    }
    return { transfer: decision.transfer, replayed: decision.kind === 'replayed' };
  } catch (error) {
    throw error instanceof CommitQueueFull ? refuseFull() : error;
  } finally {
    if (!dispatched) releaseSlot(deps, prepared);
  }
}

function releaseSlot({ routes }: InitiateDeps, { reserved, route, book }: PreparedTransfer): void {
  if (reserved) routes.named(route)?.limiter.release(book.id);
}

function refuseFull(): Error {
  return refuse('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function prepare(
  deps: InitiateDeps,
  { book, actor, origin, command }: InitiateRequest,
): PreparedTransfer {
  const { operator, country, amountMinor, phone, reference } = command;
  const { route, unroutable } = findRoute(
    deps.routes.list({ mode: book.mode, operator, country }),
    amountMinor,
  );
  const now = deps.now();
  const closedForMs = route?.closedForMs({ phone, createdAt: now }) ?? 0;
  const leavesNow = command.sendAt === null && closedForMs === 0;
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
    feeMinor: feeOf(book.feeTerms, amountMinor),
    route: route?.name ?? '',
    routeAccount: route?.account ?? null,
    reserved: leavesNow && route?.limiter.reserve(book.id) === true,
    closedForMs,
    leaseStart: startLease(deps),
    unroutable,
    sendAtProblem: findSendAtProblem(command.sendAt, now),
  };
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
