import { actorCode } from '../domain/actor.ts';
import type { EventType } from '../events/event-types.ts';
import { recordEvents } from '../events/record-events.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

const TYPE: EventType = 'payout_file.not_submitted';

/** Writes the event that the draft of a schedule could not be submitted, and has open screens told. */
export async function recordNotSubmitted(
  tx: Queryable,
  { bookId, id, cause }: Readonly<{ bookId: string; id: string; cause: string }>,
): Promise<void> {
  const actor = actorCode({ kind: 'system', part: 'schedule' });
  await tx.query(TELL, [bookId, id, TYPE, cause, actor]);
}

const TELL: Statement = {
  name: '',
  text: `
    with numbered as (
      update payout_files f set event_seq = f.event_seq + 1, updated_at = now()
      where f.book_id = $1 and f.id = $2 and f.state = 'draft'
      returning f.book_id, f.id, f.event_seq
    ),
    ${recordEvents(`
      select n.book_id, n.id, n.event_seq, $3, 'draft', 'draft', $4, $5, now(), true
      from numbered n`)}
    select id from numbered`,
};
