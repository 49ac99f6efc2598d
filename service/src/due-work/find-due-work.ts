import { ofOpenMerchant } from '../cells/move/moving-merchant.ts';
import { IS_PUT_OFF_PAST } from '../cells/move/moving-work.ts';
import { NO_ROUTE } from '../domain/transfer.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { TO_INQUIRE, TO_QUEUE, TO_SUBMIT } from '../transfers/read/due-states.ts';

/** What is done at once as long as there is any. */
export const OPEN_WORK = ['transfers', 'deliveries', 'events', 'callbacks', 'screenings'] as const;

/** What becomes due by a time in the database, whichever process wrote it. */
export const DUE_WORK = [
  'scheduledTransfers',
  'approvals',
  'payoutFiles',
  'fileChecks',
  'nameChecks',
  'schedules',
  'recipients',
] as const;

export type OpenWork = (typeof OPEN_WORK)[number];
export type DueWork = (typeof DUE_WORK)[number];

/** Which kinds have something that is not finished, due or not. */
export async function findOpenWork(database: Queryable): Promise<readonly OpenWork[]> {
  const [row] = await database.query<Readonly<Record<OpenWork, boolean>>>(FIND_OPEN);
  return OPEN_WORK.filter((kind) => row?.[kind] === true);
}

/** Which kinds have something due now, by the database's clock. */
export async function findDueWork(database: Queryable): Promise<readonly DueWork[]> {
  const [row] = await database.query<Readonly<Record<DueWork, boolean>>>(FIND_DUE);
  return DUE_WORK.filter((kind) => row?.[kind] === true);
}

// Matches the index transfers_to_ask, over the transfers of all books.
const WITHOUT_ROUTE = `t.route = '${NO_ROUTE}' and t.state <> 'queued' and t.next_action_at is not null`;

// What a merchant that moved left here is put off, and never claimed.
const NOT_PUT_OFF = `< ${IS_PUT_OFF_PAST}`;

/**
 * How long events may wait for their place in the feed while no endpoint waits for them; readers of the feed have them
 * placed when they read. Many books' events placed together cost a fraction of what each costs alone.
 */
const PLACE_WITHIN = `interval '2 seconds'`;

// One probe of an index for nearly every kind, and no parameters, so that it is planned once for each connection. A
// condition may say yes for work that a claim then passes over, and never no for work that a claim would take.
const FIND_OPEN: Statement = {
  name: 'find-open-work',
  text: `
    select
      exists (select from transfers t where ${TO_SUBMIT} and t.next_action_at ${NOT_PUT_OFF})
        -- Those without a route wait for a time or for people, and there may be many.
        or exists (
          select from transfers t
          where t.route < '${NO_ROUTE}' and ${TO_INQUIRE} and t.next_action_at ${NOT_PUT_OFF}
        )
        or exists (
          select from transfers t
          where t.route > '${NO_ROUTE}' and ${TO_INQUIRE} and t.next_action_at ${NOT_PUT_OFF}
        ) as "transfers",
      exists (
        select from deliveries d where d.next_attempt_at is not null and d.next_attempt_at ${NOT_PUT_OFF}
      ) as "deliveries",
      exists (select from feed_pending)
        and (
          exists (select from webhook_endpoints w where w.status = 'enabled')
          or exists (select from feed_pending p where p.written_at < now() - ${PLACE_WITHIN})
        ) as "events",
      exists (select from callbacks c where c.handled_at is null) as "callbacks",
      exists (select from screenings q where q.next_attempt_at <= now()) as "screenings"`,
};

const FIND_DUE: Statement = {
  name: 'find-due-work',
  text: `
    select
      exists (
        -- From book to book, one probe each, however many transfers of a book wait for their time.
        with recursive walk as (
          (
            select t.book_id from transfers t
            where ${WITHOUT_ROUTE}
            order by t.book_id limit 1
          )
          union all
          select (
            select t.book_id from transfers t
            where ${WITHOUT_ROUTE} and t.book_id > w.book_id
            order by t.book_id limit 1
          )
          from walk w
          where w.book_id is not null
        )
        select from walk w
        join books b on b.id = w.book_id and b.suspended_at is null
        where exists (
          select from transfers t
          where ${WITHOUT_ROUTE} and t.book_id = w.book_id and t.next_action_at <= now() and ${TO_QUEUE}
        )
      ) as "scheduledTransfers",
      exists (
        select from approval_checks c
        left join approval_checks_done d on d.book_id = c.book_id
        -- Limited, so that books are looked up only for what is found, and never all of them first.
        cross join lateral (
          select from books b
          join merchants m on m.id = b.merchant_id and m.state = 'open'
          where b.id = c.book_id limit 1
        ) o
        where c.number > coalesce(d.number, 0)
      ) or exists (
        select from approval_checks_done d where d.after is not null or d.asked_at is not null
      ) or exists (
        select from transfers t where t.state = 'awaiting_approval' and t.next_action_at <= now()
      ) as "approvals",
      exists (
        select from payout_files f
        join books b on b.id = f.book_id
        where f.next_action_at <= now() and f.submitted_at is not null
          and (f.state in ('awaiting_approval', 'done', 'cancelled')
            or (f.state in ('scheduled', 'paying') and b.suspended_at is null))
      ) as "payoutFiles",
      exists (
        select from payout_files f where f.next_action_at <= now() and f.state = 'checking'
      ) as "fileChecks",
      exists (
        select from payout_files f where f.next_action_at <= now() and f.state = 'draft'
      ) as "nameChecks",
      exists (
        select from schedules s
        join books b on b.id = s.book_id and b.suspended_at is null
        where s.next_at <= now() and ${ofOpenMerchant('s.book_id')}
      ) or exists (
        select from holiday_versions v
        join schedules s on s.country = v.country and s.holidays_version < v.version
        join books b on b.id = s.book_id and b.suspended_at is null
        where s.next_at is not null and ${ofOpenMerchant('s.book_id')}
      ) or exists (
        select from schedule_occurrences o
        join books b on b.id = o.book_id and b.suspended_at is null
        where o.state in ('made', 'refused') and o.next_action_at <= now() and ${ofOpenMerchant('o.book_id')}
      ) as "schedules",
      -- Due by the clock of the process, which is less than this ahead of the database's.
      exists (
        select from recipients r where r.next_resolve_at <= now() + interval '1 minute'
      ) as "recipients"`,
};
