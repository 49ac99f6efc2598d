import { matchNames } from '../domain/name-match.ts';
import type { CheckedRow } from '../domain/payout-file/check-row.ts';
import type { RowTexts } from '../domain/payout-file/row-fields.ts';
import type { RowProblem, RowWarning } from '../domain/payout-file/row-problem.ts';
import { deniedRecipientSql } from '../lists/read-numbers.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { warningOfName } from './name-warning.ts';
import type { PayoutFile } from './payout-file.ts';
import type { PayoutRow } from './payout-row.ts';
import { checkedColumns } from './reading/checked-columns.ts';
import {
  DENIED_PROBLEM,
  isTaken,
  similarPayout,
  similarSince,
  similarWaiting,
  similarWarning,
  TAKEN_PROBLEM,
  WAITING_FILES,
  waitingWarning,
} from './store-rows.ts';

type Change = Readonly<{
  file: PayoutFile;
  /** As it was. */
  row: PayoutRow;
  corrections: RowTexts;
  checked: CheckedRow;
  now: Date;
}>;

/** Writes what a row of a draft means after it was checked anew. Warnings of equal rows are left to warnOfSameRows. */
export async function storeCheckedRow(tx: Queryable, change: Change): Promise<void> {
  const { file, row, corrections, checked } = change;
  const name = keepName(row, checked);
  const problems: readonly RowProblem[] = [...checked.problems, ...name.problems];
  const hidden = row.warnings.filter(({ code }) => code === 'HIDDEN_ROW');
  const warnings: readonly RowWarning[] = [...checked.warnings, ...hidden, ...name.warnings];
  await tx.query(STORE, [
    file.bookId,
    file.id,
    row.number,
    JSON.stringify({
      state: problems.length > 0 ? 'problem' : 'ready',
      corrections: Object.keys(corrections).length === 0 ? null : corrections,
      ...checkedColumns(checked),
      account_name: name.accountName,
      name_match: name.nameMatch,
      name_checked_at: name.checkedAt,
      problems,
      warnings,
    }),
    similarSince(change.now),
    file.references === 'given',
  ]);
}

/** The operator's answer counts as long as number and operator stay; the name may be another one to compare with. */
function keepName(row: PayoutRow, checked: CheckedRow) {
  const isSame = row.phone === checked.phone && row.operator === checked.operator;
  if (!isSame || row.nameCheckedAt === null) {
    return { accountName: null, nameMatch: null, checkedAt: null, problems: [], warnings: [] };
  }
  const { accountName } = row;
  const { recipientName } = checked;
  const nameMatch =
    accountName === null || recipientName === null ? null : matchNames(recipientName, accountName);
  return {
    accountName,
    nameMatch,
    checkedAt: row.nameCheckedAt,
    problems: row.problems.filter(({ code }) => code === 'NO_ACCOUNT'),
    warnings: warningOfName(nameMatch),
  };
}

/**
 * Finds anew which rows of a draft pay the same number the same amount, among the rows with these numbers. The first of
 * them is not warned of; a dropped one counts for nothing.
 */
export async function warnOfSameRows(
  tx: Queryable,
  { file, phones }: Readonly<{ file: PayoutFile; phones: readonly (string | null)[] }>,
): Promise<void> {
  const known = [...new Set(phones)].filter((phone) => phone !== null);
  if (known.length > 0) await tx.query(WARN_OF_SAME, [file.bookId, file.id, known]);
}

const REPEATED_PROBLEM = `'[{"code": "REFERENCE_REPEATED", "field": "reference"}]'::jsonb`;

const STORE: Statement = {
  name: 'store-checked-row',
  text: `
    with waiting as materialized (${WAITING_FILES}
    )
    update payout_file_rows r
    set state = case when c.denied or c.taken or c.repeated then 'problem' else c.state end,
        corrections = c.corrections, phone = c.phone, operator = c.operator, operator_predicted = c.operator_predicted,
        country = c.country, currency = c.currency, amount_minor = c.amount_minor, fee_minor = c.fee_minor,
        recipient_name = c.recipient_name, narration = c.narration, given_reference = c.given_reference,
        account_name = c.account_name, name_match = c.name_match, name_checked_at = c.name_checked_at,
        problems = c.problems || case when c.denied then ${DENIED_PROBLEM} else '[]' end
          || case when c.taken then ${TAKEN_PROBLEM} else '[]' end
          || case when c.repeated then ${REPEATED_PROBLEM} else '[]' end,
        warnings = c.warnings || case when c.repeated then '[]' else c.same_reference end || ${similarWarning('c.similar')}
          || ${waitingWarning('c.similar_waiting')}
    from (
      select c.*, $6::boolean and c.same_reference <> '[]' as repeated
      from (
      select c.*, ${deniedRecipientSql('c')} as denied, $6::boolean and ${isTaken('c')} as taken, ${similarPayout('c', '$5::uuid')} as similar,
             ${similarWaiting('c')} as similar_waiting,
             coalesce((
               select jsonb_build_array(
                 jsonb_build_object('code', 'SAME_REFERENCE', 'field', 'reference', 'row', min(o.number)))
               from payout_file_rows o
               where o.book_id = $1 and o.file_id = $2 and o.number < $3 and o.state <> 'dropped'
                 and o.given_reference = c.given_reference
               having count(*) > 0
             ), '[]') as same_reference
      from (
        select $1::uuid as book_id, j.*
        from jsonb_to_record($4::jsonb) as j (
          state text, corrections jsonb, phone text, operator text, operator_predicted boolean, country text,
          currency text, amount_minor bigint, fee_minor bigint, recipient_name text, narration text,
          given_reference text, account_name text, name_match text, name_checked_at timestamptz, problems jsonb,
          warnings jsonb
        )
      ) c
      ) c
    ) c
    where r.book_id = $1 and r.file_id = $2 and r.number = $3`,
};

const WARN_OF_SAME: Statement = {
  name: 'warn-of-same-rows',
  text: `
    update payout_file_rows r
    set warnings = s.others || case
          when s.state = 'dropped' or s.first = r.number then '[]'::jsonb
          else jsonb_build_array(jsonb_build_object('code', 'SAME_IN_FILE', 'field', 'phone', 'row', s.first)) end
    from (
      select o.number, o.state,
             min(o.number) filter (where o.state <> 'dropped') over (partition by o.phone, o.amount_minor) as first,
             coalesce((
               select jsonb_agg(w) from jsonb_array_elements(o.warnings) w where w->>'code' <> 'SAME_IN_FILE'
             ), '[]') as others
      from payout_file_rows o
      where o.book_id = $1 and o.file_id = $2 and o.phone = any ($3::text[]) and o.amount_minor is not null
    ) s
    where r.book_id = $1 and r.file_id = $2 and r.number = s.number`,
};
