import type { StaffOverview } from '../../api/staff-types.ts';
import type { TransferState } from '../../api/types.ts';

/** What waits for our turn or the operator's, and not for people, a date or proof. */
const QUEUES: readonly TransferState[] = ['queued', 'submitting', 'submitted'];

export function findOldest({ queues }: Pick<StaffOverview, 'queues'>) {
  return queues
    .filter(({ mode, state }) => mode === 'live' && QUEUES.includes(state))
    .toSorted((a, b) => (a.oldestAt < b.oldestAt ? -1 : 1))[0];
}
