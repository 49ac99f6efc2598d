import { causeOf } from '../domain/cause.ts';
import type { Refusal } from '../domain/refusal.ts';
import { SEND_LATE_WITHIN_DEFAULT_MS } from '../domain/send-at.ts';
import { recordNotSubmitted } from '../payout-files/record-not-submitted.ts';
import type { Database, Statement } from '../postgres/database.ts';

/** How often a file is submitted again that was refused for what passes by itself. */
const REFUSED_RETRY_INTERVAL_MS = 60_000;
const REFUSAL_LENGTH_MAX = 300;

type Key = Readonly<{ bookId: string; scheduleId: string; period: string; fileId: string }>;

/** Notes that the file of an occurrence is submitted. */
export async function keepSubmitted(
  database: Database,
  { bookId, scheduleId, period }: Key,
): Promise<void> {
  await database.query(KEEP_SUBMITTED, [bookId, scheduleId, period]);
}

/**
 * Notes why the file of an occurrence stays a draft, and tells of each new reason by an event. What passes by itself is
 * tried again until the occurrence is late. The file is locked first, as a submission does.
 */
export async function keepRefused(database: Database, key: Key, refusal: Refusal): Promise<void> {
  const { bookId, scheduleId, period, fileId } = key;
  const { code, message } = refusal;
  await database.transaction(async (tx) => {
    const [file] = await tx.query(LOCK_FILE, [bookId, fileId]);
    const [kept] = await tx.query<{ is_new: boolean }>(KEEP_REFUSED, [
      bookId,
      scheduleId,
      period,
      code,
      message.slice(0, REFUSAL_LENGTH_MAX),
      file !== undefined && passesByItself(refusal),
      REFUSED_RETRY_INTERVAL_MS,
      SEND_LATE_WITHIN_DEFAULT_MS,
    ]);
    if (file === undefined || kept?.is_new !== true) return;
    const cause = causeOf('FILE_NOT_SUBMITTED', `${code} ${message}`);
    await recordNotSubmitted(tx, { bookId, id: fileId, cause });
  });
}

/** A frozen wallet is active again. A draft that got new fees meanwhile is claimed; one that a person changed is not. */
function passesByItself({ code }: Refusal): boolean {
  return code === 'WALLET_INACTIVE' || code === 'CONTENT_CHANGED';
}

const LOCK_FILE: Statement = {
  name: 'lock-refused-draft',
  text: `
    select id from payout_files where book_id = $1 and id = $2 and state = 'draft' for no key update`,
};

// A person may have submitted it meanwhile.
const KEEP_SUBMITTED: Statement = {
  name: 'keep-submitted',
  text: `
    update schedule_occurrences
    set state = 'submitted', refusal_code = null, refusal_detail = null, refused_version = null, next_action_at = null
    where book_id = $1 and schedule_id = $2 and period = $3 and state in ('made', 'refused')`,
};

const KEEP_REFUSED: Statement = {
  name: 'keep-refused',
  text: `
    with before as (
      select book_id, schedule_id, period, refusal_code from schedule_occurrences
      where book_id = $1 and schedule_id = $2 and period = $3 and state in ('made', 'refused')
      for update
    )
    update schedule_occurrences o
    set state = 'refused', refusal_code = $4::text, refusal_detail = $5,
        next_action_at = case
          when $6::boolean and r.at <= o.pay_at
            + coalesce(k.send_late_within_ms, $8::bigint)::double precision * interval '1 ms' then r.at
        end
    from before b
    join books k on k.id = b.book_id
    cross join (select now() + $7::integer * interval '1 ms' as at) r
    where o.book_id = b.book_id and o.schedule_id = b.schedule_id and o.period = b.period
    returning b.refusal_code is distinct from $4::text as is_new`,
};
