import { causeOf } from '../domain/cause.ts';

/**
 * With hold-one.ts the only place that writes money. Its SQL is in parts, so that a use case can store a transfer, its
 * posting, its event and the wallet's balance by one statement in one round trip. The parts are constants, joined when
 * the module loads.
 *
 * A leg is a posting to be made: an amount from one account to another, and its effect on the wallet's `available` and
 * `held`.
 */

/** What was held of wallet `w` today; another day's total counts no more. */
export const DAY_TOTAL = `
  case when w.day >= (now() at time zone 'utc')::date then w.day_total_minor else 0 end`;

/** The columns of a locked wallet `w`. */
export const LOCKED_COLUMNS = `
           w.book_id, w.id as wallet_id, w.currency, w.status, w.available_minor, w.held_minor,
           w.posting_seq, w.daily_limit_minor, w.low_balance_minor, w.controls_version,
           greatest(w.day, (now() at time zone 'utc')::date) as day,
           ${DAY_TOTAL} as day_total_minor`;

/**
 * Locks every wallet in the CTE `touched (book_id, wallet_id)`, in one order, so that two groups cannot deadlock.
 * Everything that moves money locks wallets first and transfers after them.
 *
 * A statement that began before midnight may get the wallet after one that began later. The wallet's day is then later
 * than the statement's, and its total still counts: a day never goes back.
 */
export const LOCK_WALLETS = `
  locked as materialized (
    select ${LOCKED_COLUMNS}
    from wallets w
    where (w.book_id, w.id) in (select book_id, wallet_id from touched)
    order by w.book_id, w.id
    for update
  )`;

/**
 * Makes a posting of every row of the CTE `legs (book_id, wallet_id, ord, leg, kind, from_account, to_account,
 * amount_minor, available_delta, held_delta, transfer_id, funding_reference)` and updates the wallets' balances.
 * Postings are numbered per wallet without gaps and carry the balances after them, so an account statement needs no
 * summing and a missing row is visible. Needs LOCK_WALLETS before it and `clock (at)` for the time.
 *
 * All values come from `locked`, the wallet as it was when it was locked. An update by itself would see the wallet as
 * it was when the statement began, and PostgreSQL would check its CHECK constraints against that first.
 */
export const POST_LEGS = `
  numbered as (
    select l.book_id, l.wallet_id, l.kind, l.from_account, l.to_account, l.amount_minor,
           l.available_delta, l.held_delta, l.transfer_id, l.funding_reference, w.currency,
           w.posting_seq + row_number() over running as seq,
           w.available_minor + sum(l.available_delta) over running as available_after_minor,
           w.held_minor + sum(l.held_delta) over running as held_after_minor
    from legs l
    join locked w on w.book_id = l.book_id and w.wallet_id = l.wallet_id
    window running as (
      partition by l.book_id, l.wallet_id order by l.ord, l.leg rows unbounded preceding
    )
  ),
  posted as (
    insert into postings (
      book_id, wallet_id, seq, kind, from_account, to_account, amount_minor, currency, transfer_id,
      funding_reference, available_after_minor, held_after_minor, created_at
    )
    select n.book_id, n.wallet_id, n.seq, n.kind, n.from_account, n.to_account, n.amount_minor,
           n.currency, n.transfer_id, n.funding_reference, n.available_after_minor,
           n.held_after_minor, c.at
    from numbered n cross join clock c
  ),
  balanced as (
    update wallets w
    set available_minor = d.available_minor,
        held_minor = d.held_minor,
        posting_seq = d.posting_seq,
        day_total_minor = d.day_total_minor,
        day = d.day
    from (
      select k.book_id, k.wallet_id, k.day, k.posting_seq + count(*) as posting_seq,
             (k.available_minor + sum(l.available_delta))::bigint as available_minor,
             (k.held_minor + sum(l.held_delta))::bigint as held_minor,
             (k.day_total_minor + coalesce(sum(l.amount_minor) filter (where l.kind = 'hold'), 0))::bigint
               as day_total_minor
      from legs l
      join locked k on k.book_id = l.book_id and k.wallet_id = l.wallet_id
      group by k.book_id, k.wallet_id, k.day, k.posting_seq, k.available_minor, k.held_minor,
               k.day_total_minor
    ) d
    where w.book_id = d.book_id and w.id = d.wallet_id
  )`;

/** The legs of new transfers, from the CTE `stored (book_id, wallet_id, ord, id, total_minor)`. */
export const HOLD_LEGS = `
  legs as (
    select s.book_id, s.wallet_id, s.ord, 1 as leg, 'hold' as kind, 'available' as from_account,
           'held' as to_account, s.total_minor as amount_minor, -s.total_minor as available_delta,
           s.total_minor as held_delta, s.id as transfer_id, null::text as funding_reference
    from stored s
  )`;

/**
 * The legs that each state needs for the money held for a transfer, from the CTE `changed (book_id, wallet_id, ord, id,
 * state, amount_minor, fee_minor, route)`. States that keep the hold have no leg.
 */
export const MOVE_LEGS = `
  legs as (
    select m.book_id, m.wallet_id, m.ord, r.leg, r.kind,
           case r.from_account when 'clearing' then 'clearing:' || m.route else r.from_account end
             as from_account,
           case r.to_account when 'clearing' then 'clearing:' || m.route else r.to_account end
             as to_account,
           a.minor as amount_minor, r.available_sign * a.minor as available_delta,
           r.held_sign * a.minor as held_delta, m.id as transfer_id,
           null::text as funding_reference
    from changed m
    -- Constants only, so that they are read once for a group and not for each of its transfers.
    join (
      values
        ('succeeded', 1, 'settle', 'held', 'clearing', 1, 0, 0, -1),
        ('succeeded', 2, 'fee', 'held', 'fees', 0, 1, 0, -1),
        ('failed', 1, 'release', 'held', 'available', 1, 1, 1, -1),
        ('cancelled', 1, 'release', 'held', 'available', 1, 1, 1, -1),
        ('reversed', 1, 'reverse', 'clearing', 'available', 1, 0, 1, 0),
        ('reversed', 2, 'fee_return', 'fees', 'available', 0, 1, 1, 0)
    ) as r (
      state, leg, kind, from_account, to_account, has_amount, has_fee, available_sign, held_sign
    ) on r.state = m.state
    cross join lateral (
      select r.has_amount * m.amount_minor + r.has_fee * m.fee_minor as minor
    ) a
    where a.minor > 0
  )`;

/** The wallets that fall below their low-balance mark, and at which posting. */
export const FIND_LOW_BALANCES = `
  fell as (
    select distinct on (n.book_id, n.wallet_id) n.book_id, n.wallet_id, n.seq::integer as seq
    from numbered n
    join locked w on w.book_id = n.book_id and w.wallet_id = n.wallet_id
    where w.available_minor >= w.low_balance_minor
      and n.available_after_minor < w.low_balance_minor
    order by n.book_id, n.wallet_id, n.seq
  )`;

/** Their events, for `recordEvents` together with the others: a second insert would make every payout slower. */
export const LOW_BALANCE_EVENTS = `
  select f.book_id, f.wallet_id, f.seq, 'wallet.low_balance', null, null, '${causeOf('BALANCE_LOW')}',
         'system:ledger', c.at, true
  from fell f cross join clock c`;
