import type { Outcome } from '../domain/outcome.ts';
import type { Transfer } from '../domain/transfer.ts';
import type { ConnectorReply } from '../operators/contract/connector.ts';
import { fitsBounds, routeAfter } from '../operators/routes/choose-route.ts';
import type { Route, Routes } from '../operators/routes/route.ts';
import { failpoint } from '../telemetry/failpoint.ts';
import type { Logger } from '../telemetry/logger.ts';
import { giveBack, type TakenCallback } from '../transfers/callbacks/take-as-answer.ts';
import { isInSendWindow, type LeaseStart, startLease } from '../transfers/move/lease.ts';
import {
  type AnswerToRecord,
  type Recorded,
  type RecordOutcomeDeps,
  recordOutcome,
  recordWithoutInquiry,
} from '../transfers/move/record-outcome.ts';
import { readTaken } from './read-taken.ts';
import { toPayout } from './to-payout.ts';

/** How often recording an answer is tried while the database fails, and with what delays. */
const RECORD_TRIES_MAX = 12;
const RECORD_RETRY_FIRST_MS = 200;
const RECORD_RETRY_MAX_MS = 10_000;
/** Spreads retries of unsent transfers over time, so that they do not all come at one moment. */
const RETRY_JITTER = 0.25;

export type DispatcherDeps = RecordOutcomeDeps &
  Readonly<{
    routes: Routes;
    logger: Logger;
    monotonicMs: () => number;
    wait: (ms: number) => Promise<void>;
    random: () => number;
    observe: (
      answer: Readonly<{ transfer: Transfer; outcome: Outcome; recorded: Recorded }>,
    ) => void;
  }>;

export type Dispatcher = Readonly<{
  /**
   * Submits a transfer that is stored as submitting, in the slot taken at its route's limiter. The lease counts from
   * before it was stored, because the process may have been paused since.
   */
  submit(transfer: Transfer, leaseStart: LeaseStart): void;
  /**
   * Inquires about a transfer whose lease was taken over. When the answers show that the operator never received the
   * order, and it recognises its own orders, the same order is resubmitted.
   */
  inquire(transfer: Transfer): void;
  /**
   * Inquires about a transfer whose lease was taken for it, because a person asked, and returns the reply once it is
   * recorded. It never submits.
   */
  askOnce(transfer: Transfer): Promise<ConnectorReply>;
  /**
   * Records a callback that was taken as the answer to an inquiry. If it does not end the transfer, the lease is given
   * back, and the scanner inquires. Never rejects.
   */
  answer(taken: TakenCallback): Promise<void>;
  /** Records that no inquiry is possible about a transfer taken over in `submitting`. */
  flagForReview(transfer: Transfer): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
  /** Resolves when no submission is under way whose outcome no inquiry could find out. */
  unaskableIdle(): Promise<void>;
}>;

/**
 * Sends transfers to their operators and records what the answers mean. It holds no transaction open while it waits,
 * and it never throws: every error becomes an outcome.
 */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const underWay = new Set<Promise<void>>();
  const unaskable = new Set<Promise<void>>();

  function run(transfer: Transfer, work: (route: Route) => Promise<void>): Promise<void> {
    const running = onRoute(deps.routes, transfer, work)
      .catch((error: unknown) => {
        // The lease ends by itself, and then the scanner inquires about the transfer.
        deps.logger.error(
          { transferId: transfer.id, err: error },
          'handling a transfer failed, the scanner retries when its lease ends',
        );
      })
      .finally(() => void underWay.delete(running));
    underWay.add(running);
    return running;
  }

  return {
    submit(transfer, leaseStart) {
      const mayStillSend = () => isInSendWindow(deps, leaseStart);
      const running = run(transfer, async (route) => {
        let heard: Heard | undefined;
        try {
          heard = await submit(deps, { transfer, route, purpose: 'submit', mayStillSend });
        } finally {
          // Before the answer is recorded: the slots are shared by all cells, and this cell's server may be away.
          route.limiter.release(transfer.bookId);
        }
        if (heard !== undefined) await persist(deps, heard);
      });
      if (deps.routes.named(transfer.route)?.connector.abilities.inquires !== false) return;
      unaskable.add(running);
      void running.finally(() => void unaskable.delete(running));
    },
    inquire(transfer) {
      void run(transfer, async (route) => {
        let heard: Heard | undefined;
        let hasSlot = false;
        const takeSlot = () => {
          hasSlot ||= route.limiter.reserve(transfer.bookId);
          return hasSlot;
        };
        try {
          const again = await inquire(deps, { transfer, route, takeSlot });
          if (again !== undefined)
            heard = await submit(deps, { ...again, route, purpose: 'resubmit' });
        } finally {
          if (hasSlot) route.limiter.release(transfer.bookId);
        }
        if (heard !== undefined) await persist(deps, heard);
      });
    },
    async askOnce(transfer) {
      const asking = onRoute(deps.routes, transfer, (route) => askOnce(deps, { transfer, route }));
      const running = asking.then(ignore, ignore).finally(() => void underWay.delete(running));
      underWay.add(running);
      return asking;
    },
    answer: (taken) => run(taken.transfer, (route) => answer(deps, { taken, route })),
    flagForReview(transfer) {
      void run(transfer, async (route) => {
        const recorded = await insist(deps, () => recordWithoutInquiry(deps, { transfer, route }));
        deps.observe({ transfer, outcome: INQUIRY_IMPOSSIBLE, recorded });
      });
    },
    async idle() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
    async unaskableIdle() {
      while (unaskable.size > 0) await Promise.allSettled(unaskable);
    },
  };
}

const INQUIRY_IMPOSSIBLE: Outcome = { kind: 'unknown', cause: 'no inquiry is possible' };

const ignore = () => undefined;

async function onRoute<Result>(
  routes: Routes,
  transfer: Transfer,
  work: (route: Route) => Promise<Result>,
): Promise<Result> {
  const route = routes.named(transfer.route);
  if (route === undefined) throw new Error(`there is no route named ${transfer.route}`);
  return work(route);
}

type Sending = Readonly<{ transfer: Transfer; mayStillSend: () => boolean }>;

/** Returns the transfer when it is to be resubmitted. */
async function inquire(
  deps: DispatcherDeps,
  asked: Readonly<{ transfer: Transfer; route: Route; takeSlot: () => boolean }>,
): Promise<Sending | undefined> {
  const { route } = asked;
  const heard = { ...asked, ...(await askInTurn(asked)), purpose: 'inquire' } as const;
  const { recorded, leaseStart } = await persist(deps, heard);
  if (recorded.kind !== 'resubmits') return undefined;
  const mayStillSend = () => isInSendWindow(deps, leaseStart) && !route.limiter.isHeld();
  return { transfer: recorded.transfer, mayStillSend };
}

/** Without `takeSlot` no answer leads to a resubmission. */
async function askOnce(
  deps: DispatcherDeps,
  { transfer, route }: Readonly<{ transfer: Transfer; route: Route }>,
): Promise<ConnectorReply> {
  const asked = await askInTurn({ transfer, route });
  await persist(deps, { transfer, route, ...asked, purpose: 'inquire' });
  return asked.reply;
}

/** A callback is kept under its own id, so once, whichever process records it. */
async function answer(
  deps: DispatcherDeps,
  { taken, route }: Readonly<{ taken: TakenCallback; route: Route }>,
): Promise<void> {
  const { transfer, id: attemptId } = taken;
  const { account } = route;
  const reply = readTaken(route, taken);
  if (reply === undefined) return giveBack(deps.database, taken);
  await persist(deps, { transfer, route, account, purpose: 'callback', reply, attemptId });
}

/** As with the slot of a submission, the place of an inquiry is free once the operator has answered. */
async function askInTurn({
  transfer,
  route,
}: Readonly<{ transfer: Transfer; route: Route }>): Promise<Pick<Heard, 'account' | 'reply'>> {
  route.limiter.takeInquiry();
  try {
    const pausedMs = await route.limiter.inquiryTurn();
    const { account } = route;
    return { account, reply: pausedMs > 0 ? notAsked(pausedMs) : await ask(route, transfer) };
  } finally {
    route.limiter.releaseInquiry();
  }
}

async function ask(route: Route, transfer: Transfer): Promise<ConnectorReply> {
  const { checks } = transfer;
  const reply = await route.connector.inquire(toPayout(transfer), { checks });
  route.limiter.observeInquiry(reply.outcome);
  return reply;
}

const PAUSED = 'the operator asked to be called later';

function notAsked(retryInMs: number): ConnectorReply {
  return { outcome: { kind: 'unanswered', cause: PAUSED, retryInMs }, wire: null };
}

/** Returns what is to be recorded; undefined: it must not be sent any more. */
async function submit(
  deps: DispatcherDeps,
  sent: Sending & Readonly<{ route: Route; purpose: 'submit' | 'resubmit' }>,
): Promise<Heard | undefined> {
  const { transfer, route, purpose, mayStillSend } = sent;
  const pausedMs = await route.limiter.submitTurn();
  // After a pause of this process another one may have the lease. The other one inquires, and this one must not send.
  if (!mayStillSend()) return undefined;
  const { account } = route;
  const about = { transfer, route, account, purpose } as const;
  // The account is stored with the transfer: it must not be sent under another one.
  if (transfer.routeAccount !== null && transfer.routeAccount !== account) {
    return elsewhere(deps, { ...about, reply: ACCOUNT_CHANGED });
  }
  if (pausedMs > 0) {
    const outcome = {
      kind: 'notSent',
      cause: PAUSED,
      retryInMs: pausedMs / route.timeScale,
    } as const;
    const unsent = { ...about, reply: { outcome, wire: null } };
    // After a short pause the transfer is sent by the same route.
    return route.limiter.isShut() ? elsewhere(deps, unsent) : unsent;
  }
  failpoint('before-submit');
  // The token may still have to be fetched, and the process may be paused meanwhile: the wire checks again.
  const reply = await route.connector.submit({ ...toPayout(transfer), mayStillSend });
  failpoint('after-submit');
  route.limiter.observeSubmission(reply.outcome);
  return elsewhere(deps, { ...about, reply });
}

const ACCOUNT_CHANGED: ConnectorReply = {
  outcome: { kind: 'notSent', cause: 'the account of its route has changed', retryInMs: 0 },
  wire: null,
};

type Heard = Omit<AnswerToRecord, 'attemptId' | 'earlierIds'> &
  Partial<Pick<AnswerToRecord, 'attemptId'>>;

/** What was provably not sent may take another route, and at once where one is open. */
function elsewhere(deps: DispatcherDeps, answer: Heard): Heard {
  const { transfer, route, purpose, reply } = answer;
  // A resubmission stays with its route, which may have the first submission.
  if (reply.outcome.kind !== 'notSent' || purpose !== 'submit') return answer;
  const fitting = deps.routes
    .list(transfer)
    .filter((other) => fitsBounds(transfer.amountMinor, other.bounds()));
  const next = routeAfter(fitting, route);
  const waitMs = reply.outcome.retryInMs * (1 + (deps.random() * 2 - 1) * RETRY_JITTER);
  const retryInMs = next?.atOnce === true ? 0 : Math.round(waitMs);
  const again = { ...answer, reply: { ...reply, outcome: { ...reply.outcome, retryInMs } } };
  return next === undefined ? again : { ...again, nextRoute: next.route.name };
}

/** Returns the start of the lease too. A resubmission keeps the lease that began before it was recorded. */
async function persist(
  deps: DispatcherDeps,
  heard: Heard,
): Promise<Readonly<{ recorded: Recorded; leaseStart: LeaseStart }>> {
  // The ids are made before the first try: when the answer to a commit is lost, the retry keeps the same exchange once.
  const earlierIds = (heard.reply.earlier ?? []).map(() => deps.newId());
  const answer = { ...heard, attemptId: heard.attemptId ?? deps.newId(), earlierIds };
  let leaseStart = startLease(deps);
  const recorded = await insist(deps, () => {
    leaseStart = startLease(deps);
    return recordOutcome(deps, answer);
  });
  deps.observe({ transfer: answer.transfer, outcome: answer.reply.outcome, recorded });
  return { recorded, leaseStart };
}

/**
 * An answer must not be lost, since some operators do not accept inquiries. So recording it is retried several times.
 */
async function insist(deps: DispatcherDeps, record: () => Promise<Recorded>): Promise<Recorded> {
  let retryMs = RECORD_RETRY_FIRST_MS;
  for (let tries = 1; ; tries += 1) {
    try {
      return await record();
    } catch (error) {
      if (tries === RECORD_TRIES_MAX) throw error;
      await deps.wait(retryMs);
      retryMs = Math.min(RECORD_RETRY_MAX_MS, retryMs * 2);
    }
  }
}
