import { causeOf } from '../../domain/cause.ts';
import { bareArray, quotedArray } from '../../postgres/array-text.ts';
import type { AcceptedTransfer } from './prepared-transfer.ts';
import { isFileLost } from './refuse-lost-files.ts';

/** What the statement that stores transfers has more for groups in which one has what most have not. */
export type StoreOptions = Readonly<{
  /** The parameters, from $22 on, and their names. */
  arrays: string;
  names: string;
  columns: string;
  values: string;
  eventSeq: string;
  nextActionAt: string;
  /** Of each wallet. */
  touched: string;
  /** The controls by which the transfers were judged are not those of the locked wallet; or a file of theirs is lost. */
  isJudgedOtherwise: string;
  keepMore: string;
  /** The events of the transfers. */
  events: string;
}>;

/** How much of it a group needs: nothing, only what simple controls said, or everything. */
export type OptionsKind = 'none' | 'controls' | 'all';

export function chooseOptions(accepted: readonly AcceptedTransfer[]): OptionsKind {
  let kind: OptionsKind = 'none';
  for (const { transfer, controlsVersion, screens } of accepted) {
    if (
      transfer.metadata !== null ||
      transfer.sendAt !== null ||
      transfer.source !== 'api' ||
      transfer.approvalsNeeded !== null ||
      screens.length > 0
    ) {
      return 'all';
    }
    if (controlsVersion !== null) kind = 'controls';
  }
  return kind;
}

export function describeControls(accepted: readonly AcceptedTransfer[]): readonly unknown[] {
  return [
    bareArray(accepted.map(({ transfer }) => transfer.policyVersion)),
    quotedArray(accepted.map(rulesOf)),
    bareArray(accepted.map(({ controlsVersion }) => controlsVersion)),
  ];
}

function rulesOf({ transfer: { policyVersion, rules } }: AcceptedTransfer): string | null {
  if (policyVersion === null) return null;
  return rules.length === 0 ? '[]' : JSON.stringify(rules);
}

export function describeAll(accepted: readonly AcceptedTransfer[]): readonly unknown[] {
  return [
    bareArray(accepted.map(({ transfer }) => transfer.sendAt?.toISOString() ?? null)),
    quotedArray(
      accepted.map(({ transfer: { metadata } }) =>
        metadata === null ? null : JSON.stringify(metadata),
      ),
    ),
    bareArray(accepted.map(({ transfer: { source } }) => (source === 'api' ? null : source))),
    bareArray(accepted.map(({ transfer }) => transfer.madeBy)),
    bareArray(accepted.map(({ transfer }) => transfer.policyVersion)),
    quotedArray(accepted.map(rulesOf)),
    quotedArray(accepted.map(({ transfer }) => jsonOrNull(transfer.approvalsNeeded))),
    bareArray(accepted.map(({ transfer }) => transfer.fileId)),
    bareArray(accepted.map(({ transfer }) => transfer.replaces)),
    bareArray(accepted.map(({ controlsVersion }) => controlsVersion)),
    bareArray(accepted.map(({ expiresAfterMs }) => expiresAfterMs)),
    quotedArray(
      accepted.map(({ screens }) => (screens.length === 0 ? null : JSON.stringify(screens))),
    ),
  ];
}

function jsonOrNull(value: readonly unknown[] | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

const DUE = `now() + i.next_action_in_ms * interval '1 ms'`;

export const NO_OPTIONS: StoreOptions = {
  arrays: '',
  names: '',
  columns: '',
  values: '',
  eventSeq: '1',
  nextActionAt: DUE,
  touched: '',
  isJudgedOtherwise: 'w.controls_version is not null',
  keepMore: '',
  events: `
      select i.book_id, i.id, 1, 'transfer.created', null, i.state, '${causeOf('ACCEPTED')}', i.actor, c.at, true
      from input i cross join clock c
      where (select fits from verdict)`,
};

const JUDGED = {
  touched: `,
             min(coalesce(controls_version, 0)) as controls_version,
             max(coalesce(controls_version, 0)) as other_controls_version`,
  isJudgedOtherwise: `coalesce(w.controls_version, 0) <> i.controls_version
         or coalesce(w.controls_version, 0) <> i.other_controls_version`,
};

/** For books whose controls let the order pass: a policy must not make every payout of a merchant slow. */
export const CONTROLS_ONLY: StoreOptions = {
  ...NO_OPTIONS,
  ...JUDGED,
  arrays: ', $22::integer[], $23::jsonb[], $24::integer[]',
  names: ', policy_version, rules, controls_version',
  columns: ', policy_version, rules',
  values: ', i.policy_version, i.rules',
};

const COLUMNS = [
  'send_at',
  'metadata',
  'source',
  'made_by',
  'policy_version',
  'rules',
  'approvals_needed',
  'file_id',
  'replaces',
];

export const ALL_OPTIONS: StoreOptions = {
  ...JUDGED,
  isJudgedOtherwise: `${JUDGED.isJudgedOtherwise}
         or (
          select count(*)
          from (select distinct book_id, file_id from input where file_id is not null) d
          where ${isFileLost('$20')}
        ) > 0`,
  arrays: `, $22::timestamptz[], $23::jsonb[], $24::text[], $25::uuid[], $26::integer[],
        $27::jsonb[], $28::jsonb[], $29::uuid[], $30::uuid[], $31::integer[], $32::bigint[], $33::jsonb[]`,
  names: `, ${COLUMNS.join(', ')}, controls_version, expires_after_ms, screens`,
  columns: `, ${COLUMNS.join(', ')}`,
  values: `, ${COLUMNS.map((name) => `i.${name}`).join(', ')}`,
  eventSeq: `case when i.state = 'awaiting_approval' then 2 else 1 end`,
  nextActionAt: `
             case when i.state = 'awaiting_approval' then now() + i.expires_after_ms * interval '1 ms'
                  else coalesce(i.send_at, ${DUE}) end`,
  keepMore: `
    kept_metadata as (
      insert into transfer_metadata (book_id, key, value, transfer_id)
      select i.book_id, m.key, m.value, i.id
      from input i cross join lateral jsonb_each_text(i.metadata) as m (key, value)
      where (select fits from verdict)
    ),
    asked_screeners as (
      insert into screenings (book_id, transfer_id, rule, screener)
      select i.book_id, i.id, s.rule, s.screener
      from input i cross join lateral jsonb_to_recordset(i.screens) as s (rule text, screener text)
      where (select fits from verdict)
    ),`,
  // One that waits for people from the beginning is told as created, and as waiting.
  events: `
      select i.book_id, i.id, e.seq, e.type, case when e.seq = 2 then i.state end, i.state, e.cause,
             i.actor, c.at, true
      from input i cross join clock c
      cross join (
        values (1, 'transfer.created', '${causeOf('ACCEPTED')}'),
               (2, 'transfer.awaiting_approval', '${causeOf('APPROVAL_REQUIRED')}')
      ) as e (seq, type, cause)
      where (select fits from verdict) and (e.seq = 1 or i.state = 'awaiting_approval')`,
};
