import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RETRY_AFTER_MAX_SECONDS } from '../delivery-schedule.ts';
import { readRetryAfter, toShowableText } from './read-answer.ts';

const NOW = new Date('2026-03-05T08:00:00Z');

describe('the text of an answer', () => {
  it('leaves out a character that was cut in two', () => {
    const whole = Buffer.from('reçu €');
    assert.equal(toShowableText(whole), 'reçu €');
    assert.equal(toShowableText(whole.subarray(0, -1)), 'reçu ');
  });

  it('has a space for what would hide or reorder its characters', () => {
    assert.equal(toShowableText(Buffer.from('a\u0000b\nc\u202ed\u2028e')), 'a b c d e');
  });
});

describe('Retry-After', () => {
  it('is seconds, or a date', () => {
    assert.equal(readRetryAfter('120', NOW), 120);
    assert.equal(readRetryAfter('Thu, 05 Mar 2026 08:01:30 GMT', NOW), 90);
  });

  it('is at least zero, and not more than the most that is waited', () => {
    assert.equal(readRetryAfter('Thu, 05 Mar 2026 07:00:00 GMT', NOW), 0);
    assert.equal(readRetryAfter('999999999', NOW), RETRY_AFTER_MAX_SECONDS);
  });

  it('counts for nothing when it is left out or not readable', () => {
    assert.equal(readRetryAfter(undefined, NOW), undefined);
    assert.equal(readRetryAfter('soon', NOW), undefined);
  });
});
