import type { OperatorRequest, PlainAnswer } from './answer.ts';
import { answerJson } from './answer.ts';
import type { RetryAfterForm } from './behaviour.ts';
import { withRetryAfter } from './retry-after.ts';

/** The kind of a call, which each protocol derives from method and path. */
type CallKind = 'submission' | 'inquiry' | 'balance' | 'other';
export type KindOf = (request: Pick<OperatorRequest, 'method' | 'path'>) => CallKind;
type LimitedKind = Exclude<CallKind, 'balance' | 'other'>;

/** How many calls of a kind are accepted in any second; a kind that is left out is not limited. */
export type CallLimits = Readonly<Partial<Record<LimitedKind, number>>>;

/** The operator refuses calls for a time, or the next N calls. */
export type Throttle = Readonly<{
  on: LimitedKind | 'both';
  status: 429 | 503;
  retryAfterS: number;
  retryAfterAs: RetryAfterForm;
  /** Infinity: all calls. */
  calls: number;
  /** Multiplied by the time scale. Infinity: until the throttle is removed. */
  forMs: number;
  /** A submission is accepted although the answer says that it was refused. */
  takes: boolean;
}>;

export type CallCount = Readonly<{
  perSecondMax: number | null;
  calls: number;
  /** Because of the limit. */
  refused: number;
  /** Because of a throttle. */
  throttled: number;
  /** Including refused calls. */
  mostInASecond: number;
}>;

/** Limits and throttles calls before the protocol. `takes`: pass the call on although its answer is a refusal. */
export type CallLimiter = Readonly<{
  /** Counts the call; undefined when it is allowed. */
  refuse(kind: CallKind): Readonly<{ answer: PlainAnswer; takes: boolean }> | undefined;
  setThrottle(throttle: Throttle | null): void;
  counts(): Readonly<Record<LimitedKind, CallCount>>;
}>;

const SECOND_MS = 1_000;
const TOO_MANY = answerJson(429, {
  statusCode: 429,
  message: 'Rate limit is exceeded. Try again in 1 seconds.',
});
const UNAVAILABLE = answerJson(503, { statusCode: 503, message: 'Service is unavailable.' });

export function createCallLimiter(
  deps: Readonly<{ now: () => number; timeScale: number; limits: CallLimits }>,
): CallLimiter {
  const { now, timeScale, limits } = deps;
  let throttle: { is: Throttle; callsLeft: number; untilMs: number } | null = null;
  const meters = {
    submission: createMeter(limits.submission),
    inquiry: createMeter(limits.inquiry),
  };
  return {
    refuse(kind) {
      if (kind === 'other' || kind === 'balance') return undefined;
      const nowMs = now();
      const meter = meters[kind];
      if (!meter.take(nowMs)) {
        const answer = refusalWith(429, { retryAfterS: 1, retryAfterAs: 'seconds' }, nowMs);
        return { answer, takes: false };
      }
      const applies =
        throttle !== null &&
        throttle.callsLeft > 0 &&
        nowMs < throttle.untilMs &&
        (throttle.is.on === 'both' || throttle.is.on === kind);
      if (throttle === null || !applies) return undefined;
      throttle.callsLeft -= 1;
      meter.countThrottled();
      const { status, takes } = throttle.is;
      return {
        answer: refusalWith(status, throttle.is, nowMs),
        takes: takes && kind === 'submission',
      };
    },
    setThrottle(next) {
      throttle =
        next === null
          ? null
          : { is: next, callsLeft: next.calls, untilMs: now() + next.forMs * timeScale };
    },
    counts: () => ({ submission: meters.submission.count(), inquiry: meters.inquiry.count() }),
  };
}

/** The refusal of a generic gateway, with its Retry-After header. */
export function refusalWith(
  status: 429 | 503,
  wait: Readonly<{ retryAfterS: number; retryAfterAs: RetryAfterForm }>,
  nowMs: number,
): PlainAnswer {
  const { retryAfterS: seconds, retryAfterAs: form } = wait;
  return withRetryAfter(status === 429 ? TOO_MANY : UNAVAILABLE, { seconds, form, nowMs });
}

function createMeter(perSecondMax: number | undefined) {
  /** Arrival times within the last second: of all calls, and of accepted ones. */
  const recent: number[] = [];
  const taken: number[] = [];
  let calls = 0;
  let refused = 0;
  let throttled = 0;
  let mostInASecond = 0;
  return {
    /** Whether the call is within the limit of the second that ends now. */
    take(nowMs: number): boolean {
      forget(recent, nowMs);
      forget(taken, nowMs);
      recent.push(nowMs);
      calls += 1;
      mostInASecond = Math.max(mostInASecond, recent.length);
      if (perSecondMax !== undefined && taken.length >= perSecondMax) {
        refused += 1;
        return false;
      }
      taken.push(nowMs);
      return true;
    },
    countThrottled(): void {
      throttled += 1;
    },
    count: (): CallCount => ({
      perSecondMax: perSecondMax ?? null,
      calls,
      refused,
      throttled,
      mostInASecond,
    }),
  };
}

function forget(times: number[], nowMs: number): void {
  while (times[0] !== undefined && times[0] <= nowMs - SECOND_MS) times.shift();
}
