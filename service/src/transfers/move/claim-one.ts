import type { Mode, Transfer } from '../../domain/transfer.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { TRANSFER_COLUMNS, type TransferRow, toTransfer } from '../read/transfer-row.ts';
import { LEASE_MS } from './lease.ts';

/**
 * Takes the lease of one transfer that was sent, so that a person may have its operator asked. Undefined while another
 * process works on it, or when its operator was asked a moment ago.
 */
export async function claimOne(
  tx: Queryable,
  claim: Readonly<{
    bookId: string;
    id: string;
    mode: Mode;
    leaseOwner: string;
    /** Not sooner than this after the last inquiry. */
    pauseMs: number;
  }>,
): Promise<Transfer | undefined> {
  const { bookId, id, mode, leaseOwner, pauseMs } = claim;
  const [row] = await tx.query<TransferRow>(CLAIM, [bookId, id, leaseOwner, LEASE_MS, pauseMs]);
  return row === undefined ? undefined : toTransfer(row, mode);
}

const CLAIM: Statement = {
  name: '',
  text: `
    update transfers t
    set lease_owner = $3, next_action_at = now() + $4::integer * interval '1 ms'
    where t.book_id = $1 and t.id = $2 and t.state in ('submitted', 'in_doubt')
      and (t.lease_owner is null or t.next_action_at <= now())
      and (t.last_checked_at is null or t.last_checked_at <= now() - $5::integer * interval '1 ms')
    returning ${TRANSFER_COLUMNS}`,
};
