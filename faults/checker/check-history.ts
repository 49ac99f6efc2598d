import type { EventRow, Snapshot, TransferRow } from './snapshot.ts';
import { type Found, report } from './violation.ts';

/** The published state graph. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  scheduled: ['queued', 'awaiting_approval', 'cancelled'],
  awaiting_approval: ['queued', 'scheduled', 'cancelled', 'awaiting_approval'],
  queued: ['submitting', 'awaiting_approval', 'cancelled'],
  submitting: ['submitted', 'succeeded', 'failed', 'in_doubt', 'queued'],
  submitted: ['succeeded', 'failed', 'in_doubt'],
  in_doubt: ['submitted', 'succeeded', 'failed'],
  succeeded: ['reversed'],
  failed: [],
  cancelled: [],
  reversed: [],
};
const FIRST = ['scheduled', 'awaiting_approval', 'queued', 'submitting'];
/** A transfer enters one of these at most once, and only `reversed` may follow. */
const ENDS = ['succeeded', 'failed', 'cancelled'];
const TERMINAL = [...ENDS, 'reversed'];

/** I14: a transfer's events are one path through the state graph and end in its current state. */
export function checkHistory(snapshot: Snapshot, found: Found): void {
  const byTransfer = Map.groupBy(snapshot.events, ({ transferId }) => transferId);
  for (const transfer of snapshot.transfers) {
    checkWay(transfer, byTransfer.get(transfer.id) ?? [], found);
  }
  const known = new Set(snapshot.transfers.map(({ id }) => id));
  for (const [id, events] of byTransfer) {
    if (!known.has(id)) report(found, 'I14', { id }, 'events without a transfer', { events });
  }
}

function checkWay(transfer: TransferRow, events: readonly EventRow[], found: Found): void {
  const way = events.map(({ toState }) => toState);
  const complain = (says: string) => report(found, 'I14', transfer, says, { way, transfer });
  let before: EventRow | undefined;
  for (const [index, event] of events.entries()) {
    if (event.seq !== index + 1) complain(`event ${index + 1} is missing`);
    if (event.fromState !== (before?.toState ?? null)) {
      complain(`event ${event.seq} starts from ${event.fromState}, not where the last one ended`);
    }
    if (!mayFollow(before, event)) {
      complain(`${before?.toState ?? 'nothing'} must not be followed by ${event.toState}`);
    }
    if (event.actor === '' || event.cause === '') complain(`event ${event.seq} has no reason`);
    before = event;
  }
  if (way.filter((state) => ENDS.includes(state ?? '')).length > 1) complain('it ended twice');
  if (transfer.eventSeq !== events.length) complain('events are missing at the end');
  if (transfer.state !== before?.toState)
    complain(`it is ${transfer.state}, but its last event says otherwise`);
  if (TERMINAL.includes(transfer.state) !== (transfer.completedAt !== null)) {
    complain('it has ended without a completion time, or has one without having ended');
  }
}

function mayFollow(before: EventRow | undefined, { toState }: EventRow): boolean {
  const allowed = before === undefined ? FIRST : (NEXT[before.toState ?? ''] ?? []);
  return allowed.includes(toState ?? '');
}
