import type { Queryable, Statement } from '../postgres/database.ts';

/** Notes that a person or the service submitted the file of an occurrence, also where an earlier try was refused. */
export async function markOccurrence(
  tx: Queryable,
  { bookId, id }: Readonly<{ bookId: string; id: string }>,
): Promise<void> {
  await tx.query(MARK, [bookId, id]);
}

/**
 * Notes that the service itself gave the draft of an occurrence a new version: the next try must not take it for a
 * change by a person.
 */
export async function followVersion(
  tx: Queryable,
  { bookId, id, from, to }: Readonly<{ bookId: string; id: string; from: number; to: number }>,
): Promise<void> {
  await tx.query(FOLLOW, [bookId, id, from, to]);
}

// `refused_version` is the version that the service submits now, or that was refused last (schedules/submit-occurrences.ts).
const FOLLOW: Statement = {
  name: 'follow-draft-version',
  text: `
    update schedule_occurrences set refused_version = $4
    where book_id = $1 and file_id = $2 and refused_version = $3`,
};

const MARK: Statement = {
  name: 'mark-occurrence-submitted',
  text: `
    update schedule_occurrences
    set state = 'submitted', refusal_code = null, refusal_detail = null, refused_version = null, next_action_at = null
    where book_id = $1 and file_id = $2`,
};
