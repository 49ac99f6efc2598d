import { DOUBT_KINDS, DOUBT_RULES } from '../../domain/doubt-kind.ts';

/**
 * The kind of doubt of a transfer `t`; null where it is not in doubt. A contradiction may have come by a callback after
 * the last answer, so it goes first. Rows from before the kind was stored, or of a process of an older version, have no
 * kind, and it is derived from the rest of the row.
 */
export const DOUBT_KIND = `
  case
    when t.state <> 'in_doubt' then null
    when cardinality(t.contradictions) > 0 then 'CONTRADICTED'
    when t.doubt_kind is not null then t.doubt_kind
    when t.not_found_answers > 0 then 'NOT_FOUND'
    when t.flagged_at is not null and t.checks = 0 then 'INQUIRY_IMPOSSIBLE'
    when t.first_pending_at is not null then 'PENDING_TOO_LONG'
    else 'SUBMISSION_LOST'
  end`;

const NEED_PERSON = DOUBT_KINDS.filter((kind) => DOUBT_RULES[kind].needsPerson);

/** Whether a transfer `t` in doubt needs a person, by the same rule as domain/describe-doubt.ts. */
export const NEEDS_PERSON = `
  (t.flagged_at is not null or t.next_action_at is null
    or ${DOUBT_KIND} in (${NEED_PERSON.map((kind) => `'${kind}'`).join(', ')}))`;
