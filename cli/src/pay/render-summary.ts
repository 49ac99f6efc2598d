import { countOf, formatCount } from '../format-table.ts';
import { formatMoney } from '../payout-file/amount.ts';
import type { LineProblem } from '../payout-file/payout.ts';
import { countOutcomes, type LineOutcome, type OutcomeCounts } from './line-outcome.ts';
import type { PlannedLine } from './plan-payouts.ts';

/** More lines would hide the counts. The result file has all. */
const UNPAID_SHOWN_MAX = 10;

/** `3,990 accepted, 10 refused` */
export function renderCounts(outcomes: readonly LineOutcome[]): string {
  const counts = countOutcomes(outcomes);
  return listNonZero([
    [counts.accepted, 'accepted'],
    [counts.already_sent, 'already sent'],
    [counts.waiting, 'in a payout file that waits'],
    [counts.refused, 'refused'],
    [counts.conflict, 'in conflict'],
    [counts.unknown, 'without an answer'],
    [counts.not_sent, 'not sent'],
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

/** `9,000 successful, 12 pending` of counts with their names. */
export function listNonZero(counts: readonly (readonly [count: number, name: string])[]): string {
  const shown = counts.filter(([count]) => count > 0);
  return shown.map(([count, name]) => `${formatCount(count)} ${name}`).join(', ') || 'none yet';
}

/** A line with its final state, or its last known one. */
export type FinishedLine = PlannedLine & Readonly<{ outcome: LineOutcome }>;

/** The summary of the file, with the number of lines that need a person. */
export function renderSummary(
  finished: readonly FinishedLine[],
  /** Null: the result could not be written. */
  resultPath: string | null,
): string {
  const outcomes = finished.map(({ outcome }) => outcome);
  const counts = countOutcomes(outcomes);
  const lines = [`${countOf(outcomes.length, 'line')}: ${renderCounts(outcomes)}.`];
  if (counts.accepted > 0) lines.push(`Accepted by this run: ${renderAccepted(finished)}.`);
  if (counts.accepted + counts.already_sent > 0) lines.push(`Now: ${renderStatuses(outcomes)}.`);
  lines.push(...renderUnpaid(finished), ...advise(counts, outcomes));
  if (resultPath !== null) lines.push(`Every line is in ${resultPath}`);
  return lines.join('\n');
}

/** `ZMW 2,830.50 and fees of ZMW 7.50`, as the service booked them. */
function renderAccepted(finished: readonly FinishedLine[]): string {
  const sums = new Map<string, Readonly<{ amountMinor: bigint; feesMinor: bigint }>>();
  for (const { payout, outcome } of finished) {
    if (outcome.kind !== 'accepted') continue;
    const sum = sums.get(payout.currency) ?? { amountMinor: 0n, feesMinor: 0n };
    sums.set(payout.currency, {
      amountMinor: sum.amountMinor + payout.amountMinor,
      feesMinor: sum.feesMinor + outcome.transfer.feeMinor,
    });
  }
  return [...sums]
    .map(([currency, { amountMinor, feesMinor }]) => {
      const fees = feesMinor === 0n ? '' : ` with fees of ${currency} ${formatMoney(feesMinor)}`;
      return `${currency} ${formatMoney(amountMinor)}${fees}`;
    })
    .join(' and ');
}

/** The first lines that were refused or failed, with the reason. */
function renderUnpaid(finished: readonly FinishedLine[]): readonly string[] {
  const reasons = finished.flatMap(({ payout, outcome }) => {
    const reason = whyUnpaid(outcome);
    return reason === undefined ? [] : [`  line ${payout.line}, ${payout.phone}: ${reason}`];
  });
  const more = reasons.length - UNPAID_SHOWN_MAX;
  const rest = more > 0 ? [`  and ${countOf(more, 'more line')}.`] : [];
  return [...reasons.slice(0, UNPAID_SHOWN_MAX), ...rest];
}

function whyUnpaid(outcome: LineOutcome): string | undefined {
  if (outcome.kind === 'refused' || outcome.kind === 'conflict') {
    return `${outcome.kind}, ${outcome.code}: ${outcome.message}`;
  }
  if (!('transfer' in outcome) || outcome.transfer.failure === null) return undefined;
  const { status, failure } = outcome.transfer;
  return `${status}, ${failure.code}: ${failure.message}`;
}

function advise(counts: OutcomeCounts, outcomes: readonly LineOutcome[]): readonly string[] {
  const advice = [];
  const { failed, cancelled, reversed } = counts.statuses;
  const undone = cancelled + reversed;
  if (counts.already_sent === outcomes.length) {
    const again = ' To pay them once more, give other references or another --batch.';
    advice.push(
      `All of it was sent before, first at ${firstSentAt(outcomes)}: this run paid no one.` +
        (failed + undone === 0 ? again : ''),
    );
  }
  if (undone > 0) {
    // Another --batch for the whole file would pay all others again.
    const [it, its] = undone === 1 ? ['it', 'its'] : ['them', 'their'];
    advice.push(
      `${countOf(undone, 'line')} cancelled or reversed. To pay ${it} after all, put ${it} into a file of ` +
        `${its} own, with new references or another --batch.`,
    );
  }
  if (counts.unknown > 0) {
    advice.push(
      `${countOf(counts.unknown, 'line')} without an answer may still be paid: run the same command ` +
        'again before you pay anyone by hand.',
    );
  }
  if (counts.not_sent > 0) {
    advice.push(`${countOf(counts.not_sent, 'line')} still to send: run the same command again.`);
  }
  if (failed > 0) {
    advice.push(
      `${countOf(failed, 'line')} failed, and the money is back in the wallet. To pay them again ` +
        'under new references: --retry-failed.',
    );
  }
  if (counts.conflict > 0) {
    advice.push(
      `${countOf(counts.conflict, 'line')} in conflict: their references belong to payouts that ` +
        'say something else. Look at them before you pay anyone by hand.',
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

/** Every wrong line, with the line number as editors count it. */
export function renderProblems(path: string, problems: readonly LineProblem[]): string {
  const lines = problems.map(({ line, column, reason }) => {
    const place = [line === null ? '' : `line ${line}`, column ?? ''].filter(Boolean).join(', ');
    return place === '' ? reason : `${place}: ${reason}`;
  });
  return [`${path}: nothing was sent.`, ...lines].join('\n');
}
