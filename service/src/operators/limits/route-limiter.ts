import type { Outcome } from '../../domain/outcome.ts';
import type { OperatorLimits } from '../contract/connector-kind.ts';
import { type Breaker, createBreaker } from './breaker.ts';
import { createPause, NO_PAUSE, type Pause } from './pause.ts';
import { createRateLimit, type RateLimit, UNLIMITED } from './rate-limit.ts';
import { createSlots, type HeldSlot } from './slots.ts';

/**
 * How far ahead turns are given out. Longer than the time between two scans, so that the whole rate is used; short,
 * because a transfer waits for its turn under its lease.
 */
const AHEAD_MS = 500;
/**
 * For operators without an inquiry: if a process dies, its transfers that waited for a turn need a person, because they
 * cannot be distinguished from transfers that were sent.
 */
const AHEAD_WITHOUT_INQUIRY_MS = 50;
/** A caller waits for the name; waiting for a turn is better than a 503. */
const NAMES_AHEAD_MS = 2_000;

/** Bounds the work of one route. Each route has its own limiter, so an operator that hangs fills only its own slots. */
export interface RouteLimiter {
  /** Takes a slot for one submission of the book. False: the transfer must queue. */
  reserve(bookId: string): boolean;
  /** The same for a transfer that its cell has yet to store as submitting. Undefined: it must queue. */
  hold(bookId: string, cell: string): HeldSlot | undefined;
  /** The same even if the book holds many: for transfers whose lease is already taken. */
  holdClaimed(bookId: string, cell: string): HeldSlot;
  release(bookId: string): void;
  /**
   * Waits until the next submission with a slot may begin under the rate limit. A result above 0 means that it must not
   * begin: the operator asked for a pause that lasts this many more milliseconds.
   */
  submitTurn(): Promise<number>;
  /** How many queued transfers may be submitted now. */
  submitsFree(): number;
  /** How many inquiries may be made now. */
  inquiriesFree(): number;
  takeInquiry(): void;
  releaseInquiry(): void;
  /** Like `submitTurn`, for the next inquiry that was taken. */
  inquiryTurn(): Promise<number>;
  /** Waits until a name may be looked up. Undefined: too many lookups are waiting. */
  nameTurn(): Promise<void> | undefined;
  /**
   * Waits until the balance may be fetched. Undefined: not now, because payouts or inquiries need the rate limit. One
   * that is overdue is put off only by a pause that the operator asked for.
   */
  balanceTurn(asked: Readonly<{ isOverdue: boolean }>): Promise<void> | undefined;
  /** Records the outcome of a submission, for the breaker and for a pause that the operator asks for. */
  observeSubmission(outcome: Outcome): void;
  /** Records the outcome of an inquiry: an operator that sends Retry-After gets no inquiry before it. */
  observeInquiry(outcome: Outcome): void;
  /**
   * Nothing is sent now: the operator does not answer, reports that it is closed, or asked for a long pause, or a person
   * closed the route. Other routes take over what waits, so a limiter that is held is never shut.
   */
  isShut(): boolean;
  /**
   * A person holds the route: its transfers wait in the queue, and no other route takes them over, because this one may
   * have paid them before a restore.
   */
  isHeld(): boolean;
  /** Undefined before the first answer. */
  answers(): boolean | undefined;
  used(): number;
  /** How many submissions may be under way at once. */
  limit(): number;
  /** How many may begin in a second. */
  submitsPerSecond(): number;
}

/** For the sandbox: bounded by memory alone. */
export function createSandboxLimiter(slotsMax: number): RouteLimiter {
  return assembleLimiter({
    submits: UNLIMITED,
    inquiries: UNLIMITED,
    names: UNLIMITED,
    submissionsMax: () => slotsMax,
    submitsPerSecond: () => Number.POSITIVE_INFINITY,
    inquiriesMax: () => slotsMax,
    submitPause: NO_PAUSE,
    inquiryPause: NO_PAUSE,
    breaker: undefined,
    // It has room for all that any cell waits for.
    monotonicMs: () => 0,
    isClosed: () => false,
    isHeld: () => false,
  });
}

export function createLiveLimiter(
  options: Readonly<{
    /** Read each time, because a reload may change it. */
    operatorLimits: () => OperatorLimits;
    /** The operator reports that it takes nothing now, or a person closed the route. */
    isClosed: () => boolean;
    isHeld: () => boolean;
    monotonicMs: () => number;
    wait: (ms: number) => Promise<void>;
    random: () => number;
    timeScale: number;
    /** Whether the operator supports inquiries. */
    inquires: boolean;
  }>,
): RouteLimiter {
  const { operatorLimits, monotonicMs, wait, random, timeScale } = options;
  const limit = (perSecond: () => number, aheadMs: number = AHEAD_MS) =>
    createRateLimit({ perSecond, aheadMs, monotonicMs, wait });
  const submitsPerSecond = () => operatorLimits().submitsPerSecond;
  return assembleLimiter({
    submits: limit(submitsPerSecond, options.inquires ? AHEAD_MS : AHEAD_WITHOUT_INQUIRY_MS),
    inquiries: limit(() => operatorLimits().inquiriesPerSecond),
    names: limit(() => operatorLimits().namesPerSecond, NAMES_AHEAD_MS),
    submissionsMax: () => operatorLimits().concurrency,
    submitsPerSecond,
    inquiriesMax: () => operatorLimits().concurrency,
    submitPause: createPause({ monotonicMs, timeScale }),
    inquiryPause: createPause({ monotonicMs, timeScale }),
    breaker: createBreaker({ monotonicMs, random, timeScale }),
    monotonicMs,
    isClosed: options.isClosed,
    isHeld: options.isHeld,
  });
}

type LimiterParts = Readonly<{
  submits: RateLimit;
  inquiries: RateLimit;
  names: RateLimit;
  submissionsMax: () => number;
  submitsPerSecond: () => number;
  inquiriesMax: () => number;
  submitPause: Pause;
  inquiryPause: Pause;
  breaker: Breaker | undefined;
  monotonicMs: () => number;
  isClosed: () => boolean;
  isHeld: () => boolean;
}>;

function assembleLimiter(parts: LimiterParts): RouteLimiter {
  const { submits, inquiries, names, submitPause, inquiryPause, breaker } = parts;
  const { isClosed, isHeld, monotonicMs } = parts;
  const slots = createSlots(parts.submissionsMax, {
    monotonicMs,
    onLate: () => breaker?.letGo(),
  });
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

  function giveBack(slot: HeldSlot): void {
    slot.giveBack();
    breaker?.letGo();
  }

  return {
    reserve(bookId) {
      if (free() === 0 || !slots.reserve(bookId)) return false;
      begin();
      return true;
    },
    hold(bookId, cell) {
      const slot = free() === 0 ? undefined : slots.hold(bookId, cell);
      if (slot === undefined) return undefined;
      begin();
      return { use: slot.use, giveBack: () => giveBack(slot) };
    },
    holdClaimed(bookId, cell) {
      const slot = slots.holdClaimed(bookId, cell);
      begin();
      return { use: slot.use, giveBack: () => giveBack(slot) };
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
    balanceTurn({ isOverdue }) {
      if (submitPause.leftMs() > 0 || inquiryPause.leftMs() > 0) return undefined;
      const isBusy =
        submits.free() === 0 || inquiries.free() === 0 || inquiring >= parts.inquiriesMax();
      if (isBusy && !isOverdue) return undefined;
      inquiries.take();
      return inquiries.turn();
    },
    observeSubmission(outcome) {
      answered = isAnswer(outcome);
      breaker?.ended(answered);
      if (outcome.kind === 'throttled') submitPause.begin(outcome.retryInMs);
    },
    observeInquiry(outcome) {
      const saysWhen = outcome.kind === 'unanswered' && outcome.retryInMs !== null;
      if (saysWhen) inquiryPause.begin(outcome.retryInMs);
    },
    isShut: () => !isHeld() && (isClosed() || breaker?.isOpen() === true || submitPause.isLong()),
    isHeld,
    answers: () => answered,
    used: () => slots.used() + inquiring,
    limit: parts.submissionsMax,
    submitsPerSecond: parts.submitsPerSecond,
  };
}

/** A duplicate answer is an answer: after a restore many of them come in a row. */
function isAnswer(outcome: Outcome): boolean {
  if (outcome.kind === 'unknown') return outcome.isDuplicate === true;
  return outcome.kind !== 'notSent';
}
