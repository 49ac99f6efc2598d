import { checkAnswers } from './check-answers.ts';
import { checkBooks } from './check-books.ts';
import { checkControls } from './check-controls.ts';
import { checkEnds } from './check-ends.ts';
import { checkHistories } from './check-histories.ts';
import { checkMoney } from './check-money.ts';
import { checkResubmissions } from './check-resubmissions.ts';
import type { Finding, Report } from './finding.ts';
import type { ScheduleContext } from './schedule-context.ts';

/** Checks every invariant after a schedule. */
export function checkSchedule(
  context: ScheduleContext,
  { isComplete }: Readonly<{ isComplete: boolean }>,
): readonly Finding[] {
  const findings: Finding[] = [];
  const report: Report = (invariant, transferId, says) => {
    findings.push({ invariant, transferId, says });
  };
  if (!isComplete) report('I13', null, 'the schedule does not end');
  checkBooks(context, report);
  checkResubmissions(context, report);
  checkMoney(context, report);
  checkHistories(context, report);
  checkEnds(context, report);
  checkAnswers(context, report);
  checkControls(context, report);
  return findings;
}
