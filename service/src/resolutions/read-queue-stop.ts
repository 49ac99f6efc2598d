import type { Transfer } from '../domain/transfer.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { IS_HELD_WITH_FILE } from '../transfers/move/held-with-file.ts';
import { isPaidElsewhere } from '../transfers/move/paid-elsewhere.ts';
import type { StopEffect } from './stop-routes.ts';

/** Why a transfer does not leave the queue or its schedule before a person acts. */
export type QueueStop = 'paidElsewhere' | 'suspended' | 'heldWithFile' | StopEffect;

/** Null: no person has stopped it, and nothing waits for one. */
export async function readQueueStop(
  database: Queryable,
  { bookId, id, state }: Transfer,
): Promise<QueueStop | null> {
  if (state !== 'queued' && state !== 'scheduled') return null;
  const [row] = await database.query<StopRow>(READ, [bookId, id]);
  if (row === undefined) return null;
  if (state === 'queued' && row.is_paid_elsewhere) return 'paidElsewhere';
  if (row.is_suspended) return 'suspended';
  if (state === 'queued' && row.is_held_with_file) return 'heldWithFile';
  return state === 'queued' ? row.route_stop : null;
}

type StopRow = {
  is_paid_elsewhere: boolean;
  is_suspended: boolean;
  is_held_with_file: boolean;
  route_stop: StopEffect | null;
};

const READ: Statement = {
  name: '',
  text: `
    select ${isPaidElsewhere('t.route')} as is_paid_elsewhere,
           b.suspended_at is not null as is_suspended,
           ${IS_HELD_WITH_FILE} as is_held_with_file,
           (select h.effect from route_holds h where h.route = t.route) as route_stop
    from transfers t
    join books b on b.id = t.book_id
    where t.book_id = $1 and t.id = $2`,
};
