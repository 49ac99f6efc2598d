import { actorCode } from '../../domain/actor.ts';
import type { Mode } from '../../domain/transfer.ts';
import type { CommitQueue } from '../../postgres/commit-queue.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import type { Move } from '../../transfers/move/move-transfers.ts';
import {
  TRANSFER_COLUMNS,
  type TransferRow,
  toTransfer,
} from '../../transfers/read/transfer-row.ts';
import { endWaiting } from './leave-waiting.ts';

/** How many are cancelled in one go; the rest follow at once. */
const EXPIRED_AT_ONCE_MAX = 500;

export type ExpireDeps = Readonly<{
  database: Queryable;
  moves: Pick<CommitQueue<Move, boolean>, 'submit'>;
}>;

/**
 * Cancels transfers that were not approved in time, by the database's clock. No lease: a move is made only on the event
 * that was read, so of several processes one cancels it. Returns whether there may be more.
 */
export async function expireWaiting({ database, moves }: ExpireDeps): Promise<boolean> {
  const rows = await database.query<TransferRow & { mode: Mode }>(EXPIRED, [EXPIRED_AT_ONCE_MAX]);
  const made = await Promise.all(
    rows.map((row) =>
      moves.submit(endWaiting(toTransfer(row, row.mode), { as: 'APPROVAL_EXPIRED', actor: ACTOR })),
    ),
  );
  return rows.length === EXPIRED_AT_ONCE_MAX && made.includes(true);
}

const ACTOR = actorCode({ kind: 'system', part: 'approvals' });

// The index of what waits has the time too, so one that has not come costs no look at a row.
const EXPIRED: Statement = {
  name: 'expired-approvals',
  text: `
    select ${TRANSFER_COLUMNS}, b.mode
    from transfers t
    join books b on b.id = t.book_id
    where t.state = 'awaiting_approval' and t.next_action_at <= now()
    limit $1`,
};
