import type { Queryable } from '../../postgres/database.ts';
import { type ChangedFile, listChangedFiles } from '../../views/list-changed-files.ts';
import { listNewApprovals, type NewApproval } from '../../views/list-new-approvals.ts';

/**
 * Looks reach back this far: a change has the time of the process that made it, and is seen when it is committed. What
 * was told before is not told again.
 */
const OVERLAP_MS = 10_000;

type Found = Readonly<{ files: readonly ChangedFile[]; approvals: readonly NewApproval[] }>;
type Timed = Readonly<{ id: string; at: Date }>;

const NOTHING: Found = { files: [], approvals: [] };

/**
 * Finds what changed since the last look and is no event, so that the feed does not have it: the progress of payout
 * files, and approvals after which more are wanted.
 */
export class RecentChanges {
  readonly #files = new Map<string, number>();
  readonly #approvals = new Map<string, number>();

  async look(
    database: Queryable,
    { bookIds, now }: Readonly<{ bookIds: readonly string[]; now: Date }>,
  ): Promise<Found> {
    if (bookIds.length === 0) return NOTHING;
    const since = new Date(now.getTime() - OVERLAP_MS);
    const files = await listChangedFiles(database, { bookIds, since });
    const approvals = await listNewApprovals(database, { bookIds, since });
    return {
      files: keepUntold(this.#files, files, since),
      approvals: keepUntold(this.#approvals, approvals, since),
    };
  }
}

function keepUntold<Change extends Timed>(
  told: Map<string, number>,
  found: readonly Change[],
  since: Date,
): readonly Change[] {
  const keyOf = ({ id, at }: Change) => `${id} ${at.getTime()}`;
  const changed = found.filter((change) => !told.has(keyOf(change)));
  for (const change of changed) told.set(keyOf(change), change.at.getTime());
  for (const [key, atMs] of told) if (atMs < since.getTime()) told.delete(key);
  return changed;
}
