import { FILE_PAUSE_MAX_MS, SEND_LATE_WITHIN_DEFAULT_MS } from '../../domain/send-at.ts';

/**
 * Of `transfers t` in the queue: the rest of its payout file waits for a person, or is about to because no row was taken
 * for too long. Half of a late list must not be paid while the other half waits. It leaves when the file is approved.
 * When the file ended instead, it is about to be cancelled and does not leave before that.
 *
 * Probes of indexes, and only for rows of files. "exists" could be planned as a hash over the whole table.
 */
export const IS_HELD_WITH_FILE = `(
    t.file_id is not null and coalesce((
      select f.state in ('awaiting_approval', 'cancelled') or (
        f.state = 'paying' and f.taken_at < now() - ${FILE_PAUSE_MAX_MS} * interval '1 ms'
        and f.taken_at < now() - interval '1 ms' * coalesce(
          (select k.send_late_within_ms from books k where k.id = f.book_id), ${SEND_LATE_WITHIN_DEFAULT_MS}
        )::double precision
        and (
          select r.number from payout_file_rows r
          where r.book_id = f.book_id and r.file_id = f.id and r.state = 'waiting'
          limit 1
        ) is not null
      )
      from payout_files f
      where f.book_id = t.book_id and f.id = t.file_id
    ), false)
  )`;
