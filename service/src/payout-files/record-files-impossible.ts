import { actorCode } from '../domain/actor.ts';
import { causeOf } from '../domain/cause.ts';
import type { EventType } from '../events/event-types.ts';
import { recordEvents } from '../events/record-events.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

const TYPE: EventType = 'payout_file.approval_impossible';

/** Writes the event that the people who are left cannot approve these files, and has open screens told. */
export async function recordFilesImpossible(
  tx: Queryable,
  { bookId, ids, at }: Readonly<{ bookId: string; ids: readonly string[]; at: Date }>,
): Promise<void> {
  const actor = actorCode({ kind: 'system', part: 'approvals' });
  await tx.query(TELL, [bookId, ids, at, TYPE, causeOf('APPROVAL_IMPOSSIBLE'), actor]);
}

const TELL: Statement = {
  name: '',
  text: `
    with numbered as (
      update payout_files f set event_seq = f.event_seq + 1, updated_at = $3
      where f.book_id = $1 and f.id = any ($2::uuid[]) and f.state = 'awaiting_approval'
      returning f.book_id, f.id, f.event_seq
    ),
    ${recordEvents(`
      select n.book_id, n.id, n.event_seq, $4, 'awaiting_approval', 'awaiting_approval', $5, $6, $3, true
      from numbered n`)}
    select id from numbered`,
};
