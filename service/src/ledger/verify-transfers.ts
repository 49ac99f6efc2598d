import { STATE_RULES, TRANSFER_STATES, type TransferState } from '../domain/transfer-state.ts';
import type { LedgerCheck } from './ledger-check.ts';

/** The states in which a transfer may be stored first. */
const FIRST_STATES: readonly TransferState[] = [
  'scheduled',
  'awaiting_approval',
  'queued',
  'submitting',
];
const STEPS: readonly Readonly<{ from: TransferState; to: TransferState }>[] = [
  ...TRANSFER_STATES.flatMap((from) => STATE_RULES[from].next.map((to) => ({ from, to }))),
  // An event says, while it waits, that the remaining people cannot approve it.
  { from: 'awaiting_approval', to: 'awaiting_approval' },
];

/** Compares each transfer with its wallet, its postings and its events. */
export const TRANSFER_CHECKS: readonly LedgerCheck[] = [
  {
    name: 'transfer wallet',
    text: `
      select t.book_id, t.wallet_id, t.id as transfer_id,
             case
               when w.id is null then 'is of a wallet that is not in its book'
               else format('is in %s, but its wallet in %s', t.currency, w.currency)
             end as message
      from transfers t
      left join wallets w on w.book_id = t.book_id and w.id = t.wallet_id
      where w.id is null or w.currency <> t.currency`,
  },
  {
    // Always one hold of the total. The state decides what became of it: kept, settled with the fee, released, or
    // credited again after it was settled.
    name: 'transfer postings',
    text: `
      select book_id, wallet_id, transfer_id,
             format('is %s, which takes %s, but has %s', state, wanted, coalesce(posted, 'none'))
               as message
      from (
        select t.book_id, t.wallet_id, t.id as transfer_id, t.state, p.posted,
               concat_ws(
                 ', ', 'hold ' || m.total,
                 case when s.hold in ('settled', 'credited') then 'settle ' || m.amount end,
                 case when s.hold in ('settled', 'credited') then 'fee ' || m.fee end,
                 case when s.hold = 'released' then 'release ' || m.total end,
                 case when s.hold = 'credited' then 'reverse ' || m.amount end,
                 case when s.hold = 'credited' then 'fee_return ' || m.fee end
               ) as wanted
        from transfers t
        join unnest($2::text[], $3::text[]) as s (state, hold) on s.state = t.state
        cross join lateral (
          select (t.amount_minor / 100.0)::numeric(40, 2)::text as amount,
                 ((t.amount_minor + t.fee_minor) / 100.0)::numeric(40, 2)::text as total,
                 case when t.fee_minor > 0 then (t.fee_minor / 100.0)::numeric(40, 2)::text end as fee
        ) m
        left join (
          select book_id, transfer_id,
                 string_agg(
                   kind || ' ' || (amount_minor / 100.0)::numeric(40, 2)::text, ', ' order by seq
                 ) as posted
          from postings
          where transfer_id is not null
          group by book_id, transfer_id
        ) p on p.book_id = t.book_id and p.transfer_id = t.id
      ) t
      where posted is distinct from wanted`,
    values: [TRANSFER_STATES, TRANSFER_STATES.map((state) => STATE_RULES[state].hold)],
  },
  {
    name: 'event numbers',
    text: `
      select t.book_id, t.wallet_id, t.id as transfer_id,
             format(
               'has events 1 to %s, but there are %s, numbered %s to %s', t.event_seq,
               coalesce(e.events, 0), coalesce(e.first_seq, 0), coalesce(e.last_seq, 0)
             ) as message
      from transfers t
      left join (
        select book_id, subject_id, count(*) as events, min(seq) as first_seq, max(seq) as last_seq
        from events
        group by book_id, subject_id
      ) e on e.book_id = t.book_id and e.subject_id = t.id
      where e.events is distinct from t.event_seq or e.first_seq is distinct from 1
        or e.last_seq is distinct from t.event_seq`,
  },
  {
    name: 'event states',
    text: `
      select e.book_id, e.wallet_id, e.subject_id as transfer_id,
             format(
               'event %s goes from %s to %s after %s', e.seq, coalesce(e.from_state, 'nothing'),
               e.to_state, coalesce(e.state_before, 'nothing')
             ) as message
      from (
        select e.book_id, t.wallet_id, e.subject_id, e.seq, e.from_state, e.to_state,
               lag(e.to_state) over (partition by e.book_id, e.subject_id order by e.seq)
                 as state_before
        from events e
        join transfers t on t.book_id = e.book_id and t.id = e.subject_id
        where e.to_state is not null
      ) e
      left join unnest($2::text[], $3::text[]) as step (from_state, to_state)
        on step.from_state = e.from_state and step.to_state = e.to_state
      where e.from_state is distinct from e.state_before
        or (e.state_before is null and e.to_state <> all ($4::text[]))
        or (e.state_before is not null and step.to_state is null)`,
    values: [STEPS.map(({ from }) => from), STEPS.map(({ to }) => to), FIRST_STATES],
  },
  {
    name: 'transfer state',
    text: `
      select t.book_id, t.wallet_id, t.id as transfer_id,
             format('is %s, but its last event says %s', t.state, coalesce(e.to_state, 'nothing'))
               as message
      from transfers t
      left join (
        select distinct on (book_id, subject_id) book_id, subject_id, to_state
        from events
        where to_state is not null
        order by book_id, subject_id, seq desc
      ) e on e.book_id = t.book_id and e.subject_id = t.id
      where e.to_state is distinct from t.state`,
  },
];
