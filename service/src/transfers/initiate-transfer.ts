import type { Book } from '../domain/book.ts';
import { feeOf } from '../domain/fee.ts';
import { type RefusalCode, refuse } from '../domain/refusal.ts';
import type { Transfer, TransferCommand } from '../domain/transfer.ts';
import type { Route, Routes } from '../operators/connector.ts';
import { type GroupCommit, GroupCommitFull } from '../postgres/group-commit.ts';
import type { Decision } from './decide-in-order.ts';
import type { PreparedTransfer } from './prepared-transfer.ts';

/** The dispatcher as seen from here: places for transfers that go out at once. */
export interface Admission {
  /** Takes a place for one transfer of the book. False: none is free, so the transfer must queue. */
  reserve(bookId: string): boolean;
  /** Gives a reserved place back unused. */
  release(bookId: string): void;
  /** Sends a stored transfer out, in its reserved place. */
  dispatch(transfer: Transfer): void;
}

export type InitiateDeps = Readonly<{
  groups: GroupCommit<PreparedTransfer, Decision>;
  routes: Routes;
  admission: Admission;
  newId: () => string;
  newOperatorReference: () => string;
  now: () => Date;
}>;

export type Initiated = Readonly<{ transfer: Transfer; replayed: boolean }>;

const RETRY_AFTER_SECONDS = 1;

/** Stores a transfer and holds its funds, or refuses. When this resolves the transfer is durable. */
export async function initiateTransfer(
  deps: InitiateDeps,
  request: Readonly<{ book: Book; actor: string; command: TransferCommand }>,
): Promise<Initiated> {
  const prepared = prepare(deps, request);
  let dispatched = false;
  try {
    const decision = await deps.groups.submit(prepared);
    if (decision.kind === 'refused') throw decision.refusal;
    if (decision.kind === 'accepted' && prepared.reserved) {
      dispatched = true;
      deps.admission.dispatch(decision.transfer);
    }
    return { transfer: decision.transfer, replayed: decision.kind === 'replayed' };
  } catch (error) {
    if (!(error instanceof GroupCommitFull)) throw error;
    throw refuse('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  } finally {
    if (prepared.reserved && !dispatched) deps.admission.release(request.book.id);
  }
}

function prepare(
  deps: InitiateDeps,
  { book, actor, command }: Readonly<{ book: Book; actor: string; command: TransferCommand }>,
): PreparedTransfer {
  const { operator, country, amountMinor, phone } = command;
  const route = deps.routes.find({ mode: book.mode, operator, country });
  const unroutable = whyUnroutable(route, amountMinor);
  const closedForMs = route?.closedForMs({ phone, createdAt: deps.now() }) ?? 0;
  const mayGo = unroutable === null && closedForMs === 0;
  return {
    id: deps.newId(),
    operatorReference: deps.newOperatorReference(),
    book,
    actor,
    command,
    feeMinor: feeOf(book.feeTerms, amountMinor),
    reserved: mayGo && deps.admission.reserve(book.id),
    closedForMs,
    unroutable,
  };
}

function whyUnroutable(route: Route | undefined, amountMinor: bigint): RefusalCode | null {
  if (route === undefined) return 'OPERATOR_NOT_AVAILABLE';
  const { minMinor, maxMinor, decimals } = route.bounds;
  const wholeUnits = decimals === 0 && amountMinor % 100n !== 0n;
  return amountMinor < minMinor || amountMinor > maxMinor || wholeUnits
    ? 'AMOUNT_OUT_OF_BOUNDS'
    : null;
}
