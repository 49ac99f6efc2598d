import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Outcome } from '../../domain/outcome.ts';
import { createLiveGate } from './route-gate.ts';

const LOST: Outcome = { kind: 'unknown', cause: 'timeout' };
const PENDING: Outcome = { kind: 'pending', askInMs: 1_000 };
const throttled = (retryInMs: number | null): Outcome => ({
  kind: 'throttled',
  cause: 'HTTP 429',
  retryInMs,
});

function createGateAt({
  concurrency = 10,
  submitsPerSecond = 100,
  inquiriesPerSecond = 10,
  inquires = true,
} = {}) {
  let nowMs = 0;
  let closed = false;
  let held = false;
  const gate = createLiveGate({
    pressure: () => ({ concurrency, submitsPerSecond, inquiriesPerSecond, namesPerSecond: 2 }),
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
    gate,
    pass: (ms: number) => (nowMs += ms),
    close: () => {
      closed = true;
    },
    hold: (isHeld: boolean) => {
      held = isHeld;
    },
  };
}

describe('a gate', () => {
  it('lets no more through at once than the operator may have', () => {
    const { gate } = createGateAt({ concurrency: 2 });
    gate.take('a');
    gate.take('b');
    assert.equal(gate.reserve('c'), false);
    assert.equal(gate.submitsFree(), 0);
    gate.release('a');
    assert.equal(gate.submitsFree(), 1);
  });

  it('lets no more through each second than the operator may have, and one after the other', async () => {
    const { gate, pass } = createGateAt({ concurrency: 1_000, submitsPerSecond: 5 });
    for (let n = 0; n < 3; n += 1) assert.equal(gate.reserve(`book ${n}`), true);
    assert.equal(gate.reserve('one more'), false, 'half a second ahead, and no more');
    assert.equal(gate.submitsFree(), 0);
    pass(240);
    assert.equal(gate.reserve('one more'), true);
    for (let n = 0; n < 4; n += 1) assert.equal(await gate.submitTurn(), 0);
    assert.equal(pass(0), 240 + 3 * 240, 'each waits for its turn');
  });

  it('gives out few turns ahead where a payout that may have been sent cannot be asked about', () => {
    const busy = { concurrency: 500, submitsPerSecond: 500 };
    assert.equal(createGateAt(busy).gate.submitsFree(), 209);
    assert.equal(createGateAt({ ...busy, inquires: false }).gate.submitsFree(), 21);
    assert.equal(createGateAt({ submitsPerSecond: 5, inquires: false }).gate.submitsFree(), 1);
  });

  it('takes nothing new while the operator asked for a pause', async () => {
    const { gate, pass } = createGateAt();
    gate.take('a');
    gate.noteSubmission(throttled(3_000));
    assert.equal(gate.submitsFree(), 0);
    assert.equal(gate.reserve('b'), false);
    assert.equal(await gate.submitTurn(), 3_000, 'what has its turn already does not begin');
    assert.ok(gate.inquiriesFree() > 0, 'inquiries have a limit of their own');
    assert.equal(gate.answers(), true);
    pass(3_000);
    assert.equal(gate.reserve('b'), true);
    assert.equal(await gate.submitTurn(), 0);
  });

  it('does not open the breaker for an operator that asks for pauses', () => {
    const { gate, pass } = createGateAt();
    for (let n = 0; n < 20; n += 1) gate.noteSubmission(throttled(null));
    assert.equal(gate.isShut(), false);
    pass(1_000);
    assert.ok(gate.submitsFree() > 0);
  });

  it('is shut for a long pause, so that other routes take over what is queued', () => {
    const { gate, pass } = createGateAt();
    gate.noteSubmission(throttled(30_000));
    assert.equal(gate.isShut(), true);
    pass(25_000);
    assert.equal(gate.isShut(), false, 'what is left is short');
    assert.equal(gate.submitsFree(), 0);
  });

  it('asks nothing while the operator asked for a pause of inquiries', async () => {
    const { gate, pass } = createGateAt();
    const unanswered = (retryInMs: number | null): Outcome => ({
      kind: 'unanswered',
      cause: 'HTTP 429',
      retryInMs,
    });
    gate.noteInquiry(unanswered(null));
    assert.ok(gate.inquiriesFree() > 0, 'it did not say when');
    gate.takeInquiry();
    gate.noteInquiry(unanswered(2_000));
    assert.equal(gate.inquiriesFree(), 0);
    assert.equal(await gate.inquiryTurn(), 2_000);
    assert.ok(gate.submitsFree() > 0);
    pass(2_000);
    assert.ok(gate.inquiriesFree() > 0);
  });

  it('counts questions apart from submissions', () => {
    const { gate } = createGateAt({ concurrency: 2, inquiriesPerSecond: 100 });
    gate.take('a');
    gate.take('a');
    assert.equal(gate.inquiriesFree(), 2);
    gate.takeInquiry();
    gate.takeInquiry();
    assert.equal(gate.inquiriesFree(), 0);
    gate.releaseInquiry();
    assert.equal(gate.inquiriesFree(), 1);
    assert.equal(gate.used(), 3);
  });

  it('shuts when the operator stops answering, and while it says itself that it is closed', () => {
    const { gate, close } = createGateAt();
    assert.equal(gate.answers(), undefined);
    for (let n = 0; n < 5; n += 1) gate.noteSubmission(LOST);
    assert.equal(gate.isShut(), true);
    assert.equal(gate.reserve('a'), false);
    assert.equal(gate.answers(), false);
    gate.noteSubmission(PENDING);
    assert.equal(gate.isShut(), false);
    assert.equal(gate.reserve('a'), true);
    close();
    assert.equal(gate.isShut(), true);
    assert.equal(gate.submitsFree(), 0);
  });

  it('does not shut for an operator that recognises its own orders, as it does after a restore', () => {
    const { gate } = createGateAt();
    const duplicate: Outcome = { kind: 'unknown', cause: 'HTTP 409', isDuplicate: true };
    for (let n = 0; n < 50; n += 1) gate.noteSubmission(duplicate);
    assert.equal(gate.isShut(), false);
    assert.equal(gate.answers(), true);
  });

  it('lets nothing out while a person holds it, and is still not shut: others must not take over', () => {
    const { gate, hold } = createGateAt();
    hold(true);
    assert.equal(gate.reserve('a'), false);
    assert.equal(gate.submitsFree(), 0);
    assert.equal(gate.isHeld(), true);
    assert.equal(gate.isShut(), false);
    assert.ok(gate.inquiriesFree() > 0, 'what was sent is still asked about');
    for (let n = 0; n < 5; n += 1) gate.noteSubmission(LOST);
    assert.equal(gate.isShut(), false, 'also when its operator stops answering');
    gate.noteSubmission(PENDING);
    hold(false);
    assert.equal(gate.reserve('a'), true);
  });

  it('lets a bounded number of names be asked for each second', () => {
    const { gate, pass } = createGateAt();
    for (let n = 0; n < 4; n += 1) assert.notEqual(gate.nameTurn(), undefined);
    assert.equal(gate.nameTurn(), undefined, 'two a second, and two seconds ahead');
    pass(600);
    assert.notEqual(gate.nameTurn(), undefined);
    assert.equal(gate.nameTurn(), undefined);
  });
});
