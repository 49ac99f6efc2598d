import type { Outcome } from '../../domain/outcome.ts';
import type { Pressure } from '../connector-kind.ts';
import { type Allowance, createAllowance, UNLIMITED } from './allowance.ts';
import { type Breaker, createBreaker } from './breaker.ts';
import { createPlaces } from './places.ts';

/**
 * How much a route is asked to do at once. Each has its own, so that an operator that hangs fills
 * nobody's places but its own.
 */
export interface RouteGate {
  /** Takes a place for one submission of the book. False: the transfer must queue. */
  reserve(bookId: string): boolean;
  /** Takes a place although the book holds many: for transfers whose lease is already taken. */
  take(bookId: string): void;
  release(bookId: string): void;
  /** How many queued transfers may be submitted now. */
  submitsFree(): number;
  /** How many transfers may be asked about now. */
  inquiriesFree(): number;
  takeInquiry(): void;
  releaseInquiry(): void;
  /** Counts a name that is asked for; false: too many this second. */
  mayAskName(): boolean;
  /** What came of a submission, for the breaker. */
  noteSubmission(outcome: Outcome): void;
  /**
   * Nothing goes out now: the operator does not answer, or says itself that it is closed. Other routes take
   * over what waits; so a gate that is held is never shut.
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
export function createSandboxGate(placesMax: number): RouteGate {
  return createGate({
    submits: UNLIMITED,
    inquiries: UNLIMITED,
    names: UNLIMITED,
    submissionsMax: () => placesMax,
    inquiriesMax: () => placesMax,
    breaker: undefined,
    isClosed: () => false,
    isHeld: () => false,
  });
}

export function createLiveGate(
  options: Readonly<{
    /** Asked each time, since a reload may change it. */
    pressure: () => Pressure;
    /** The operator says itself that it takes nothing now. */
    isClosed: () => boolean;
    isHeld: () => boolean;
    monotonicMs: () => number;
    random: () => number;
    pace: number;
  }>,
): RouteGate {
  const { pressure, monotonicMs, random, pace } = options;
  const allow = (perSecond: () => number) => createAllowance({ perSecond, monotonicMs });
  return createGate({
    submits: allow(() => pressure().submitsPerSecond),
    inquiries: allow(() => pressure().inquiriesPerSecond),
    names: allow(() => pressure().namesPerSecond),
    submissionsMax: () => pressure().concurrency,
    inquiriesMax: () => pressure().concurrency,
    breaker: createBreaker({ monotonicMs, random, pace }),
    isClosed: options.isClosed,
    isHeld: options.isHeld,
  });
}

type GateParts = Readonly<{
  submits: Allowance;
  inquiries: Allowance;
  names: Allowance;
  submissionsMax: () => number;
  inquiriesMax: () => number;
  breaker: Breaker | undefined;
  isClosed: () => boolean;
  isHeld: () => boolean;
}>;

function createGate(parts: GateParts): RouteGate {
  const { submits, inquiries, names, breaker, isClosed, isHeld } = parts;
  const places = createPlaces(parts.submissionsMax);
  let inquiring = 0;
  let answered: boolean | undefined;

  const free = (): number =>
    isClosed() || isHeld()
      ? 0
      : Math.min(submits.free(), breaker?.free() ?? Number.MAX_SAFE_INTEGER);

  function begin(): void {
    submits.take();
    breaker?.began();
  }

  return {
    reserve(bookId) {
      if (free() === 0 || !places.reserve(bookId)) return false;
      begin();
      return true;
    },
    take(bookId) {
      places.take(bookId);
      begin();
    },
    release(bookId) {
      places.release(bookId);
      breaker?.letGo();
    },
    submitsFree: () => Math.min(free(), places.free()),
    inquiriesFree: () => Math.min(inquiries.free(), parts.inquiriesMax() - inquiring),
    takeInquiry() {
      inquiries.take();
      inquiring += 1;
    },
    releaseInquiry() {
      inquiring -= 1;
    },
    mayAskName() {
      if (names.free() === 0) return false;
      names.take();
      return true;
    },
    noteSubmission(outcome) {
      answered = isAnswer(outcome);
      breaker?.ended(answered);
    },
    isShut: () => !isHeld() && (isClosed() || breaker?.isOpen() === true),
    isHeld,
    answers: () => answered,
    used: () => places.used() + inquiring,
  };
}

/** An operator that recognises its own order has answered: after a restore many such answers come in a row. */
function isAnswer(outcome: Outcome): boolean {
  if (outcome.kind === 'unknown') return outcome.isDuplicate === true;
  return outcome.kind !== 'notSent';
}
