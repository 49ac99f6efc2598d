import type { ActDeps } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import { type Actor, actorCode } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import { refuse } from '../domain/refusal.ts';
import { retryReference } from '../domain/retry-reference.ts';
import { bareArray, quotedArray } from '../postgres/array-text.ts';
import type { Database, Statement } from '../postgres/database.ts';
import { MAY_BE_PAID } from '../transfers/read/may-be-paid.ts';
import { lockDraftContent } from './find-draft-content.ts';
import { nameMaker } from './name-maker.ts';
import { FEE_OF_ROW } from './price-draft.ts';

const NAME_LENGTH_MAX = 200;
const SUFFIX = ' (failed rows)';

export type FailedRowsDraft = Readonly<{
  id: string;
  /** Failed rows that are not in it, because the operator may have paid them. */
  rowsLeftOut: number;
}>;

/**
 * Makes a draft of the rows of an ended file that were refused or whose transfers failed, and returns its id. Rows that
 * another draft or file already pays again are left out; so are rows that the operator may
 * have paid, and cancelled ones, which were not wanted. A row that the operator says later it paid is refused when it is
 * paid again. Each new row names the transfer that it replaces, and the database holds that a row is paid again once. Its reference names that of the
 * failed transfer, so it is the same whenever the draft is made; a refused row keeps the one that it did not use up. Fees
 * are those of today.
 */
export async function retryFailedRows(
  deps: ActDeps & Readonly<{ database: Database }>,
  { book, actor, id }: Readonly<{ book: Book; actor: Actor; id: string }>,
): Promise<FailedRowsDraft> {
  return actAs(deps, actor, async (tx) => {
    const file = await lockDraftContent(tx, { bookId: book.id, id });
    if (file.state !== 'done' && file.state !== 'cancelled') {
      throw refuse('INVALID_STATE', {
        message: `The file is ${file.state}. Wait until it is done, or cancel the rest of it.`,
      });
    }
    const found = await tx.query<FailedRow>(FIND, [book.id, id]);
    const failed = found.filter((row) => !row.may_be_paid);
    const rowsLeftOut = found.length - failed.length;
    if (failed.length === 0 && rowsLeftOut > 0) {
      throw refuse('EARLIER_MAY_BE_PAID', { message: MAY_ALL_BE_PAID });
    }
    if (failed.length === 0) {
      throw refuse('INVALID_STATE', {
        message: 'No row of this file failed, or all that failed are in another file already.',
      });
    }
    const newId = deps.newId();
    const maker = await nameMaker(tx, book.id, actor);
    const name = Array.from(file.name.replace(SUFFIX, '')).slice(
      0,
      NAME_LENGTH_MAX - SUFFIX.length,
    );
    await tx.query(COPY, [
      book.id,
      id,
      newId,
      `${name.join('')}${SUFFIX}`,
      maker.personId,
      maker.keyId,
      maker.name,
      deps.now(),
      bareArray(failed.map(({ number }) => number)),
      quotedArray(failed.map(newReference)),
      actorCode(actor),
    ]);
    await recordAct(tx, deps, {
      actor,
      kind: 'FAILED_ROWS_COPIED',
      subject: newId,
      merchantId: book.merchantId,
      bookId: book.id,
      reason: null,
      before: null,
      after: { failedRowsOf: id, rows: failed.length, rowsLeftOut },
    });
    return { id: newId, rowsLeftOut };
  });
}

const MAY_ALL_BE_PAID =
  'The operator says since that it paid what failed, or is being asked. The staff looks at it: ask the company that runs this service before you pay it again. Nothing was made.';

type FailedRow = {
  number: number;
  reference: string | null;
  was_sent: boolean;
  may_be_paid: boolean;
};

function newReference({ reference, was_sent }: FailedRow): string | null {
  return was_sent && reference !== null ? retryReference(reference) : reference;
}

const FIND: Statement = {
  name: 'find-failed-rows',
  text: `
    select r.number, r.reference, r.transfer_id is not null as was_sent,
           coalesce(${MAY_BE_PAID}, false) as may_be_paid
    from payout_file_rows r
    left join transfers t on t.book_id = r.book_id and t.id = coalesce(r.transfer_id, r.replaces)
    where r.book_id = $1 and r.file_id = $2
      and ((r.transfer_id is not null and t.state = 'failed')
        or (r.state = 'refused' and r.refusal_code not in
          ('CANCELLED', 'APPROVAL_REJECTED', 'APPROVAL_EXPIRED', 'APPROVAL_RECALLED', 'ALREADY_SENT')))
      and not exists (
        select from payout_file_rows a
        where a.book_id = $1 and a.retries_file = $2 and a.retries_number = r.number
          and a.state <> 'dropped'
          and (a.state <> 'refused' or a.refusal_code not in
            ('CANCELLED', 'APPROVAL_REJECTED', 'APPROVAL_EXPIRED', 'APPROVAL_RECALLED'))
      )
    order by r.number`,
};

const COPY: Statement = {
  name: 'copy-failed-rows',
  text: `
    with source as (
      select * from payout_files where book_id = $1 and id = $2
    ),
    failed as (
      select r.*, n.new_number::integer as new_number, n.new_reference, ${FEE_OF_ROW} as new_fee_minor
      from unnest($9::integer[], $10::text[]) with ordinality as n (number, new_reference, new_number)
      join payout_file_rows r on r.book_id = $1 and r.file_id = $2 and r.number = n.number
      join books b on b.id = $1
    ),
    totals as (
      select count(*)::integer as rows, coalesce(sum(amount_minor), 0)::bigint as sum_minor from failed
    ),
    file as (
      insert into payout_files (
        book_id, id, name, source, failed_rows_of, state, made_by, made_by_key, made_by_name, created_at, updated_at,
        wallet_id, country, currency, columns, rows_total, rows_checked, sum_minor, makers
      )
      select s.book_id, $3, $4, 'file', s.id, 'draft', $5, $6, $7, $8, $8, s.wallet_id, s.country, s.currency,
             s.columns, t.rows, t.rows, t.sum_minor, array(select unnest(s.makers) union select $11::text)
      from source s cross join totals t
    )
    insert into payout_file_rows (
      book_id, file_id, number, line, state, cells, corrections, phone, operator, operator_predicted, country,
      currency, amount_minor, fee_minor, recipient_name, narration, given_reference, account_name, name_match,
      name_checked_at, replaces, retries_file, retries_number, reference
    )
    select f.book_id, $3, f.new_number, f.line, 'ready', f.cells, f.corrections, f.phone, f.operator,
           f.operator_predicted, f.country, f.currency, f.amount_minor, f.new_fee_minor, f.recipient_name, f.narration,
           f.given_reference, f.account_name, f.name_match, f.name_checked_at, coalesce(f.transfer_id, f.replaces), $2,
           f.number, f.new_reference
    from failed f`,
};
