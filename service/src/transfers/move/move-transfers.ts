import type { DoubtKind } from '../../domain/doubt-kind.ts';
import {
  ANSWERS_LAPSE_MIN_MS,
  ANSWERS_LAPSE_WAITS,
  RECALLED_INQUIRY_MS,
} from '../../domain/doubt-schedule.ts';
import type { NextStep } from '../../domain/standing.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { assertMove, STATE_RULES } from '../../domain/transfer-state.ts';
import type { EventType } from '../../events/event-types.ts';
import { recordEvents } from '../../events/record-events.ts';
import { LOCK_WALLETS, MOVE_LEGS, POST_LEGS } from '../../ledger/wallet-legs.ts';
import { bareArray, quotedArray } from '../../postgres/array-text.ts';
import { prepareGroup } from '../../postgres/bad-command.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { failpoint } from '../../telemetry/failpoint.ts';
import {
  ATTEMPT_PARAMETERS,
  attemptColumns,
  keepAttempts,
  type OperatorExchange,
} from './keep-attempts.ts';

/** A change of one transfer, with the transfer as the caller last saw it. */
export type Move = Readonly<{
  transfer: Transfer;
  step: NextStep;
  actor: string;
  /**
   * The caller must hold the lease, and the lease must not have ended. Evidence needs no lease: an operator's final
   * answer is true whichever process records it.
   */
  needsLease: boolean;
  /** The process that may act until the next action; null: any process. */
  leaseFor: string | null;
  /** The route that the transfer has afterwards. Left out: unchanged. */
  route?: string;
  /** The account of that route, when the transfer is about to be sent. Left out: unchanged. */
  routeAccount?: string;
  /**
   * The move is right whichever route the transfer has. Otherwise it is made only while the row has the route of
   * `transfer`, because that route was used or will be.
   */
  anyRoute?: boolean;
  /** What a merchant is told of it. Left out: the event of the state. */
  event?: EventType;
  /** Why it is in doubt afterwards. Left out: a doubt keeps its kind. */
  doubtKind?: DoubtKind;
  /** What the operator answered; kept even when the move is no longer possible. */
  attempt?: OperatorExchange;
}>;

/**
 * The only statement that changes a transfer's state, except that one also leaves the queue by the claim that takes it
 * (claim-submissions.ts). Each row states what it expects (the state, the route, and the
 * lease and the answers where needed), and only rows that still match are moved, with their postings, the wallet's
 * balance and an event. Returns for each move whether it was made.
 *
 * A step to the same state only records the check and the next action: no event, no posting.
 */
export async function moveTransfers(
  database: Queryable,
  group: Readonly<{ moves: readonly Move[]; mover: string; at: Date }>,
): Promise<readonly boolean[]> {
  const { moves } = group;
  const values = prepareGroup(() => describeMoves(group));
  failpoint('before-outcome-commit');
  const rows = await database.query<{ ord: bigint }>(MOVE, values);
  failpoint('after-outcome-commit');
  const moved = new Set(rows.map(({ ord }) => Number(ord)));
  return moves.map((_, index) => moved.has(index + 1));
}

/** The parameters of the statement. Throws when a move is not one of the ways between states. */
function describeMoves({
  moves,
  mover,
  at,
}: Readonly<{ moves: readonly Move[]; mover: string; at: Date }>): readonly unknown[] {
  for (const { transfer, step } of moves) {
    if (step.to !== transfer.state) assertMove(transfer.state, step.to);
  }
  return [
    bareArray(moves.map(({ transfer }) => transfer.bookId)),
    bareArray(moves.map(({ transfer }) => transfer.id)),
    bareArray(moves.map(({ transfer }) => transfer.walletId)),
    bareArray(moves.map(({ transfer }) => transfer.state)),
    bareArray(moves.map(({ step }) => step.to)),
    bareArray(moves.map(({ step, event }) => event ?? STATE_RULES[step.to].event)),
    quotedArray(moves.map(({ step }) => step.cause)),
    quotedArray(moves.map(({ actor }) => actor)),
    bareArray(moves.map(({ step }) => step.failure)),
    quotedArray(moves.map(({ step }) => step.operatorTransactionId)),
    bareArray(moves.map(({ step }) => step.nextActionInMs)),
    bareArray(moves.map(({ step }) => step.checks)),
    bareArray(moves.map(({ step }) => step.notFoundAnswers)),
    bareArray(moves.map(({ step }) => step.needsPerson)),
    bareArray(moves.map(({ needsLease }) => needsLease)),
    bareArray(moves.map(({ leaseFor }) => leaseFor)),
    quotedArray(moves.map(({ route }) => route ?? null)),
    bareArray(moves.map(({ transfer }) => transfer.eventSeq)),
    bareArray(moves.map(({ step }) => step.unconfirmedSuccesses ?? 0)),
    quotedArray(moves.map(({ transfer, anyRoute }) => (anyRoute === true ? null : transfer.route))),
    bareArray(moves.map(({ step }) => step.notFoundProof?.answersMin ?? null)),
    bareArray(moves.map(({ step }) => step.notFoundProof?.doubtMinMs ?? null)),
    quotedArray(moves.map(({ step }) => step.contradicted?.join() ?? null)),
    bareArray(moves.map(({ transfer }) => transfer.contradictions.length)),
    bareArray(moves.map(({ routeAccount }) => routeAccount ?? null)),
    bareArray(moves.map(({ transfer }) => transfer.resubmissions)),
    bareArray(moves.map(({ step }) => step.throttled ?? false)),
    bareArray(moves.map(({ step }) => step.resubmission?.withinMs ?? null)),
    mover,
    at,
    ...attemptColumns(moves),
    bareArray(moves.map(({ doubtKind }) => doubtKind ?? null)),
  ];
}

const ATTEMPTS_FROM_PARAMETER = 31;
const DOUBT_KINDS_PARAMETER = ATTEMPTS_FROM_PARAMETER + ATTEMPT_PARAMETERS;
const KEEP_ATTEMPTS = keepAttempts(ATTEMPTS_FROM_PARAMETER);

// By the database's clock when the move is made, because the process may have been paused since it read the row.
const HAVE_LAPSED = `coalesce(t.answers_lapse_at < now(), false)`;
/** Sooner after the previous answer than planned: both count as one. */
const IS_EARLY = `coalesce(now() < t.answers_count_from, false)`;

const IS_RESUBMISSION = 'i.resubmit_within_ms is not null';
/**
 * After the operator said that it has the order, or sent a callback about it, "not found" contradicts it. Decisions of
 * people come first: nothing is sent on a route that they hold or closed, for a suspended merchant, or while a
 * proposal is open. What the operator was asked to take back is not sent again.
 *
 * Each condition is one probe of an index; "exists" could be planned as a hash over the whole table.
 */
const MAY_RESUBMIT = `
          t.first_submitted_at > now() - i.resubmit_within_ms * interval '1 ms'
          and t.recalls = 0
          and t.first_pending_at is null
          and cardinality(t.contradictions) = 0
          and (
            select c.id from callbacks c
            where c.operator_reference = t.operator_reference and c.reading = 'read'
            limit 1
          ) is null
          and (select h.route from route_holds h where h.route = t.route limit 1) is null
          and (select b.suspended_at from books b where b.id = t.book_id) is null
          and (
            select p.id from proposals p
            where p.book_id = t.book_id and p.transfer_id = t.id
              and p.ended_at is null and p.expires_at > now()
            limit 1
          ) is null`;

const MOVE: Statement = {
  name: 'move-transfers',
  text: `
    with input as materialized (
      select *
      from unnest(
        $1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[],
        $8::text[], $9::text[], $10::text[], $11::bigint[], $12::integer[], $13::integer[],
        $14::boolean[], $15::boolean[], $16::uuid[], $17::text[], $18::integer[], $19::integer[],
        $20::text[], $21::integer[], $22::double precision[], $23::text[], $24::integer[],
        $25::text[], $26::integer[], $27::boolean[], $28::double precision[],
        $${DOUBT_KINDS_PARAMETER}::text[]
      ) with ordinality as t (
        book_id, id, wallet_id, from_state, to_state, event_type, cause, actor, failure_code,
        operator_transaction_id, next_action_in_ms, checks, not_found_answers, needs_person,
        needs_lease, lease_for, route, event_seq, unconfirmed_successes, used_route,
        answers_min, doubt_min_ms, contradicted, contradictions_seen, route_account,
        resubmissions_seen, throttled, resubmit_within_ms, doubt_kind, ord
      )
    ),
    clock as (select $30::timestamptz as at),
    touched as (
      select distinct book_id, wallet_id from input
      where to_state in ('succeeded', 'failed', 'cancelled', 'reversed') and from_state <> to_state
    ),
    ${LOCK_WALLETS},
    moved as (
      update transfers t
      set state = i.to_state,
          route = coalesce(i.route, t.route),
          route_account = coalesce(i.route_account, t.route_account),
          failure_code = coalesce(i.failure_code, t.failure_code),
          operator_transaction_id = coalesce(i.operator_transaction_id, t.operator_transaction_id),
          event_seq = t.event_seq + (i.from_state <> i.to_state)::integer,
          -- A resubmission keeps the lease, because its owner sends it next.
          lease_owner = case when ${IS_RESUBMISSION} then t.lease_owner else i.lease_for end,
          next_action_at = case
            -- Never early: the time itself, and no length of time from now.
            when i.to_state = 'scheduled' then t.send_at
            -- The answer may be from before a recall that the caller does not know of.
            when i.next_action_in_ms is null and i.to_state = 'succeeded'
              and i.from_state <> 'succeeded' and t.recalls > 0
            then now() + ${RECALLED_INQUIRY_MS} * interval '1 ms'
            else now() + i.next_action_in_ms * interval '1 ms'
          end,
          in_doubt_since = case
            when i.to_state <> 'in_doubt' then null
            when i.from_state = 'in_doubt' then t.in_doubt_since
            else c.at
          end,
          doubt_kind = case
            when i.to_state = 'in_doubt' then coalesce(i.doubt_kind, t.doubt_kind)
          end,
          doubt_began_at = case
            when i.to_state <> 'in_doubt' then null
            -- Its age counts from the first answer: "not found" proves nothing about a silence before it.
            when i.from_state = 'in_doubt' and i.not_found_answers > 1 and not ${HAVE_LAPSED}
            then t.doubt_began_at
            else now()
          end,
          answers_count_from = case
            when i.to_state <> 'in_doubt' then null
            when i.not_found_answers > 1 and ${IS_EARLY} then t.answers_count_from
            else now() + coalesce(i.next_action_in_ms, 0) * interval '1 ms'
          end,
          -- Both are kept until the end, so that alternating answers cannot delay the flag for a person for ever.
          first_doubt_at = case
            when i.to_state = 'in_doubt' then coalesce(t.first_doubt_at, now())
            when i.to_state = 'submitted' then t.first_doubt_at
          end,
          first_pending_at = case
            when i.to_state = 'submitted' then coalesce(t.first_pending_at, now())
            when i.to_state = 'in_doubt' then t.first_pending_at
          end,
          -- The submission that may have arrived first: a resubmission does not change it.
          first_submitted_at = case i.to_state
            when 'submitting' then now()
            when 'queued' then null
            else t.first_submitted_at
          end,
          resubmissions = t.resubmissions + (${IS_RESUBMISSION})::integer,
          throttled = i.throttled,
          answers_lapse_at = case
            when i.to_state = 'in_doubt'
            then now() + interval '1 ms'
              * (${ANSWERS_LAPSE_WAITS} * coalesce(i.next_action_in_ms, 0) + ${ANSWERS_LAPSE_MIN_MS})
          end,
          last_checked_at = case
            when i.from_state in ('in_doubt', 'submitted') then c.at else t.last_checked_at
          end,
          checks = i.checks,
          not_found_answers = case
            when i.to_state <> 'in_doubt' then i.not_found_answers
            when ${HAVE_LAPSED} then least(i.not_found_answers, 1)
            when i.not_found_answers > 1 and ${IS_EARLY} then i.not_found_answers - 1
            else i.not_found_answers
          end,
          unconfirmed_successes = i.unconfirmed_successes,
          contradictions = case
            when i.contradicted is null then t.contradictions
            else array(
              select distinct unnest(t.contradictions || string_to_array(i.contradicted, ','))
              order by 1
            )
          end,
          flagged_at = case when i.needs_person then coalesce(t.flagged_at, c.at) end,
          updated_at = case when i.from_state = i.to_state then t.updated_at else c.at end,
          completed_at = case
            when i.to_state in ('succeeded', 'failed', 'cancelled', 'reversed')
            then coalesce(t.completed_at, c.at)
          end
      from input i cross join clock c
      where t.book_id = i.book_id and t.id = i.id and t.state = i.from_state
        -- The transfer may have left this state and entered it again: then what was seen is outdated.
        and t.event_seq = i.event_seq
        and t.route = coalesce(i.used_route, t.route)
        and (not i.needs_lease or (t.lease_owner = $29::uuid and t.next_action_at > now()))
        -- An answer from before a resubmission says nothing about that resubmission.
        and t.resubmissions = i.resubmissions_seen
        and (i.answers_min is null or (i.answers_min = 1 and t.throttled) or (
          i.answers_min > 1
          and t.not_found_answers + 1 >= i.answers_min
          and not ${HAVE_LAPSED} and not ${IS_EARLY}
          and t.doubt_began_at <= now() - i.doubt_min_ms * interval '1 ms'
        ))
        and (not ${IS_RESUBMISSION} or (${MAY_RESUBMIT}))
        -- They only grow: one that was added since must be taken into account before an end. Answers of "not found"
        -- have their own conditions above.
        and (
          i.to_state not in ('succeeded', 'failed') or i.answers_min is not null
          or cardinality(t.contradictions) <= i.contradictions_seen
        )
        -- Wallets are locked before the first transfer, in every process: one order prevents deadlocks.
        and (select count(*) from locked) >= 0
      returning t.book_id, t.id, t.wallet_id, i.ord, i.from_state, t.state, t.event_seq,
                t.amount_minor, t.fee_minor, t.route, i.event_type, i.cause, i.actor
    ),
    changed as (select * from moved where from_state <> state),
    ${MOVE_LEGS},
    ${POST_LEGS},
    ${recordEvents(`
      select m.book_id, m.id, m.event_seq, m.event_type, m.from_state, m.state, m.cause, m.actor, c.at,
             true
      from changed m cross join clock c`)},
    ${KEEP_ATTEMPTS}
    select ord from moved`,
};
