import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Outcome } from '../../domain/outcome.ts';
import { createAllowance } from './allowance.ts';
import { createLiveGate } from './route-gate.ts';

const LOST: Outcome = { kind: 'unknown', cause: 'timeout' };
const PENDING: Outcome = { kind: 'pending', askInMs: 1_000 };

function createGateAt({ concurrency = 10, submitsPerSecond = 100, inquiriesPerSecond = 10 } = {}) {
  let nowMs = 0;
  let closed = false;
  let held = false;
  const gate = createLiveGate({
    pressure: () => ({ concurrency, submitsPerSecond, inquiriesPerSecond, namesPerSecond: 2 }),
    isClosed: () => closed,
    isHeld: () => held,
    monotonicMs: () => nowMs,
    random: () => 0.5,
    pace: 1,
  });
  return {
    gate,
    pass: (ms: number) => void (nowMs += ms),
    close: () => {
      closed = true;
    },
    hold: (isHeld: boolean) => {
      held = isHeld;
    },
  };
}

describe('an allowance', () => {
  it('lets so many through each second, and saves no more than one second', () => {
    let nowMs = 0;
    const allowance = createAllowance({ perSecond: () => 10, monotonicMs: () => nowMs });
    let through = 0;
    for (; nowMs < 10_000; nowMs += 10) {
      if (allowance.free() === 0) continue;
      allowance.take();
      through += 1;
    }
    assert.ok(through >= 108 && through <= 110, `${through} in ten seconds`);
    nowMs += 60_000;
    assert.equal(allowance.free(), 10);
  });
});

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

  it('lets no more through each second than the operator may have', () => {
    const { gate, pass } = createGateAt({ concurrency: 1_000, submitsPerSecond: 5 });
    for (let n = 0; n < 5; n += 1) assert.equal(gate.reserve(`book ${n}`), true);
    assert.equal(gate.reserve('one more'), false);
    pass(200);
    assert.equal(gate.reserve('one more'), true);
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
    assert.deepEqual(
      [gate.mayAskName(), gate.mayAskName(), gate.mayAskName()],
      [true, true, false],
    );
    pass(500);
    assert.equal(gate.mayAskName(), true);
  });
});
