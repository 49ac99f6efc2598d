import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createGateway, type Gateway, type Throttle } from './gateway.ts';

const THROTTLE: Throttle = {
  on: 'both',
  status: 429,
  retryAfterS: 3,
  retryAfterAs: 'seconds',
  calls: Number.POSITIVE_INFINITY,
  forMs: Number.POSITIVE_INFINITY,
  takes: false,
};

function openGateway(limits = {}) {
  let nowMs = 0;
  const gateway = createGateway({ now: () => nowMs, pace: 0.5, limits });
  return {
    gateway,
    at: (ms: number) => {
      nowMs = ms;
    },
  };
}

function letIn(gateway: Gateway, calls: number): number {
  return Array.from({ length: calls }, () => gateway.refuse('inquiry')).filter(
    (refused) => refused === undefined,
  ).length;
}

describe('the gateway', () => {
  it('holds a limit in every sliding second, and counts what was too many', () => {
    const { gateway, at } = openGateway({ inquiry: 10 });
    assert.equal(letIn(gateway, 4), 4);
    at(500);
    assert.equal(letIn(gateway, 10), 6);
    at(999);
    assert.equal(letIn(gateway, 1), 0);
    at(1_000);
    assert.equal(letIn(gateway, 10), 4);
    at(1_500);
    assert.equal(letIn(gateway, 10), 6);
    assert.deepEqual(gateway.counts(), {
      submission: { perSecondMax: null, calls: 0, refused: 0, throttled: 0, mostInASecond: 0 },
      inquiry: { perSecondMax: 10, calls: 35, refused: 15, throttled: 0, mostInASecond: 21 },
    });
  });

  it('limits neither other kinds nor other calls', () => {
    const { gateway } = openGateway({ inquiry: 1 });
    letIn(gateway, 2);
    assert.equal(gateway.refuse('submission'), undefined);
    assert.equal(gateway.refuse('other'), undefined);
  });

  it('throttles the next so many calls of a kind', () => {
    const { gateway } = openGateway();
    gateway.setThrottle({ ...THROTTLE, on: 'inquiry', calls: 2 });
    assert.equal(gateway.refuse('submission'), undefined);
    assert.equal(letIn(gateway, 5), 3);
    assert.equal(gateway.counts().inquiry.throttled, 2);
  });

  it('throttles for a while, in its own time', () => {
    const { gateway, at } = openGateway();
    gateway.setThrottle({ ...THROTTLE, forMs: 1_000 });
    at(499);
    assert.equal(gateway.refuse('submission')?.answer.status, 429);
    at(500);
    assert.equal(gateway.refuse('submission'), undefined);
  });

  it('takes calls again when the throttle is taken away', () => {
    const { gateway } = openGateway();
    gateway.setThrottle(THROTTLE);
    assert.notEqual(gateway.refuse('inquiry'), undefined);
    gateway.setThrottle(null);
    assert.equal(gateway.refuse('inquiry'), undefined);
  });

  it('says when to come again in seconds, as a date, or not', () => {
    const { gateway, at } = openGateway();
    at(1_500);
    const headerOf = (throttle: Partial<Throttle>) => {
      gateway.setThrottle({ ...THROTTLE, ...throttle });
      const { answer } = gateway.refuse('submission') ?? {};
      return [answer?.status, answer?.headers?.['retry-after']];
    };
    assert.deepEqual(headerOf({}), [429, '3']);
    assert.deepEqual(headerOf({ status: 503 }), [503, '3']);
    // 1.5 s and 3 s, in whole seconds and never too early.
    const date = 'Thu, 01 Jan 1970 00:00:05 GMT';
    assert.deepEqual(headerOf({ status: 503, retryAfterAs: 'date' }), [503, date]);
    assert.deepEqual(headerOf({ retryAfterAs: 'none' }), [429, undefined]);
  });

  it('lets a submission through that it refuses, where it lies', () => {
    const { gateway } = openGateway();
    gateway.setThrottle({ ...THROTTLE, takes: true });
    assert.equal(gateway.refuse('submission')?.takes, true);
    assert.equal(gateway.refuse('inquiry')?.takes, false);
  });
});
