import type { Queryable, Statement } from '../postgres/database.ts';

/** Notes that a person or the service submitted the file of an occurrence, also where an earlier try was refused. */
export async function markOccurrence(
  tx: Queryable,
  { bookId, id }: Readonly<{ bookId: string; id: string }>,
): Promise<void> {
  await tx.query(MARK, [bookId, id]);
}

const MARK: Statement = {
  name: 'mark-occurrence-submitted',
  text: `
    update schedule_occurrences
    set state = 'submitted', refusal_code = null, refusal_detail = null, refused_version = null, next_action_at = null
    where book_id = $1 and file_id = $2`,
};
