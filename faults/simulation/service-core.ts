/**
 * The only file of the simulation that imports the service. Real code: accepting transfers, cancelling, the
 * dispatcher, the scanner, the rules of outcomes and doubt, the limiters of the routes, and the decisions about
 * commands. The SQL statements are modelled (database-model.ts); a commit group is always a single command here.
 */
import { endWaiting, leaveWaiting } from '../../service/src/approvals/transfers/leave-waiting.ts';
import { FIRST_CELL } from '../../service/src/cells/cell.ts';
import { createDispatcher, type DispatcherDeps } from '../../service/src/dispatcher/dispatcher.ts';
import { createScanner } from '../../service/src/dispatcher/scanner.ts';
import { createScheduleScanner } from '../../service/src/dispatcher/schedule-scanner.ts';
import type { Book } from '../../service/src/domain/book.ts';
import type { Transfer } from '../../service/src/domain/transfer.ts';
import type { Connector } from '../../service/src/operators/contract/connector.ts';
import { createLiveLimiter } from '../../service/src/operators/limits/route-limiter.ts';
import type { Route, Routes } from '../../service/src/operators/routes/route.ts';
import type { CommitQueue } from '../../service/src/postgres/commit-queue.ts';
import type { Database } from '../../service/src/postgres/database.ts';
import type { Logger } from '../../service/src/telemetry/logger.ts';
import type { AcceptResult } from '../../service/src/transfers/accept/decide-in-order.ts';
import {
  type Initiated,
  type InitiateRequest,
  initiateTransfer,
} from '../../service/src/transfers/accept/initiate-transfer.ts';
import type { PreparedTransfer } from '../../service/src/transfers/accept/prepared-transfer.ts';
import type { TakenCallback } from '../../service/src/transfers/callbacks/take-as-answer.ts';
import { cancelTransfer } from '../../service/src/transfers/move/cancel-transfer.ts';
import { LEASE_MS, startLease } from '../../service/src/transfers/move/lease.ts';
import type { Move } from '../../service/src/transfers/move/move-transfers.ts';
import { type TransferRow, toTransfer } from '../../service/src/transfers/read/transfer-row.ts';
import type { Callback } from './taken-callbacks.ts';

export type { Book } from '../../service/src/domain/book.ts';
export {
  ANSWERS_LAPSE_MIN_MS,
  ANSWERS_LAPSE_WAITS,
  NOT_FOUND_AGE_MIN_MS,
  NOT_FOUND_ANSWERS_MIN,
  RECALLED_INQUIRY_MS,
  RESUBMISSIONS_MAX,
  THROTTLED_RESUBMISSIONS_MAX,
} from '../../service/src/domain/doubt-schedule.ts';
export type { Operator } from '../../service/src/domain/operator.ts';
export {
  type Outcome,
  REPORTED_FIELDS,
  type ReportedField,
} from '../../service/src/domain/outcome.ts';
export { Refusal } from '../../service/src/domain/refusal.ts';
export {
  NO_ROUTE,
  type Transfer,
  type TransferCommand,
} from '../../service/src/domain/transfer.ts';
export {
  assertMove,
  mayMove,
  type TransferState,
} from '../../service/src/domain/transfer-state.ts';
export type {
  Connector,
  ConnectorReply,
  Payout,
} from '../../service/src/operators/contract/connector.ts';
export type { Row, Statement } from '../../service/src/postgres/database.ts';
export {
  type AcceptResult,
  decideInOrder,
  inBook,
} from '../../service/src/transfers/accept/decide-in-order.ts';
export type { Initiated } from '../../service/src/transfers/accept/initiate-transfer.ts';
export {
  type AcceptedTransfer,
  acceptTransfer,
  FROM_KEY,
  type PreparedTransfer,
} from '../../service/src/transfers/accept/prepared-transfer.ts';
export type { SendingRoute } from '../../service/src/transfers/move/claim-submissions.ts';
export type { Move } from '../../service/src/transfers/move/move-transfers.ts';
export type { TransferRow } from '../../service/src/transfers/read/transfer-row.ts';

export type Abilities = Connector['abilities'];
export type Observed = Parameters<DispatcherDeps['observe']>[0];

/** A simulated route to an operator. */
type WayOut = Readonly<{
  name: string;
  operator: Transfer['operator'];
  connector: Connector;
  concurrency: number;
  closedForMs: () => number;
}>;

export type CoreDeps = Readonly<{
  leaseOwner: string;
  query: Database['query'];
  commitMove: (move: Move) => Promise<boolean>;
  commitTransfer: (prepared: PreparedTransfer) => Promise<AcceptResult>;
  /** Takes the lease for a callback; undefined: it does not take the place of an inquiry any more. */
  commitTake: (callback: Callback, leaseMs: number) => Promise<TransferRow | undefined>;
  ways: readonly WayOut[];
  /** Whether anything of a route is due, so that the scanner skips routes without due work. */
  isDueOn: (route: string) => boolean;
  now: () => Date;
  monotonicMs: () => number;
  wait: (ms: number) => Promise<void>;
  /** From 0 (inclusive) to 1 (exclusive). */
  random: () => number;
  newId: () => string;
  observe: (observed: Observed) => void;
  /** For planted bugs: resubmits a transfer that was taken over and may have been sent. */
  resubmitsWhatItTakesOver: boolean;
  /** For planted bugs: counts a lease from the arrival of the answer. */
  countsLeaseLate: boolean;
}>;

/** One process of the service, without its sockets. */
export type ServiceCore = Readonly<{
  initiate(request: InitiateRequest): Promise<Initiated>;
  cancel(request: Readonly<{ book: Book; id: string; actor: string }>): Promise<Transfer>;
  /** Moves a transfer that waits for people, unless it was decided meanwhile. */
  decide(
    decision: Readonly<{ transfer: Transfer; isDue: boolean; isApproved: boolean }>,
  ): Promise<boolean>;
  /** Takes a callback as the answer to an inquiry, and records it. */
  takeCallback(callback: Callback): Promise<void>;
  startScanner(): void;
  startSchedule(): void;
}>;

export function createServiceCore(deps: CoreDeps): ServiceCore {
  const { leaseOwner, now, monotonicMs, wait, newId, observe } = deps;
  const database = createDatabase(deps.query);
  const moves = createCommit(deps.commitMove);
  const routes = createRoutes(deps);
  const logger = SILENT;
  const honest = createDispatcher({
    database,
    moves,
    now,
    newId,
    routes,
    logger,
    monotonicMs,
    wait,
    random: deps.random,
    observe,
  });
  const clocks = { monotonicMs, now };
  const dispatcher = deps.countsLeaseLate ? countLate(honest, clocks) : honest;
  const scanner = createScanner({
    database,
    moves,
    dispatcher: deps.resubmitsWhatItTakesOver
      ? takeOverBlindly({ routes, clocks }, dispatcher)
      : dispatcher,
    routes,
    leaseOwner,
    logger,
    ...clocks,
  });
  const schedule = createScheduleScanner({ database, moves, routes, leaseOwner, logger });
  const initiateDeps = {
    database,
    groups: createCommit(deps.commitTransfer),
    controls: { find: () => null, findCurrent: () => Promise.resolve(null) },
    matchName: () => Promise.resolve(null),
    routes,
    dispatch: dispatcher.submit,
    newId,
    now,
    monotonicMs,
  };
  return {
    initiate: (request) => initiateTransfer(initiateDeps, request),
    cancel: (request) => cancelTransfer({ database, moves }, request),
    decide: ({ transfer, isDue, isApproved }) =>
      moves.submit(
        isApproved
          ? leaveWaiting(routes, { transfer, isDue }, { actor: PERSON, isApproved })
          : endWaiting(transfer, { as: 'APPROVAL_REJECTED', actor: PERSON }),
      ),
    async takeCallback(callback) {
      const row = await deps.commitTake(callback, LEASE_MS);
      if (row === undefined) return;
      const { id, body } = callback;
      const transfer = toTransfer(row, 'live');
      const taken: TakenCallback = { id, method: 'POST', body, transfer, leaseOwner };
      await honest.answer(taken);
    },
    startScanner: () => scanner.start(),
    startSchedule: () => schedule.start(),
  };
}

const PERSON = 'person:approver';

function createRoutes(deps: CoreDeps): Routes {
  const routes = deps.ways.map((way) => ({ way, route: createRoute(deps, way) }));
  const serving = (operator: string) =>
    routes.filter(({ way }) => way.operator === operator).map(({ route }) => route);
  return {
    list: ({ operator }) => serving(operator),
    beside: (route) => {
      const own = routes.find((one) => one.route === route);
      return own === undefined ? [] : serving(own.way.operator).filter((one) => one !== route);
    },
    named: (name) => routes.find(({ way }) => way.name === name)?.route,
    all: () => routes.map(({ route }) => route).filter(({ name }) => deps.isDueOn(name)),
    callbackTokenOf: () => null,
  };
}

const PER_SECOND_MAX = 50;
const BOUNDS = { minMinor: 1n, maxMinor: 1_000_000_000n, decimals: 2 } as const;

function createRoute({ monotonicMs, wait, random }: CoreDeps, way: WayOut): Route {
  const operatorLimits = {
    concurrency: way.concurrency,
    submitsPerSecond: PER_SECOND_MAX,
    inquiriesPerSecond: PER_SECOND_MAX,
    namesPerSecond: PER_SECOND_MAX,
  };
  const isClosed = () => way.closedForMs() > 0;
  return {
    name: way.name,
    // Each route has its own account with its operator.
    family: way.name,
    account: way.name,
    connector: way.connector,
    limiter: createLiveLimiter({
      operatorLimits: () => operatorLimits,
      isClosed,
      isHeld: () => false,
      monotonicMs,
      wait,
      random,
      timeScale: 1,
      inquires: way.connector.abilities.inquires,
    }),
    timeScale: 1,
    float: null,
    bounds: () => BOUNDS,
    health: () => 'up',
    closedForMs: way.closedForMs,
  };
}

type Actions = Parameters<typeof createScanner>[0]['dispatcher'];

type Clocks = Parameters<typeof startLease>[0];

function countLate(dispatcher: Actions, clocks: Clocks): Actions {
  return { ...dispatcher, submit: (transfer) => dispatcher.submit(transfer, startLease(clocks)) };
}

function takeOverBlindly(
  { routes, clocks }: Readonly<{ routes: Routes; clocks: Clocks }>,
  dispatcher: Actions,
): Actions {
  const submitAgain = (transfer: Transfer) => {
    // The dispatcher releases a slot afterwards, so one must be taken.
    routes.named(transfer.route)?.limiter.holdClaimed(transfer.bookId, FIRST_CELL).use();
    dispatcher.submit(transfer, startLease(clocks));
  };
  return {
    ...dispatcher,
    inquire: (transfer) =>
      transfer.state === 'submitting' ? submitAgain(transfer) : dispatcher.inquire(transfer),
    flagForReview: submitAgain,
  };
}

function createDatabase(query: Database['query']): Database {
  return {
    query,
    transaction: () => Promise.reject(new Error('the simulation has no transactions')),
    longTransaction: () => Promise.reject(new Error('the simulation has no transactions')),
    waiting: () => 0,
    isReady: () => Promise.resolve(true),
    close: () => Promise.resolve(),
  };
}

function createCommit<Command, Result>(
  submit: (command: Command) => Promise<Result>,
): CommitQueue<Command, Result> {
  return {
    submit,
    submitMany: (commands) => commands.map(submit),
    waiting: () => 0,
    idle: () => Promise.resolve(),
  };
}

const SILENT: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  writesDebug: false,
  flush: () => undefined,
};
