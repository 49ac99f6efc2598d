import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CallLimiter, createCallLimiter, type Throttle } from './call-limiter.ts';

const THROTTLE: Throttle = {
  on: 'both',
  status: 429,
  retryAfterS: 3,
  retryAfterAs: 'seconds',
  calls: Number.POSITIVE_INFINITY,
  forMs: Number.POSITIVE_INFINITY,
  takes: false,
};

function openLimiter(limits = {}) {
  let nowMs = 0;
  const limiter = createCallLimiter({ now: () => nowMs, timeScale: 0.5, limits });
  return {
    limiter,
    at: (ms: number) => {
      nowMs = ms;
    },
  };
}

function countAllowed(limiter: CallLimiter, calls: number): number {
  return Array.from({ length: calls }, () => limiter.refuse('inquiry')).filter(
    (refused) => refused === undefined,
  ).length;
}

describe('the call limiter', () => {
  it('holds the limit in every sliding second, and counts the calls above it', () => {
    const { limiter, at } = openLimiter({ inquiry: 10 });
    assert.equal(countAllowed(limiter, 4), 4);
    at(500);
    assert.equal(countAllowed(limiter, 10), 6);
    at(999);
    assert.equal(countAllowed(limiter, 1), 0);
    at(1_000);
    assert.equal(countAllowed(limiter, 10), 4);
    at(1_500);
    assert.equal(countAllowed(limiter, 10), 6);
    assert.deepEqual(limiter.counts(), {
      submission: { perSecondMax: null, calls: 0, refused: 0, throttled: 0, mostInASecond: 0 },
      inquiry: { perSecondMax: 10, calls: 35, refused: 15, throttled: 0, mostInASecond: 21 },
    });
  });

  it('does not limit other kinds of calls', () => {
    const { limiter } = openLimiter({ inquiry: 1 });
    countAllowed(limiter, 2);
    assert.equal(limiter.refuse('submission'), undefined);
    assert.equal(limiter.refuse('other'), undefined);
  });

  it('throttles the next N calls of a kind', () => {
    const { limiter } = openLimiter();
    limiter.setThrottle({ ...THROTTLE, on: 'inquiry', calls: 2 });
    assert.equal(limiter.refuse('submission'), undefined);
    assert.equal(countAllowed(limiter, 5), 3);
    assert.equal(limiter.counts().inquiry.throttled, 2);
  });

  it('throttles for a time that is multiplied by the time scale', () => {
    const { limiter, at } = openLimiter();
    limiter.setThrottle({ ...THROTTLE, forMs: 1_000 });
    at(499);
    assert.equal(limiter.refuse('submission')?.answer.status, 429);
    at(500);
    assert.equal(limiter.refuse('submission'), undefined);
  });

  it('accepts calls again when the throttle is removed', () => {
    const { limiter } = openLimiter();
    limiter.setThrottle(THROTTLE);
    assert.notEqual(limiter.refuse('inquiry'), undefined);
    limiter.setThrottle(null);
    assert.equal(limiter.refuse('inquiry'), undefined);
  });

  it('sends Retry-After in seconds, as a date, or not at all', () => {
    const { limiter, at } = openLimiter();
    at(1_500);
    const headerOf = (throttle: Partial<Throttle>) => {
      limiter.setThrottle({ ...THROTTLE, ...throttle });
      const { answer } = limiter.refuse('submission') ?? {};
      return [answer?.status, answer?.headers?.['retry-after']];
    };
    assert.deepEqual(headerOf({}), [429, '3']);
    assert.deepEqual(headerOf({ status: 503 }), [503, '3']);
    // 1.5 s plus 3 s, rounded up to whole seconds.
    const date = 'Thu, 01 Jan 1970 00:00:05 GMT';
    assert.deepEqual(headerOf({ status: 503, retryAfterAs: 'date' }), [503, date]);
    assert.deepEqual(headerOf({ retryAfterAs: 'none' }), [429, undefined]);
  });

  it('passes on a submission that it answers as refused, where `takes` is set', () => {
    const { limiter } = openLimiter();
    limiter.setThrottle({ ...THROTTLE, takes: true });
    assert.equal(limiter.refuse('submission')?.takes, true);
    assert.equal(limiter.refuse('inquiry')?.takes, false);
  });
});
