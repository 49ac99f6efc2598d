import type { Queryable } from '../../postgres/database.ts';
import { type ChangedFile, listChangedFiles } from '../../views/list-changed-files.ts';

/**
 * Looks reach back this far: a change has the time of the process that made it, and is seen when it is committed. What
 * was told before is not told again.
 */
const OVERLAP_MS = 10_000;

/** Finds payout files that changed since the last look. Their progress is no event, so the feed does not have it. */
export class ChangedFiles {
  readonly #told = new Map<string, number>();

  async look(
    database: Queryable,
    { bookIds, now }: Readonly<{ bookIds: readonly string[]; now: Date }>,
  ): Promise<readonly ChangedFile[]> {
    const since = new Date(now.getTime() - OVERLAP_MS);
    const found = bookIds.length === 0 ? [] : await listChangedFiles(database, { bookIds, since });
    const changed = found.filter(({ id, at }) => this.#told.get(id) !== at.getTime());
    for (const { id, at } of changed) this.#told.set(id, at.getTime());
    for (const [id, atMs] of this.#told) if (atMs < since.getTime()) this.#told.delete(id);
    return changed;
  }
}
