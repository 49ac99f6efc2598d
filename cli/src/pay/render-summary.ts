import { countOf, formatCount } from '../format-table.ts';
import type { LineProblem } from '../payout-file/payout.ts';
import { countOutcomes, type LineOutcome, type OutcomeCounts } from './line-outcome.ts';

/** `3,990 accepted, 10 refused` */
export function renderCounts(outcomes: readonly LineOutcome[]): string {
  const counts = countOutcomes(outcomes);
  return listNonZero([
    [counts.accepted, 'accepted'],
    [counts.already_sent, 'already sent'],
    [counts.refused, 'refused'],
    [counts.conflict, 'in conflict'],
    [counts.unknown, 'without an answer'],
  ]);
}

/** `9,000 successful, 12 pending` */
export function renderStatuses(outcomes: readonly LineOutcome[]): string {
  const { statuses } = countOutcomes(outcomes);
  return listNonZero([
    [statuses.successful, 'successful'],
    [statuses.failed, 'failed'],
    [statuses.cancelled, 'cancelled'],
    [statuses.reversed, 'reversed'],
    [statuses.pending, 'pending'],
  ]);
}

function listNonZero(counts: readonly (readonly [count: number, name: string])[]): string {
  const shown = counts.filter(([count]) => count > 0);
  return shown.map(([count, name]) => `${formatCount(count)} ${name}`).join(', ') || 'none yet';
}

/** What became of the file, with every line that somebody has to look at counted. */
export function renderSummary(outcomes: readonly LineOutcome[], resultPath: string): string {
  const counts = countOutcomes(outcomes);
  const lines = [`${countOf(outcomes.length, 'line')}: ${renderCounts(outcomes)}.`];
  if (counts.accepted + counts.already_sent > 0) lines.push(`Now: ${renderStatuses(outcomes)}.`);
  lines.push(...advise(counts, outcomes), `Every line is in ${resultPath}`);
  return lines.join('\n');
}

function advise(counts: OutcomeCounts, outcomes: readonly LineOutcome[]): readonly string[] {
  const advice = [];
  if (counts.already_sent === outcomes.length) {
    advice.push(
      `All of it was sent before, first at ${firstSentAt(outcomes)}: this run paid nobody. ` +
        'To pay them once more, give other references or another --batch.',
    );
  }
  if (counts.unknown + counts.not_sent > 0) {
    const count = counts.unknown + counts.not_sent;
    advice.push(`${countOf(count, 'line')} still to send: run the same command again.`);
  }
  if (counts.conflict > 0) {
    advice.push(
      `${countOf(counts.conflict, 'line')} in conflict: their references belong to payouts that ` +
        'say something else. Look at them before you pay anybody by hand.',
    );
  }
  return advice;
}

function firstSentAt(outcomes: readonly LineOutcome[]): string {
  return outcomes.reduce((first, outcome) => {
    if (!('transfer' in outcome)) return first;
    const { createdAt } = outcome.transfer;
    return first === '' || createdAt < first ? createdAt : first;
  }, '');
}

/** Every bad line, as a person looks for it. */
export function renderProblems(path: string, problems: readonly LineProblem[]): string {
  const lines = problems.map(({ line, column, reason }) => {
    const place = [line === null ? '' : `line ${line}`, column ?? ''].filter(Boolean).join(', ');
    return place === '' ? reason : `${place}: ${reason}`;
  });
  return [`${path}: nothing was sent.`, ...lines].join('\n');
}
