import type { ChangedFile } from '../../views/list-changed-files.ts';
import type { Change } from '../../views/list-changes.ts';
import type { NewApproval } from '../../views/list-new-approvals.ts';

/** A comment that says: the stream is alive, and nothing was missed up to now. */
export const HEARTBEAT = ': beat\n\n';

/** What changed: the first word of an event's type. */
function whatOf({ type }: Change): string {
  return type.slice(0, type.indexOf('.'));
}

/** Whether a person who may read webhooks, but no payouts, may know of it. */
export function isAboutWebhooks(change: Change): boolean {
  return whatOf(change) === 'webhook';
}

export function bookMessage(change: Change): string {
  const what = whatOf(change);
  const { subjectId: id, state, reference, at } = change;
  if (what === 'payout_file') return message({ what: 'file', id, state, at });
  return message(what === 'transfer' ? { what, id, state, reference, at } : { what, id, at });
}

export function staffMessage(change: Change): string {
  const what = whatOf(change);
  const { subjectId: id, state, merchantId, at } = change;
  return message(
    what === 'transfer' ? { what, id, state, merchantId, at } : { what, id, merchantId, at },
  );
}

/** A payout file changed: its rows, its progress or its state. */
export function fileMessage({ id, state, at }: ChangedFile): string {
  return message({ what: 'file', id, state, at });
}

/** A person approved or rejected it; perhaps more approvals are wanted. */
export function approvalMessage({ kind, id, state, reference, at }: NewApproval): string {
  return message(
    kind === 'file'
      ? { what: 'file', id, state, at }
      : { what: 'transfer', id, state, reference, at },
  );
}

/** Something of this kind changed, or `many`: more than is named, so the reader loads its lists anew. No one thing is named. */
export function kindMessage(what: 'many' | 'incident' | 'route' | 'doubt', at: Date): string {
  return message({ what, id: '', at });
}

function message(facts: object): string {
  return `event: changed\ndata: ${JSON.stringify(facts)}\n\n`;
}
