import { actorCode } from '../../domain/actor.ts';
import { causeOf } from '../../domain/cause.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { assertMove, STATE_RULES } from '../../domain/transfer-state.ts';
import { recordEvents } from '../../events/record-events.ts';
import type { AmountBounds } from '../../operators/contract/connector.ts';
import type { Queryable } from '../../postgres/database.ts';
import { TO_SUBMIT } from '../read/due-states.ts';
import { mayPayAgainSql } from '../read/find-may-be-paid.ts';
import { IS_NOT_SUSPENDED } from './claim-due.ts';
import {
  type Claimed,
  type ClaimOfRoute,
  claimStatement,
  toClaimed,
  walkValues,
  whereToGoOn,
} from './claim-walk.ts';
import { JUDGED, JUDGED_COLUMNS, JUDGEMENT, type JudgedRow } from './held-back.ts';
import { IS_HELD_WITH_FILE } from './held-with-file.ts';
import { LEASE_MS } from './lease.ts';
import { isPaidElsewhere } from './paid-elsewhere.ts';

/** The route that sends what is claimed: its own, or another one while its own is shut. */
export type SendingRoute = Readonly<{ name: string; account: string | null; bounds: AmountBounds }>;

export type SubmissionClaim = Readonly<{
  /** They are stored as submitting, and this process must send them now. */
  leaving: readonly Transfer[];
  /** Still queued, under a lease: `findHeldBack` says which of them wait for a person. */
  staying: readonly Claimed<JudgedRow>[];
  /** Where the next claim resumes, so that books take turns. */
  nextBook: string;
}>;

/**
 * Takes the lease of one route's queued transfers that are due, few at a time and book by book, so that one book's
 * backlog does not delay another book. The same statement moves them to `submitting`. Four kinds stay queued under the
 * lease, because the caller must look at them first: those whose number is denied, those that are late, those that may pay
 * something again, and those whose amount the route does not take.
 */
export async function claimSubmissions(
  database: Queryable,
  { by, at, ...claim }: ClaimOfRoute & Readonly<{ by: SendingRoute; at: Date }>,
): Promise<SubmissionClaim> {
  const { minMinor, maxMinor, decimals } = by.bounds;
  const rows = await database.query<JudgedRow>(CLAIM_SUBMISSIONS, [
    ...walkValues(claim, { leaseMs: LEASE_MS }),
    by.name,
    by.account,
    minMinor,
    maxMinor,
    decimals === 0,
    at,
  ]);
  const claimed = toClaimed(rows);
  const isLeaving = ({ transfer }: Claimed<JudgedRow>) => transfer.state === TO;
  return {
    leaving: claimed.filter(isLeaving).map(({ transfer }) => transfer),
    staying: claimed.filter((one) => !isLeaving(one)),
    nextBook: whereToGoOn(rows, claim.max),
  };
}

const [FROM, TO] = ['queued', 'submitting'] as const;
assertMove(FROM, TO);

const ACTOR = actorCode({ kind: 'system', part: 'dispatcher' });
const { event: EVENT } = STATE_RULES[TO];

/** As `fitsBounds` in choose-route.ts. */
const FITS = `j.amount_minor between $10::bigint and $11::bigint
             and (not $12::boolean or j.amount_minor % 100 = 0)`;

/** What a move from the queue to `submitting` changes, in move-transfers.ts too; a test compares the rows. */
const LEAVING = Object.entries({
  state: `'${TO}'`,
  route: '$8',
  route_account: 'coalesce($9, t.route_account)',
  event_seq: 't.event_seq + 1',
  first_submitted_at: 'now()',
  first_doubt_at: 'null',
  first_pending_at: 'null',
  not_found_answers: '0',
  unconfirmed_successes: '0',
  throttled: 'false',
  flagged_at: 'null',
  updated_at: '$13::timestamptz',
})
  .map(
    ([column, value]) => `,
          ${column} = case when d.leaves then ${value} else t.${column} end`,
  )
  .join('');

const CLAIM_SUBMISSIONS = claimStatement('claim-due-submissions', {
  condition: TO_SUBMIT,
  isOpen: IS_NOT_SUSPENDED,
  isHeldBack: `(${isPaidElsewhere('$8')} or ${IS_HELD_WITH_FILE})`,
  judging: {
    columns: `${JUDGED_COLUMNS}, t.amount_minor, t.reference, t.replaces`,
    ctes: `${JUDGED}
    decided as materialized (
      select j.*,
             not j.is_denied and j.is_late is not true and not ${mayPayAgainSql('j')}
             and ${FITS} as leaves
      from judged j
    ),`,
    from: 'decided',
    set: LEAVING,
    returning: `${JUDGEMENT}, d.leaves`,
    after: `,
    ${recordEvents(`
      select c.book_id, c.id, c.event_seq, ${EVENT === null ? 'null' : `'${EVENT}'`}, '${FROM}', c.state,
             '${causeOf('ROUTE_HAS_ROOM')}', '${ACTOR}', $13::timestamptz, true
      from claimed c
      where c.leaves`)}`,
  },
});
