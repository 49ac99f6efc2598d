import { firstUuidAt } from '../domain/uuid.ts';
import { deniedRecipientSql } from '../lists/read-numbers.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { RowReferences } from './row-reference.ts';

/** Payouts of the same amount to the same number since then are worth a look. A wage is paid again after a week. */
const SIMILAR_WITHIN_MS = 7 * 24 * 60 * 60 * 1_000;
/** Payouts to one number that are looked at, newest first: a number may be paid all day long. */
const SIMILAR_LOOKED_AT_MAX = 200;

/** Files of each kind that wait, and rows with one number in each of them, that are looked at. */
const WAITING_FILES_MAX = 10;
const WAITING_ROWS_MAX = 20;

/** From when on payouts are similar. */
export function similarSince(now: Date): string {
  return firstUuidAt(new Date(now.getTime() - SIMILAR_WITHIN_MS));
}

/** The latest payout like the row of the given alias, of the given time or later. */
export function similarPayout(alias: string, since: string): string {
  return `(
        select t.id
        from (
          select t.id, t.amount_minor from transfers t
          where t.book_id = ${alias}.book_id and t.phone = ${alias}.phone and t.id >= ${since}
          order by t.id desc
          limit ${SIMILAR_LOOKED_AT_MAX}
        ) t
        where t.amount_minor = ${alias}.amount_minor
        limit 1
      )`;
}

/**
 * The query of a statement for the book $1: its files that wait for approval, the newest, and for their day, the next.
 * The day before now is for files whose time came while the service was down.
 */
export const WAITING_FILES = `
      (
        select f.id from payout_files f
        where f.book_id = $1 and f.state = 'awaiting_approval'
        order by f.id desc
        limit ${WAITING_FILES_MAX}
      )
      union all
      (
        select f.id from payout_files f
        where f.book_id = $1 and f.state = 'scheduled' and f.pay_at > now() - interval '1 day'
        order by f.pay_at
        limit ${WAITING_FILES_MAX}
      )`;

/**
 * A file among `waiting`, read by WAITING_FILES, that pays the same as the row of the given alias. The rows are filtered
 * outside of their query: with the state in it the planner could read all waiting rows of a file for each row.
 */
export function similarWaiting(alias: string): string {
  return `(
        select f.id
        from waiting f
        cross join lateral (
          select w.state, w.amount_minor from payout_file_rows w
          where w.book_id = $1 and w.file_id = f.id and w.phone = ${alias}.phone
          limit ${WAITING_ROWS_MAX}
        ) w
        where w.state = 'waiting' and w.amount_minor = ${alias}.amount_minor
        limit 1
      )`;
}

/** What the database alone knows about the row `r`, as further problems and warnings. */
export const DENIED_PROBLEM = `'[{"code": "RECIPIENT_DENIED", "field": "phone"}]'::jsonb`;
export const TAKEN_PROBLEM = `'[{"code": "REFERENCE_TAKEN", "field": "reference"}]'::jsonb`;
/** Whether a transfer of the book has the reference of the row. */
export const isTaken = (alias: string): string => `exists (
        select from transfers t where t.book_id = ${alias}.book_id and t.reference = ${alias}.given_reference
      )`;
export const similarWarning = (id: string): string =>
  `case when ${id} is null then '[]'::jsonb
        else jsonb_build_array(jsonb_build_object('code', 'SIMILAR_PAYOUT', 'field', 'phone', 'transferId', ${id})) end`;

export const waitingWarning = (id: string): string =>
  `case when ${id} is null then '[]'::jsonb
        else jsonb_build_array(jsonb_build_object('code', 'SIMILAR_WAITING', 'field', 'phone', 'fileId', ${id})) end`;

type RowsToStore = Readonly<{
  bookId: string;
  fileId: string;
  json: string;
  references: RowReferences;
  now: Date;
}>;

/**
 * Stores rows that are checked, given as JSON of the columns, and adds what only the database knows: numbers on deny
 * lists, references that are taken, and similar payouts of the last days and of files that wait.
 */
export async function storeRows(
  tx: Queryable,
  { bookId, fileId, json, references, now }: RowsToStore,
): Promise<void> {
  await tx.query(STORE, [bookId, fileId, json, similarSince(now), references === 'given']);
}

// Without `offset 0` the planner runs what is looked up for a row once for each place that uses it.
const STORE: Statement = {
  name: 'store-payout-rows',
  text: `
    with waiting as materialized (${WAITING_FILES}
    )
    insert into payout_file_rows (
      book_id, file_id, number, line, state, cells, phone, operator, operator_predicted, country, currency,
      amount_minor, fee_minor, recipient_name, narration, given_reference, replaces, problems, warnings
    )
    select r.book_id, $2::uuid, r.number, r.line,
           case when r.denied or r.taken then 'problem' else r.state end,
           r.cells, r.phone, r.operator, r.operator_predicted, r.country, r.currency, r.amount_minor, r.fee_minor,
           r.recipient_name, r.narration, r.given_reference, r.replaces,
           r.problems || case when r.denied then ${DENIED_PROBLEM} else '[]' end
             || case when r.taken then ${TAKEN_PROBLEM} else '[]' end,
           r.warnings || ${similarWarning('r.similar')} || ${waitingWarning('r.similar_waiting')}
    from (
      select r.*, ${deniedRecipientSql('r')} as denied, ${similarPayout('r', '$4::uuid')} as similar,
             ${similarWaiting('r')} as similar_waiting,
             $5::boolean and ${isTaken('r')} as taken
      from (
        select $1::uuid as book_id, j.*
        from jsonb_to_recordset($3::jsonb) as j (
          number integer, line integer, state text, cells jsonb, phone text, operator text,
          operator_predicted boolean, country text, currency text, amount_minor bigint, fee_minor bigint,
          recipient_name text, narration text, given_reference text, replaces uuid, problems jsonb, warnings jsonb
        )
      ) r
      offset 0
    ) r`,
};
