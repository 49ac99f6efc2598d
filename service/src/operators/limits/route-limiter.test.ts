import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Outcome } from '../../domain/outcome.ts';
import { createLiveLimiter } from './route-limiter.ts';

const LOST: Outcome = { kind: 'unknown', cause: 'timeout' };
const PENDING: Outcome = { kind: 'pending', inquireInMs: 1_000 };
const throttled = (retryInMs: number | null): Outcome => ({
  kind: 'throttled',
  cause: 'HTTP 429',
  retryInMs,
});

function createLimiterAt({
  concurrency = 10,
  submitsPerSecond = 100,
  inquiriesPerSecond = 10,
  inquires = true,
} = {}) {
  let nowMs = 0;
  let closed = false;
  let held = false;
  const limiter = createLiveLimiter({
    operatorLimits: () => ({
      concurrency,
      submitsPerSecond,
      inquiriesPerSecond,
      namesPerSecond: 2,
    }),
    isClosed: () => closed,
    isHeld: () => held,
    monotonicMs: () => nowMs,
    wait: async (ms) => {
      await Promise.resolve();
      nowMs += ms;
    },
    random: () => 0.5,
    timeScale: 1,
    inquires,
  });
  return {
    limiter,
    pass: (ms: number) => (nowMs += ms),
    close: () => {
      closed = true;
    },
    hold: (isHeld: boolean) => {
      held = isHeld;
    },
  };
}

describe('a limiter', () => {
  it('allows no more submissions at once than the operator accepts', () => {
    const { limiter } = createLimiterAt({ concurrency: 2 });
    limiter.holdClaimed('a', 'main').use();
    limiter.holdClaimed('b', 'main').use();
    assert.equal(limiter.reserve('c'), false);
    assert.equal(limiter.submitsFree(), 0);
    limiter.release('a');
    assert.equal(limiter.submitsFree(), 1);
  });

  it('lets a question about the balance give way to payouts, and one that is overdue to a pause only', () => {
    const { limiter } = createLimiterAt({ submitsPerSecond: 5, concurrency: 1_000 });
    assert.ok(limiter.balanceTurn({ isOverdue: false }) !== undefined);
    while (limiter.reserve('book'));
    assert.equal(limiter.balanceTurn({ isOverdue: false }), undefined);
    assert.ok(limiter.balanceTurn({ isOverdue: true }) !== undefined);
    limiter.observeSubmission(throttled(10_000));
    assert.equal(limiter.balanceTurn({ isOverdue: true }), undefined);
  });

  it('allows no more submissions per second than the operator accepts, evenly spaced', async () => {
    const { limiter, pass } = createLimiterAt({ concurrency: 1_000, submitsPerSecond: 5 });
    for (let n = 0; n < 3; n += 1) assert.equal(limiter.reserve(`book ${n}`), true);
    assert.equal(limiter.reserve('one more'), false, 'half a second ahead, and no more');
    assert.equal(limiter.submitsFree(), 0);
    pass(240);
    assert.equal(limiter.reserve('one more'), true);
    for (let n = 0; n < 4; n += 1) assert.equal(await limiter.submitTurn(), 0);
    assert.equal(pass(0), 240 + 3 * 240, 'each waits for its turn');
  });

  it('gives out few turns ahead if the operator has no inquiry', () => {
    const busy = { concurrency: 500, submitsPerSecond: 500 };
    assert.equal(createLimiterAt(busy).limiter.submitsFree(), 209);
    assert.equal(createLimiterAt({ ...busy, inquires: false }).limiter.submitsFree(), 21);
    assert.equal(
      createLimiterAt({ submitsPerSecond: 5, inquires: false }).limiter.submitsFree(),
      1,
    );
  });

  it('accepts no submission while the operator asked for a pause', async () => {
    const { limiter, pass } = createLimiterAt();
    limiter.holdClaimed('a', 'main').use();
    limiter.observeSubmission(throttled(3_000));
    assert.equal(limiter.submitsFree(), 0);
    assert.equal(limiter.reserve('b'), false);
    assert.equal(
      await limiter.submitTurn(),
      3_000,
      'a submission that already has its turn does not begin',
    );
    assert.ok(limiter.inquiriesFree() > 0, 'inquiries have a limit of their own');
    assert.equal(limiter.answers(), true);
    pass(3_000);
    assert.equal(limiter.reserve('b'), true);
    assert.equal(await limiter.submitTurn(), 0);
  });

  it('does not open the breaker for an operator that asks for pauses', () => {
    const { limiter, pass } = createLimiterAt();
    for (let n = 0; n < 20; n += 1) limiter.observeSubmission(throttled(null));
    assert.equal(limiter.isShut(), false);
    pass(1_000);
    assert.ok(limiter.submitsFree() > 0);
  });

  it('is shut for a long pause, so that other routes take over queued transfers', () => {
    const { limiter, pass } = createLimiterAt();
    limiter.observeSubmission(throttled(30_000));
    assert.equal(limiter.isShut(), true);
    pass(25_000);
    assert.equal(limiter.isShut(), false, 'what is left is short');
    assert.equal(limiter.submitsFree(), 0);
  });

  it('allows no inquiry while the operator asked for a pause of inquiries', async () => {
    const { limiter, pass } = createLimiterAt();
    const unanswered = (retryInMs: number | null): Outcome => ({
      kind: 'unanswered',
      cause: 'HTTP 429',
      retryInMs,
    });
    limiter.observeInquiry(unanswered(null));
    assert.ok(limiter.inquiriesFree() > 0, 'it did not say when');
    limiter.takeInquiry();
    limiter.observeInquiry(unanswered(2_000));
    assert.equal(limiter.inquiriesFree(), 0);
    assert.equal(await limiter.inquiryTurn(), 2_000);
    assert.ok(limiter.submitsFree() > 0);
    pass(2_000);
    assert.ok(limiter.inquiriesFree() > 0);
  });

  it('counts inquiries separately from submissions', () => {
    const { limiter } = createLimiterAt({ concurrency: 2, inquiriesPerSecond: 100 });
    limiter.holdClaimed('a', 'main').use();
    limiter.holdClaimed('a', 'main').use();
    assert.equal(limiter.inquiriesFree(), 2);
    limiter.takeInquiry();
    limiter.takeInquiry();
    assert.equal(limiter.inquiriesFree(), 0);
    limiter.releaseInquiry();
    assert.equal(limiter.inquiriesFree(), 1);
    assert.equal(limiter.used(), 3);
  });

  it('shuts when the operator stops answering, and while it reports that it is closed', () => {
    const { limiter, close } = createLimiterAt();
    assert.equal(limiter.answers(), undefined);
    for (let n = 0; n < 5; n += 1) limiter.observeSubmission(LOST);
    assert.equal(limiter.isShut(), true);
    assert.equal(limiter.reserve('a'), false);
    assert.equal(limiter.answers(), false);
    limiter.observeSubmission(PENDING);
    assert.equal(limiter.isShut(), false);
    assert.equal(limiter.reserve('a'), true);
    close();
    assert.equal(limiter.isShut(), true);
    assert.equal(limiter.submitsFree(), 0);
  });

  it('does not shut for duplicate answers, which are many after a restore', () => {
    const { limiter } = createLimiterAt();
    const duplicate: Outcome = { kind: 'unknown', cause: 'HTTP 409', isDuplicate: true };
    for (let n = 0; n < 50; n += 1) limiter.observeSubmission(duplicate);
    assert.equal(limiter.isShut(), false);
    assert.equal(limiter.answers(), true);
  });

  it('submits nothing while a person holds it, and is not shut, so no other route takes over', () => {
    const { limiter, hold } = createLimiterAt();
    hold(true);
    assert.equal(limiter.reserve('a'), false);
    assert.equal(limiter.submitsFree(), 0);
    assert.equal(limiter.isHeld(), true);
    assert.equal(limiter.isShut(), false);
    assert.ok(limiter.inquiriesFree() > 0, 'inquiries go on');
    for (let n = 0; n < 5; n += 1) limiter.observeSubmission(LOST);
    assert.equal(limiter.isShut(), false, 'also if its operator stops answering');
    limiter.observeSubmission(PENDING);
    hold(false);
    assert.equal(limiter.reserve('a'), true);
  });

  it('bounds the name lookups per second', () => {
    const { limiter, pass } = createLimiterAt();
    for (let n = 0; n < 4; n += 1) assert.notEqual(limiter.nameTurn(), undefined);
    assert.equal(limiter.nameTurn(), undefined, 'two a second, and two seconds ahead');
    pass(600);
    assert.notEqual(limiter.nameTurn(), undefined);
    assert.equal(limiter.nameTurn(), undefined);
  });
});
