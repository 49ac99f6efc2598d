import { IS_HELD_WITH_FILE } from '../transfers/move/held-with-file.ts';

/** Why a queued transfer of a payout file is not sent: the rest of the file waits for a person, or the file was cancelled. */
export type FileStop = 'waits' | 'cancelled';

/** Of `transfers t` in the queue; null: its file does not keep it there. */
export const FILE_STOP = `(
    case when ${IS_HELD_WITH_FILE} then (
      select case f.state when 'cancelled' then 'cancelled' else 'waits' end from payout_files f
      where f.book_id = t.book_id and f.id = t.file_id
    ) end
  )`;
