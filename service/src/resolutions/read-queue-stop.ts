import type { Transfer } from '../domain/transfer.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { isPaidElsewhere } from '../transfers/move/paid-elsewhere.ts';
import { FILE_STOP, type FileStop } from './file-stop.ts';
import type { StopEffect } from './stop-routes.ts';

/** Why a transfer does not leave the queue or its schedule: a person has to act, or it is about to be cancelled. */
export type QueueStop =
  | 'paidElsewhere'
  | 'suspended'
  | 'heldWithFile'
  | 'cancelledWithFile'
  | StopEffect;

/** Null: nothing keeps it there. */
export async function readQueueStop(
  database: Queryable,
  { bookId, id, state }: Transfer,
): Promise<QueueStop | null> {
  if (state !== 'queued' && state !== 'scheduled') return null;
  const [row] = await database.query<StopRow>(READ, [bookId, id]);
  if (row === undefined) return null;
  if (state === 'queued' && row.is_paid_elsewhere) return 'paidElsewhere';
  // Also of a suspended merchant.
  if (state === 'queued' && row.file_stop === 'cancelled') return 'cancelledWithFile';
  if (row.is_suspended) return 'suspended';
  if (state === 'queued' && row.file_stop === 'waits') return 'heldWithFile';
  return state === 'queued' ? row.route_stop : null;
}

type StopRow = {
  is_paid_elsewhere: boolean;
  is_suspended: boolean;
  file_stop: FileStop | null;
  route_stop: StopEffect | null;
};

const READ: Statement = {
  name: '',
  text: `
    select ${isPaidElsewhere('t.route')} as is_paid_elsewhere,
           b.suspended_at is not null as is_suspended,
           ${FILE_STOP} as file_stop,
           (select h.effect from route_holds h where h.route = t.route) as route_stop
    from transfers t
    join books b on b.id = t.book_id
    where t.book_id = $1 and t.id = $2`,
};
