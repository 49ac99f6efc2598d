import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findSendAtProblem } from './send-at.ts';

const NOW = new Date('2026-03-05T08:00:00Z');
const DAYS_90_MS = 90 * 24 * 60 * 60_000;

const problemOf = (aheadMs: number) =>
  findSendAtProblem(new Date(NOW.getTime() + aheadMs), NOW)?.code;

describe('a time to send at', () => {
  it('may be left out', () => {
    assert.equal(findSendAtProblem(null, NOW), null);
  });

  it('is now at the earliest, and 90 days ahead at the latest', () => {
    assert.equal(problemOf(0), undefined);
    assert.equal(problemOf(DAYS_90_MS), undefined);
  });

  it('is refused one millisecond before and one after', () => {
    assert.equal(problemOf(-1), 'INVALID_SEND_AT');
    assert.equal(problemOf(DAYS_90_MS + 1), 'INVALID_SEND_AT');
  });
});
