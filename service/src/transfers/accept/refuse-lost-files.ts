import { refuse } from '../../domain/refusal.ts';
import { prepareGroup } from '../../postgres/bad-command.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import type { Judge } from './decide-in-order.ts';
import type { PreparedTransfer } from './prepared-transfer.ts';

/**
 * How long after the lease of its file ended a row may still become a transfer. Well below FILE_PAUSE_MAX_MS: from then
 * on the file may come to wait for a person, who may end the row instead.
 */
const LEASE_ENDED_MAX_MS = 20_000;

/**
 * Of the orders `d` of a group that a process with this lease owner stores: another process has the payout file since,
 * the file was moved on, or its lease ended long ago. The process was paused after it took the rows, and what became of
 * them since is not what it knows. A probe of the primary key.
 */
export function isFileLost(leaseOwner: string): string {
  return `coalesce((
            select f.lease_owner is distinct from ${leaseOwner}::uuid
              or f.next_action_at < now() - ${LEASE_ENDED_MAX_MS} * interval '1 ms'
            from payout_files f
            where f.book_id = d.book_id and f.id = d.file_id
          ), false)`;
}

/** The file was lost between the decision and the statement that stores the transfers. */
export class FileLost extends Error {
  constructor() {
    super('a payout file was lost while its rows were stored');
    this.name = 'FileLost';
  }
}

/** What rows of such a file are refused as, before any other reason. */
export const FILE_LOST = refuse('UNAVAILABLE');

type Order = Pick<PreparedTransfer, 'book' | 'origin'>;

export function hasFileRows(group: readonly Pick<Order, 'origin'>[]): boolean {
  return group.some(({ origin }) => origin.fileId !== null);
}

/** Refuses rows of files that this process has no longer: the process that has the file pays them. Other groups are not looked at. */
export async function refuseLostFiles(
  tx: Queryable,
  { group, leaseOwner }: Readonly<{ group: readonly Order[]; leaseOwner: string }>,
  judge: Judge,
): Promise<Judge> {
  const wanted = prepareGroup(() => group.filter(({ origin }) => origin.fileId !== null));
  if (wanted.length === 0) return judge;
  const rows = await tx.query<{ file_id: string }>(FIND, [
    wanted.map(({ book }) => book.id),
    wanted.map(({ origin }) => origin.fileId),
    leaseOwner,
  ]);
  const lost = new Set(rows.map(({ file_id }) => file_id));
  if (lost.size === 0) return judge;
  return {
    ...judge,
    judge(one) {
      const judged = judge.judge(one);
      const { fileId } = one.prepared.origin;
      return fileId !== null && lost.has(fileId) ? { ...judged, refusal: FILE_LOST } : judged;
    },
  };
}

const FIND: Statement = {
  name: 'find-lost-files',
  text: `
    select d.file_id
    from (select distinct book_id, file_id from unnest($1::uuid[], $2::uuid[]) as u (book_id, file_id)) d
    where ${isFileLost('$3')}`,
};
