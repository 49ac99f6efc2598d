import type { Report } from './finding.ts';
import type { ScheduleContext } from './schedule-context.ts';

/** Nothing leaves before its time; what is late, or whose number is denied, waits for a person. */
export function checkControls(context: ScheduleContext, report: Report): void {
  checkTimes(context, report);
  checkHeldBack(context, report);
  for (const { transfer } of context.database.all()) {
    const { id, state } = transfer;
    const isWaiting = state === 'scheduled' || state === 'awaiting_approval';
    if (isWaiting) report('I13', id, `still ${state}, although people looked at all that waits`);
  }
}

function checkTimes({ database, journal, toDate }: ScheduleContext, report: Report): void {
  for (const { reference, atMs } of journal.sends) {
    const transfer = database.findByOperatorReference(reference)?.transfer;
    const sendAt = transfer?.sendAt ?? null;
    if (transfer === undefined || sendAt === null || toDate(atMs) >= sendAt) continue;
    report('I31', transfer.id, 'it was sent before its time');
  }
}

function checkHeldBack({ journal }: ScheduleContext, report: Report): void {
  for (const { transferId, to, why } of journal.left) {
    if (why !== null) report('I35', transferId, `it was ${why}, and became ${to} without a person`);
  }
}
