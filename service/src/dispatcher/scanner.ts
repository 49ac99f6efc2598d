import { requestApprovalCheck } from '../approvals/transfers/flag-impossible.ts';
import { type BackgroundLoop, createBackgroundLoop } from '../background/background-loop.ts';
import { FIRST_CELL } from '../cells/cell.ts';
import { actorCode } from '../domain/actor.ts';
import { causeOf } from '../domain/cause.ts';
import type { HeldBackReason } from '../domain/held-back.ts';
import type { NextStep } from '../domain/standing.ts';
import type { Transfer } from '../domain/transfer.ts';
import type { HeldSlot } from '../operators/limits/slots.ts';
import { fitsBounds } from '../operators/routes/choose-route.ts';
import type { Route, Routes } from '../operators/routes/route.ts';
import type { CommitQueue } from '../postgres/commit-queue.ts';
import type { Database } from '../postgres/database.ts';
import { failpoint } from '../telemetry/failpoint.ts';
import type { Logger } from '../telemetry/logger.ts';
import { findRoute } from '../transfers/accept/initiate-transfer.ts';
import { claimInquiries } from '../transfers/move/claim-due.ts';
import { claimSubmissions } from '../transfers/move/claim-submissions.ts';
import type { ClaimOfRoute } from '../transfers/move/claim-walk.ts';
import { findHeldBack, type HeldBack } from '../transfers/move/held-back.ts';
import { LEASE_MS, startLease } from '../transfers/move/lease.ts';
import type { Move } from '../transfers/move/move-transfers.ts';
import { BookRotation } from './book-rotation.ts';
import type { Dispatcher } from './dispatcher.ts';
import { waitForPerson } from './wait-for-person.ts';

/** How often due transfers are searched for by a scanner that is not woken. */
const SCAN_INTERVAL_MS = 200;
/**
 * After a round that found nothing due, so many times as long as it took: looking through the books of a large backlog
 * that waits for its operator costs at most a twentieth of a core.
 */
const REST_FACTOR = 20;
const REST_MAX_MS = 1_000;
/** The most that one claim takes; small, so that other books and other processes get their turn. */
const CLAIM_MAX = 1_000;
/** A transfer whose amount no route takes waits this long before the next try. */
const UNFIT_WAIT_MS = 1_000;

/** What a transfer of a route waits for. */
type Due = 'submission' | 'inquiry';

export type ScannerDeps = Readonly<{
  /** Whose transfers these are; absent: there is one cell. */
  cell?: string;
  database: Database;
  moves: CommitQueue<Move, boolean>;
  dispatcher: Pick<Dispatcher, 'submit' | 'inquire' | 'flagForReview'>;
  routes: Routes;
  leaseOwner: string;
  logger: Logger;
  monotonicMs: () => number;
  now: () => Date;
  /** The wait between two searches. */
  intervalMs?: number;
}>;

/**
 * Finds transfers that are due: queued ones, ones due for an inquiry, and ones whose process died. It claims no more
 * than their route takes now, so an operator that takes nothing costs nothing. A transfer taken over in `submitting`
 * may have been sent: it is inquired about, and never submitted.
 */
export function createScanner(deps: ScannerDeps): BackgroundLoop {
  const { intervalMs = SCAN_INTERVAL_MS } = deps;
  const rounds = new Map<string, BookRotation>();

  /** False when the round is complete, or nothing more can be claimed now. */
  async function claimOnce(
    route: Route,
    due: Due,
    { round, signal }: Readonly<{ round: BookRotation; signal: AbortSignal }>,
  ): Promise<boolean> {
    const way = due === 'submission' ? wayOut(deps, route) : route;
    const max = Math.min(CLAIM_MAX, capacityFor(due, way));
    if (way === undefined || max === 0 || signal.aborted) return false;
    const afterBook = round.position;
    const claim = { route: route.name, leaseOwner: deps.leaseOwner, afterBook, max };
    const { count, nextBook, allFit } = await CLAIMS[due](deps, way, claim);
    claimed += count;
    const isComplete = round.advance(nextBook, count > 0);
    // What does not fit uses no capacity, so many of them would prolong this round while other routes wait.
    return allFit && !isComplete;
  }

  let restsUntilMs = 0;
  let claimed = 0;

  async function claimAll(route: Route, due: Due, signal: AbortSignal): Promise<void> {
    const key = `${due} ${route.name}`;
    const round = rounds.get(key) ?? new BookRotation();
    rounds.set(key, round);
    round.begin();
    while (await claimOnce(route, due, { round, signal }));
  }

  return createBackgroundLoop({
    async round(signal) {
      const beganAtMs = deps.monotonicMs();
      if (beganAtMs < restsUntilMs) return Math.min(intervalMs, restsUntilMs - beganAtMs);
      claimed = 0;
      for (const route of deps.routes.all()) {
        await claimAll(route, 'inquiry', signal);
        await claimAll(route, 'submission', signal);
      }
      const endedAtMs = deps.monotonicMs();
      const restMs = claimed > 0 ? 0 : REST_FACTOR * (endedAtMs - beganAtMs);
      restsUntilMs = endedAtMs + Math.min(REST_MAX_MS, restMs);
      return intervalMs;
    },
    what: 'scanning for due transfers',
    logger: deps.logger,
    retryInMs: SCAN_INTERVAL_MS,
    firstInMs: SCAN_INTERVAL_MS,
  });
}

/** The route that takes a route's queued transfers now: itself, or another one while it is shut. */
function wayOut({ routes }: ScannerDeps, route: Route): Route | undefined {
  if (!route.limiter.isShut() || route.limiter.submitsFree() > 0) return route;
  return routes.beside(route).find(({ limiter }) => limiter.submitsFree() > 0);
}

function capacityFor(due: Due, way: Route | undefined): number {
  if (way === undefined) return 0;
  if (due === 'inquiry') return way.limiter.inquiriesFree();
  // Half of the free slots: the other half stays for transfers that are just arriving.
  return Math.ceil(way.limiter.submitsFree() / 2);
}

/** What was claimed has been handled: sent on its way, asked about, or left for later. */
type Handled = Readonly<{ count: number; nextBook: string; allFit: boolean }>;

type ClaimAndHandle = (deps: ScannerDeps, way: Route, claim: ClaimOfRoute) => Promise<Handled>;

const CLAIMS: Readonly<Record<Due, ClaimAndHandle>> = { submission: sendDue, inquiry: askDue };

async function askDue(
  { database, dispatcher }: ScannerDeps,
  route: Route,
  claim: ClaimOfRoute,
): Promise<Handled> {
  const { transfers, nextBook } = await claimInquiries(database, claim);
  if (transfers.length > 0) failpoint('claimed');
  for (const transfer of transfers) {
    if (route.connector.abilities.inquires) dispatcher.inquire(transfer);
    else dispatcher.flagForReview(transfer);
  }
  return { count: transfers.length, nextBook, allFit: true };
}

async function sendDue(deps: ScannerDeps, way: Route, claim: ClaimOfRoute): Promise<Handled> {
  const leaseStart = startLease(deps);
  // The account that the statement stores; a reload may change it before the transfer is sent.
  const by = { name: way.name, account: way.account, bounds: way.bounds() };
  const taken = await claimSubmissions(deps.database, { ...claim, by, at: deps.now() });
  const { leaving, staying, nextBook } = taken;
  const count = leaving.length + staying.length;
  if (count > 0) failpoint('claimed');
  for (const transfer of leaving) {
    holdSlot(deps, transfer, way).use();
    deps.dispatcher.submit(transfer, leaseStart);
  }
  const heldBack = await findHeldBack(deps.database, staying);
  await Promise.all(
    staying.map(({ transfer }) => {
      const held = heldBack.get(transfer.id);
      return held === undefined ? sendOut(deps, transfer, way) : holdBack(deps, transfer, held);
    }),
  );
  const allFit = staying.every(({ transfer }) => fits(transfer, way));
  return { count, nextBook, allFit };
}

function holdSlot({ cell }: ScannerDeps, { bookId }: Transfer, { limiter }: Route): HeldSlot {
  return limiter.holdClaimed(bookId, cell ?? FIRST_CELL);
}

const HELD_BACK_NOTES: Readonly<Record<HeldBackReason, string>> = {
  RECIPIENT_DENIED: 'a queued transfer waits for a person: its number is denied',
  EARLIER_MAY_BE_PAID:
    'a queued transfer waits for a person: the operator may have paid what it pays again',
  SEND_TIME_MISSED: 'a queued transfer is later than its policy allows and waits for a person',
};

/** A transfer that may pay twice, because of what changed while it was queued, waits for a person. */
async function holdBack(deps: ScannerDeps, transfer: Transfer, heldBack: HeldBack): Promise<void> {
  const { id: transferId, bookId } = transfer;
  try {
    const moved = await deps.moves.submit(waitForPerson(transfer, { ...heldBack, actor: ACTOR }));
    if (!moved) return;
    await requestApprovalCheck(deps.database, bookId);
    deps.logger.warn({ transferId }, HELD_BACK_NOTES[heldBack.why]);
  } catch (error) {
    deps.logger.warn(
      { transferId, err: error },
      'holding a queued transfer back failed, retried when its lease ends',
    );
  }
}

function fits({ amountMinor }: Transfer, route: Route): boolean {
  return fitsBounds(amountMinor, route.bounds());
}

/**
 * Of what is still in the queue, because it may pay something again and does not, or because its amount does not fit.
 * Never rejects: after an error the lease ends, and the transfer is found again.
 */
async function sendOut(deps: ScannerDeps, transfer: Transfer, way: Route): Promise<void> {
  if (!fits(transfer, way)) {
    await moveClaimed(deps, stayQueued(transfer, { way, other: findOther(deps, transfer) }));
    return;
  }
  const slot = holdSlot(deps, transfer, way);
  const leaseStart = startLease(deps);
  // The account that the move stores, as above.
  const { account } = way;
  const onItsWay = await moveClaimed(deps, leaveQueue(deps, transfer, way));
  if (!onItsWay) return slot.giveBack();
  slot.use();
  const eventSeq = transfer.eventSeq + 1;
  const sentBy = { route: way.name, routeAccount: account };
  const leaving: Transfer = { ...transfer, state: 'submitting', ...sentBy, eventSeq };
  deps.dispatcher.submit(leaving, leaseStart);
}

/** The move is not made when the merchant cancelled the transfer in the meantime. */
function leaveQueue({ leaseOwner }: ScannerDeps, transfer: Transfer, way: Route): Move {
  const step = {
    ...KEEP,
    to: 'submitting',
    cause: causeOf('ROUTE_HAS_ROOM'),
    nextActionInMs: LEASE_MS,
  } as const;
  return {
    transfer,
    step: { ...step, checks: transfer.checks },
    actor: ACTOR,
    needsLease: true,
    leaseFor: leaseOwner,
    // Always stored: later inquiries must go by the route that it is sent by.
    route: way.name,
    ...(way.account === null ? {} : { routeAccount: way.account }),
  };
}

/**
 * The route in whose queue a transfer waits from now on, because the one by which it could leave does not take its
 * amount. Undefined: it stays with its own. A held route may have paid its transfers before a restore, so they wait for
 * it. A transfer that it never had must not wait for the person who holds it.
 */
function findOther({ routes }: ScannerDeps, transfer: Transfer): Route | undefined {
  const own = routes.named(transfer.route);
  if (own?.limiter.isHeld() === true) return undefined;
  const notHeld = routes.list(transfer).filter(({ limiter }) => !limiter.isHeld());
  const { route } = findRoute(notHeld, transfer.amountMinor);
  return route === own ? undefined : route;
}

function stayQueued(
  transfer: Transfer,
  { way, other }: Readonly<{ way: Route; other: Route | undefined }>,
): Move {
  const nextActionInMs = other === undefined ? UNFIT_WAIT_MS * way.timeScale : 0;
  const step = { ...KEEP, to: 'queued', nextActionInMs } as const;
  const move = { transfer, step, actor: ACTOR, needsLease: true, leaseFor: null };
  return other === undefined ? move : { ...move, route: other.name };
}

/** Never rejects. False: the move was not possible any more, or the database failed. */
async function moveClaimed(deps: ScannerDeps, move: Move): Promise<boolean> {
  try {
    return await deps.moves.submit(move);
  } catch (error) {
    deps.logger.warn(
      { transferId: move.transfer.id, err: error },
      'moving a claimed transfer failed, retried when its lease ends',
    );
    return false;
  }
}

const ACTOR = actorCode({ kind: 'system', part: 'dispatcher' });

const KEEP: Omit<NextStep, 'to' | 'nextActionInMs'> = {
  cause: causeOf('NO_ROUTE_FOR_AMOUNT'),
  failure: null,
  operatorTransactionId: null,
  checks: 0,
  notFoundAnswers: 0,
  needsPerson: false,
};
