import assert from 'node:assert/strict';
import { it } from 'node:test';
import { payoutOf, transferOf } from '../../test/fake-kafue.ts';
import { type LineOutcome, NOT_SENT, toSentTransfer } from './line-outcome.ts';
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

const sentAs = (status: string): LineOutcome => ({
  kind: 'already_sent',
  transfer: toSentTransfer(transferOf('a', { status }) as never),
});

it('advises to pay all of a file again only where all of it is paid or pending', () => {
  const text = (statuses: readonly string[]) => summaryOf(statuses.map(sentAs)).join('\n');
  assert.match(text(['successful', 'pending']), /paid no one\. To pay them once more, .*--batch/);
  for (const status of ['cancelled', 'reversed']) {
    const advice = text(['successful', status]);
    assert.doesNotMatch(advice, /To pay them once more/);
    assert.match(
      advice,
      /^1 line cancelled or reversed\. To pay it after all, put it into a file of its own/m,
    );
  }
  assert.doesNotMatch(text(['successful', 'failed']), /To pay them once more/);
});
