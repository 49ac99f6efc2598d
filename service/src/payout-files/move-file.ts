import { type Actor, actorCode } from '../domain/actor.ts';
import { type CauseCode, causeOf } from '../domain/cause.ts';
import type { EventType } from '../events/event-types.ts';
import { recordEvents } from '../events/record-events.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { SubmittedState } from './submitted-file.ts';

/** A change of a file's state, with its event. */
export type FileMove = Readonly<{
  bookId: string;
  id: string;
  from: readonly (SubmittedState | 'draft')[];
  to: SubmittedState;
  actor: Actor;
  cause: CauseCode;
  at: Date;
  /** When the service looks at it again, at a time or so long from now by the database's clock; null: never. */
  due: Date | Readonly<{ inMs: number }> | null;
  /** Why it was cancelled. */
  endedAs?: string;
}>;

export const AT_ONCE = { inMs: 0 } as const;

const EVENTS: Readonly<Record<SubmittedState, EventType>> = {
  awaiting_approval: 'payout_file.awaiting_approval',
  scheduled: 'payout_file.scheduled',
  paying: 'payout_file.paying',
  done: 'payout_file.done',
  cancelled: 'payout_file.cancelled',
};

/** Moves a file to another state. False: it was in none of the states that the move is from. */
export async function moveFile(tx: Queryable, move: FileMove): Promise<boolean> {
  const { to, at, due } = move;
  const rows = await tx.query<{ moved: number }>(MOVE, [
    move.bookId,
    move.id,
    move.from,
    to,
    at,
    due instanceof Date ? due : null,
    to === 'done' || to === 'cancelled' ? at : null,
    to === 'cancelled' ? (move.endedAs ?? 'CANCELLED') : null,
    actorCode(move.actor),
    EVENTS[to],
    causeOf(move.cause),
    due instanceof Date ? null : (due?.inMs ?? null),
  ]);
  return rows[0]?.moved === 1;
}

const MOVE: Statement = {
  name: 'move-file',
  text: `
    with before as (
      select book_id, id, state from payout_files where book_id = $1 and id = $2 for no key update
    ),
    given as (
      select $4::text as state, $5::timestamptz as at, $7::timestamptz as ended_at, $8::text as ended_as,
             $9::text as actor,
             -- By the database's clock: that of this process may be wrong.
             coalesce($6::timestamptz, now() + $12::double precision * interval '1 ms') as due_at
    ),
    moved as (
      update payout_files f
      set state = g.state, updated_at = g.at,
          next_action_at = g.due_at,
          ended_at = g.ended_at, ended_as = g.ended_as,
          ended_by = case when g.ended_at is not null then g.actor end,
          paying_at = case when g.state = 'paying' then g.at else f.paying_at end,
          taken_at = case when g.state = 'paying' then now() else f.taken_at end,
          approval_expires_at = case when g.state = 'awaiting_approval' then g.due_at end,
          lease_owner = null, event_seq = f.event_seq + 1
      from before b, given g
      where f.book_id = b.book_id and f.id = b.id and f.state = any ($3::text[])
      returning f.book_id, f.id, f.event_seq, b.state as from_state
    ),
    ${recordEvents(`
      select m.book_id, m.id, m.event_seq, $10::text, m.from_state, g.state, $11::text, g.actor, g.at, true
      from moved m, given g`)}
    select count(*)::integer as moved from moved`,
};
