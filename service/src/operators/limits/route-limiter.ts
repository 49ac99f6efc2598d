import type { Outcome } from '../../domain/outcome.ts';
import type { Pressure } from '../contract/connector-kind.ts';
import { type Breaker, createBreaker } from './breaker.ts';
import { createPause, NO_PAUSE, type Pause } from './pause.ts';
import { createRateLimit, type RateLimit, UNLIMITED } from './rate-limit.ts';
import { createSlots } from './slots.ts';

/**
 * How far ahead turns are given out. Longer than the time between two scans, so that the whole rate is used;
 * short, because what has a turn waits for it under its lease.
 */
const AHEAD_MS = 500;
/**
 * For operators that cannot be asked: what a process that dies had waiting for its turn needs a person, since
 * it cannot be told from what was sent.
 */
const AHEAD_WITHOUT_INQUIRY_MS = 50;
/** A caller waits for the name, and had better wait for its turn than be told to come again. */
const NAMES_AHEAD_MS = 2_000;

/**
 * How much a route is asked to do at once. Each has its own, so that an operator that hangs fills
 * nobody's slots but its own.
 */
export interface RouteLimiter {
  /** Takes a place for one submission of the book. False: the transfer must queue. */
  reserve(bookId: string): boolean;
  /** Takes a place although the book holds many: for transfers whose lease is already taken. */
  take(bookId: string): void;
  release(bookId: string): void;
  /**
   * Waits until the next submission with a place may begin, as the rate limit wants. Above 0: it must not,
   * because the operator asked for a pause that lasts so many milliseconds more.
   */
  submitTurn(): Promise<number>;
  /** How many queued transfers may be submitted now. */
  submitsFree(): number;
  /** How many transfers may be asked about now. */
  inquiriesFree(): number;
  takeInquiry(): void;
  releaseInquiry(): void;
  /** As `submitTurn`, for the next inquiry that was taken. */
  inquiryTurn(): Promise<number>;
  /** Waits until a name may be asked for. Undefined: too many are being asked for already. */
  nameTurn(): Promise<void> | undefined;
  /** What came of a submission, for the breaker and for the pause that the operator asks for. */
  noteSubmission(outcome: Outcome): void;
  /** What came of an inquiry: an operator that says when to ask again is not asked before. */
  noteInquiry(outcome: Outcome): void;
  /**
   * Nothing goes out now: the operator does not answer, says itself that it is closed, or asked for a long
   * pause; or a person closed the route. Other routes take over what waits; so a limiter that is held is never shut.
   */
  isShut(): boolean;
  /**
   * A person holds the route: its transfers wait in the queue, and no other route takes them over, since they
   * may have been paid by this one before a restore.
   */
  isHeld(): boolean;
  /** Undefined before the first answer. */
  answers(): boolean | undefined;
  used(): number;
}

/** The sandbox: bounded by memory alone. */
export function createSandboxLimiter(slotsMax: number): RouteLimiter {
  return createGate({
    submits: UNLIMITED,
    inquiries: UNLIMITED,
    names: UNLIMITED,
    submissionsMax: () => slotsMax,
    inquiriesMax: () => slotsMax,
    submitPause: NO_PAUSE,
    inquiryPause: NO_PAUSE,
    breaker: undefined,
    isClosed: () => false,
    isHeld: () => false,
  });
}

export function createLiveLimiter(
  options: Readonly<{
    /** Asked each time, since a reload may change it. */
    pressure: () => Pressure;
    /** The operator says itself that it takes nothing now, or a person closed the route. */
    isClosed: () => boolean;
    isHeld: () => boolean;
    monotonicMs: () => number;
    wait: (ms: number) => Promise<void>;
    random: () => number;
    timeScale: number;
    /** Whether the operator can be asked what became of a payout. */
    inquires: boolean;
  }>,
): RouteLimiter {
  const { pressure, monotonicMs, wait, random, timeScale } = options;
  const limit = (perSecond: () => number, aheadMs: number = AHEAD_MS) =>
    createRateLimit({ perSecond, aheadMs, monotonicMs, wait });
  return createGate({
    submits: limit(
      () => pressure().submitsPerSecond,
      options.inquires ? AHEAD_MS : AHEAD_WITHOUT_INQUIRY_MS,
    ),
    inquiries: limit(() => pressure().inquiriesPerSecond),
    names: limit(() => pressure().namesPerSecond, NAMES_AHEAD_MS),
    submissionsMax: () => pressure().concurrency,
    inquiriesMax: () => pressure().concurrency,
    submitPause: createPause({ monotonicMs, timeScale }),
    inquiryPause: createPause({ monotonicMs, timeScale }),
    breaker: createBreaker({ monotonicMs, random, timeScale }),
    isClosed: options.isClosed,
    isHeld: options.isHeld,
  });
}

type LimiterParts = Readonly<{
  submits: RateLimit;
  inquiries: RateLimit;
  names: RateLimit;
  submissionsMax: () => number;
  inquiriesMax: () => number;
  submitPause: Pause;
  inquiryPause: Pause;
  breaker: Breaker | undefined;
  isClosed: () => boolean;
  isHeld: () => boolean;
}>;

function createGate(parts: LimiterParts): RouteLimiter {
  const { submits, inquiries, names, submitPause, inquiryPause, breaker } = parts;
  const { isClosed, isHeld } = parts;
  const slots = createSlots(parts.submissionsMax);
  let inquiring = 0;
  let answered: boolean | undefined;

  const free = (): number =>
    isClosed() || isHeld() || submitPause.leftMs() > 0
      ? 0
      : Math.min(submits.free(), breaker?.free() ?? Number.MAX_SAFE_INTEGER);

  function begin(): void {
    submits.take();
    breaker?.began();
  }

  return {
    reserve(bookId) {
      if (free() === 0 || !slots.reserve(bookId)) return false;
      begin();
      return true;
    },
    take(bookId) {
      slots.take(bookId);
      begin();
    },
    release(bookId) {
      slots.release(bookId);
      breaker?.letGo();
    },
    async submitTurn() {
      await submits.turn();
      return submitPause.leftMs();
    },
    submitsFree: () => Math.min(free(), slots.free()),
    inquiriesFree: () =>
      inquiryPause.leftMs() > 0
        ? 0
        : Math.max(0, Math.min(inquiries.free(), parts.inquiriesMax() - inquiring)),
    takeInquiry() {
      inquiries.take();
      inquiring += 1;
    },
    releaseInquiry() {
      inquiring -= 1;
    },
    async inquiryTurn() {
      await inquiries.turn();
      return inquiryPause.leftMs();
    },
    nameTurn() {
      if (names.free() === 0) return undefined;
      names.take();
      return names.turn();
    },
    noteSubmission(outcome) {
      answered = isAnswer(outcome);
      breaker?.ended(answered);
      if (outcome.kind === 'throttled') submitPause.begin(outcome.retryInMs);
    },
    noteInquiry(outcome) {
      const isTold = outcome.kind === 'unanswered' && outcome.retryInMs !== null;
      if (isTold) inquiryPause.begin(outcome.retryInMs);
    },
    isShut: () => !isHeld() && (isClosed() || breaker?.isOpen() === true || submitPause.isLong()),
    isHeld,
    answers: () => answered,
    used: () => slots.used() + inquiring,
  };
}

/** An operator that recognises its own order has answered: after a restore many such answers come in a row. */
function isAnswer(outcome: Outcome): boolean {
  if (outcome.kind === 'unknown') return outcome.isDuplicate === true;
  return outcome.kind !== 'notSent';
}
