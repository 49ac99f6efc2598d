import type { Kafue, Mode, PayoutFile } from '../../../sdk/src/index.ts';
import { EXIT, type ExitCode } from '../cli-problem.ts';
import type { CliProcess } from '../cli-process.ts';
import { explainError } from '../explain-error.ts';
import { describePayment } from './describe-payment.ts';
import { explainApproval } from './explain-approval.ts';
import { countOutcomes, type LineOutcome } from './line-outcome.ts';
import { type FinishedLine, renderSummary } from './render-summary.ts';
import { type ResultPlace, writeResult } from './result-file.ts';
import type { Finished } from './submit-and-follow.ts';
import { totalPayouts } from './total-payouts.ts';

export type ReportDeps = Pick<CliProcess, 'writeOut' | 'writeError'> &
  Readonly<{
    kafue: Pick<Kafue, 'policy'>;
    /** For people. */
    say: (text: string) => void;
  }>;

export type Report = Readonly<{
  /** Of the file that was paid. */
  path: string;
  result: ResultPlace;
  mode: Mode;
  finished: Finished;
  /** The time that was asked for. */
  payAt: string | undefined;
  wasWatched: boolean;
  asJson: boolean;
}>;

/** Writes the result of each line and prints the summary; returns the exit code. */
export async function reportPayment(deps: ReportDeps, report: Report): Promise<ExitCode> {
  const { path, result, mode, finished, asJson } = report;
  const { lines, files, endedBy } = finished;
  const writeProblem = await tryToWrite(result, lines);
  const otherTimes = explainOtherTimes(files, report.payAt);
  const isWhole = writeProblem.length === 0 && otherTimes.length === 0;
  const judged = judge(finished, report);
  const isGood = judged === EXIT.done || judged === EXIT.awaitsApproval;
  const exitCode = isGood && !isWhole ? EXIT.incomplete : judged;
  const resultFile = writeProblem.length === 0 ? result.path : null;
  const approvals = await explainApproval(deps.kafue, files);
  const texts = [renderSummary(lines, resultFile), ...writeProblem, ...otherTimes, ...approvals];
  deps.say(`${texts.join('\n')}\n`);
  if (endedBy !== undefined) deps.writeError(`Ended early: ${explainError(endedBy).message}\n`);
  if (asJson) {
    const counts = countOutcomes(lines.map(({ outcome }) => outcome));
    const document = {
      file: path,
      sent: wasSent(lines),
      mode,
      ...describePayment(totalAccepted(lines)),
      counts,
      payoutFiles: files.map(({ id, name, state }) => ({ id, name, state })),
      resultFile,
      exitCode,
    };
    deps.writeOut(`${JSON.stringify(document, null, 2)}\n`);
  }
  return exitCode;
}

/** Null: not known, because an answer was lost or a file is being paid. A program must not read it as "no". */
function wasSent(lines: readonly FinishedLine[]): boolean | null {
  if (lines.some(({ outcome }) => outcome.kind === 'accepted')) return true;
  return lines.some(({ outcome }) => mayBeSent(outcome)) ? null : false;
}

function mayBeSent(outcome: LineOutcome): boolean {
  if (outcome.kind === 'unknown') return true;
  return outcome.kind === 'waiting' && !WAITS_FOR_LATER.includes(outcome.code);
}

const WAITS_FOR_LATER: readonly string[] = ['AWAITING_APPROVAL', 'SCHEDULED'];

/** The error if the result cannot be written. People have been paid, so it includes the summary. */
async function tryToWrite(
  result: ResultPlace,
  lines: readonly FinishedLine[],
): Promise<readonly string[]> {
  try {
    await writeResult(result, lines);
    return [];
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return [
      `The result could not be written to ${result.path}${why}. Run the same command again with another --result: ` +
        'lines that were sent are not paid again.',
    ];
  }
}

/** Names files that are under way and are paid at another time than this run asks for. */
function explainOtherTimes(
  files: readonly PayoutFile[],
  payAt: string | undefined,
): readonly string[] {
  if (payAt === undefined) return [];
  const isOther = (file: PayoutFile): boolean => Date.parse(file.payAt ?? '') !== Date.parse(payAt);
  return files.filter(isOther).map(({ name, id, payAt: inForce }) => {
    const when = inForce === null ? 'as soon as it may' : `at ${inForce}`;
    return (
      `The payout file ${name} (${id}) was submitted before, and is paid ${when}, not at the time of --pay-at. ` +
      'To change the time, cancel it in the console, then run this command again with --allow-cancelled.'
    );
  });
}

/** What this run sent, with the fees that the service booked. */
function totalAccepted(lines: readonly FinishedLine[]) {
  const fees = new Map<string, bigint>();
  const accepted = lines.flatMap(({ payout, outcome }) => {
    if (outcome.kind !== 'accepted') return [];
    fees.set(payout.reference, outcome.transfer.feeMinor);
    return [payout];
  });
  return totalPayouts(accepted, ({ reference }) => fees.get(reference) ?? 0n);
}

function judge(
  { lines, endedBy }: Finished,
  { wasWatched }: Readonly<{ wasWatched: boolean }>,
): ExitCode {
  if (endedBy !== undefined) return explainError(endedBy).exitCode;
  const outcomes = lines.map(({ outcome }) => outcome);
  const { accepted, already_sent, statuses } = countOutcomes(outcomes);
  const countWaiting = (code: string): number =>
    outcomes.filter((one) => one.kind === 'waiting' && one.code === code).length;
  const awaiting = countWaiting('AWAITING_APPROVAL');
  const taken = accepted + already_sent + awaiting + countWaiting('SCHEDULED');
  const unpaid = statuses.failed + statuses.cancelled + statuses.reversed;
  if (taken < lines.length || unpaid > 0) return EXIT.incomplete;
  if (awaiting > 0) return EXIT.awaitsApproval;
  return wasWatched && statuses.pending > 0 ? EXIT.incomplete : EXIT.done;
}
