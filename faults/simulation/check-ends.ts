import type { StoredTransfer } from './database-model.ts';
import type { Report } from './finding.ts';
import { isForgotten } from './operator-model.ts';
import type { ScheduleContext } from './schedule-context.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Long enough for a lease to expire and a scanner to find the transfer. */
const OVERDUE_MAX_MS = 2 * MINUTE_MS;
/** The longest wait between two inquiries. */
const NEXT_CHECK_MAX_MS = HOUR_MS + OVERDUE_MAX_MS;
const FINAL: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled', 'reversed']);

/** Long after the last fault, every transfer that has not ended visibly waits for something. */
export function checkEnds(context: ScheduleContext, report: Report): void {
  for (const row of context.database.all()) {
    checkNextAction(context, row, report);
    if (!FINAL.has(row.transfer.state)) checkWaiting(context, row, report);
  }
}

function checkNextAction(
  { eventQueue }: ScheduleContext,
  row: StoredTransfer,
  report: Report,
): void {
  const { transfer, nextActionAtMs, flagged } = row;
  const { id, state } = transfer;
  // It waits for people until it expires.
  if (state === 'awaiting_approval') return;
  if (nextActionAtMs === null) {
    if (!FINAL.has(state) && !flagged) report('I13', id, `${state}, but has no next action`);
    return;
  }
  const waitMs = nextActionAtMs - eventQueue.nowMs();
  if (waitMs < -OVERDUE_MAX_MS) report('I13', id, `${state}, overdue by ${-waitMs} ms`);
  if (waitMs > NEXT_CHECK_MAX_MS)
    report('I13', id, `${state}, but its next action is in ${waitMs} ms`);
}

function checkWaiting(
  { eventQueue, operators, plan }: ScheduleContext,
  row: StoredTransfer,
  report: Report,
): void {
  const { id, state, route, operatorReference } = row.transfer;
  if (state === 'queued' || state === 'submitting') {
    return report('I13', id, `still ${state}long after the faults ended`);
  }
  const operator = operators.find((one) => one.plan.name === route);
  const entry = operator?.book().find(({ reference }) => reference === operatorReference);
  if (operator === undefined || entry === undefined || row.flagged) return;
  if (!operator.plan.abilities.inquires)
    return report('I13', id, `${state}, but its operator has no inquiries`);
  const forgotten = isForgotten(operator.plan, entry, eventQueue.nowMs());
  const isReported =
    entry.decidedAtMs < plan.healsAtMs && entry.paidMinor === entry.orderedMinor && !forgotten;
  const isLie = operator.lies().has(operatorReference);
  if (isReported && !isLie)
    report('I13', id, `${state}, although an inquiry would show the outcome`);
}
