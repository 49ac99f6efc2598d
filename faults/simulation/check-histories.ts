import type { HistoryEntry } from './database-model.ts';
import type { Report } from './finding.ts';
import type { ScheduleContext } from './schedule-context.ts';

/** The published state graph, repeated here so that an error in the service's own table is found. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  scheduled: ['queued', 'awaiting_approval', 'cancelled'],
  awaiting_approval: ['queued', 'scheduled', 'cancelled'],
  queued: ['submitting', 'awaiting_approval', 'cancelled'],
  submitting: ['submitted', 'succeeded', 'failed', 'in_doubt', 'queued'],
  submitted: ['succeeded', 'failed', 'in_doubt'],
  in_doubt: ['submitted', 'succeeded', 'failed'],
  succeeded: ['reversed'],
  failed: [],
  cancelled: [],
  reversed: [],
};
const FIRST_STATES: ReadonlySet<string> = new Set([
  'scheduled',
  'awaiting_approval',
  'queued',
  'submitting',
]);

/** Every history is one path through the state graph and ends in the transfer's state. */
export function checkHistories({ database, journal }: ScheduleContext, report: Report): void {
  for (const { transferId, says } of journal.forbidden) {
    report('I14', transferId, `the service attempted a forbidden move: ${says}`);
  }
  const byTransfer = new Map<string, HistoryEntry[]>();
  for (const entry of database.history()) {
    const known = byTransfer.get(entry.transferId);
    if (known === undefined) byTransfer.set(entry.transferId, [entry]);
    else known.push(entry);
  }
  for (const { transfer } of database.all()) {
    checkHistory(byTransfer.get(transfer.id) ?? [], transfer, report);
  }
}

function checkHistory(
  entries: readonly HistoryEntry[],
  transfer: Readonly<{ id: string; state: string }>,
  report: Report,
): void {
  let state: string | null = null;
  for (const { from, to, actor, cause } of entries) {
    const isWay = state === null ? FIRST_STATES.has(to) : (WAYS[state]?.includes(to) ?? false);
    if (from !== state || !isWay) {
      report('I14', transfer.id, `${from ?? 'nothing'} → ${to} after ${state ?? 'nothing'}`);
    }
    if (actor === '' || cause === '') report('I14', transfer.id, `${to} has no actor or no cause`);
    state = to;
  }
  if (state !== transfer.state)
    report('I14', transfer.id, `${transfer.state} is not its last entry`);
}
