import assert from 'node:assert/strict';
import { it } from 'node:test';
import { payoutOf } from '../../test/fake-kafue.ts';
import { type LineOutcome, NOT_SENT } from './line-outcome.ts';
import { renderSummary } from './render-summary.ts';

const LOST: LineOutcome = { kind: 'unknown', code: 'TIMEOUT', message: 'No answer came.' };

const summaryOf = (outcomes: readonly LineOutcome[]) =>
  renderSummary(
    outcomes.map((outcome, index) => ({ payout: payoutOf(`ref-${index}`), outcome })),
    'salaries.result.csv',
  ).split('\n');

it('says of lines without an answer that they may still be paid, and only of others that they are to send', () => {
  assert.deepEqual(summaryOf([LOST, LOST, NOT_SENT]), [
    '3 lines: 2 without an answer, 1 not sent.',
    '2 lines without an answer may still be paid: run the same command again before you pay anyone by hand.',
    '1 line still to send: run the same command again.',
    'Every line is in salaries.result.csv',
  ]);
  assert.ok(!summaryOf([LOST]).some((line) => line.includes('to send')));
});
