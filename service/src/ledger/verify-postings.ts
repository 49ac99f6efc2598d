import type { LedgerCheck } from './ledger-check.ts';

/**
 * Compares each posting with its wallet, its neighbours and its transfer.
 *
 * That all accounts of a book and currency sum to zero needs no check: a posting takes from one account exactly what it
 * gives to another.
 */
export const POSTING_CHECKS: readonly LedgerCheck[] = [
  {
    name: 'posting wallet',
    text: `
      select p.book_id, p.wallet_id, p.transfer_id,
             case
               when w.id is null then format('posting %s is of a wallet that does not exist', p.seq)
               else format('posting %s is in %s, but the wallet in %s', p.seq, p.currency, w.currency)
             end as message
      from postings p
      left join wallets w on w.book_id = p.book_id and w.id = p.wallet_id
      where w.id is null or w.currency <> p.currency`,
  },
  {
    name: 'posting numbers',
    text: `
      select book_id, wallet_id, transfer_id,
             format('posting %s follows posting %s', seq, seq_before) as message
      from (
        select book_id, wallet_id, transfer_id, seq, lag(seq, 1, 0::bigint) over numbers as seq_before
        from postings
        window numbers as (partition by book_id, wallet_id order by seq)
      ) p
      where seq <> seq_before + 1`,
  },
  {
    // After a wrong sum all later sums are wrong too, so only the first of each wallet is reported.
    name: 'running balance',
    text: `
      select distinct on (book_id, wallet_id) book_id, wallet_id, transfer_id,
             format(
               'posting %s leaves available %s and held %s, but the postings up to it sum to %s and %s',
               seq, (available_after_minor / 100.0)::numeric(40, 2),
               (held_after_minor / 100.0)::numeric(40, 2), (available_sum / 100.0)::numeric(40, 2),
               (held_sum / 100.0)::numeric(40, 2)
             ) as message
      from (
        select book_id, wallet_id, transfer_id, seq, available_after_minor, held_after_minor,
               sum(
                 amount_minor
                 * ((to_account = 'available')::integer - (from_account = 'available')::integer)
               ) over running as available_sum,
               sum(
                 amount_minor * ((to_account = 'held')::integer - (from_account = 'held')::integer)
               ) over running as held_sum
        from postings
        window running as (partition by book_id, wallet_id order by seq rows unbounded preceding)
      ) p
      where available_after_minor <> available_sum or held_after_minor <> held_sum
        or available_sum < 0 or held_sum < 0
      order by book_id, wallet_id, seq`,
  },
  {
    // Only the transfer says which clearing account is right; a missing transfer is reported below.
    name: 'posting accounts',
    text: `
      select book_id, wallet_id, transfer_id,
             format(
               'posting %s is a %s from %s to %s, which must go from %s to %s', seq, kind,
               from_account, to_account, wanted_from, wanted_to
             ) as message
      from (
        select p.book_id, p.wallet_id, p.transfer_id, p.seq, p.kind, p.from_account, p.to_account,
               case
                 when p.kind = 'fund' then 'funding'
                 when p.kind in ('hold', 'fund_return') then 'available'
                 when p.kind in ('settle', 'fee', 'release') then 'held'
                 when p.kind = 'reverse' then p.clearing
                 when p.kind = 'fee_return' then 'fees'
               end as wanted_from,
               case
                 when p.kind in ('fund', 'release', 'reverse', 'fee_return') then 'available'
                 when p.kind = 'hold' then 'held'
                 when p.kind = 'settle' then p.clearing
                 when p.kind = 'fee' then 'fees'
                 when p.kind = 'fund_return' then 'funding'
               end as wanted_to
        from (
          select p.*,
                 -- Payouts that settled before clearing was kept by route keep their account.
                 case 'clearing:' || t.operator || ':' || t.country
                   when p.from_account then p.from_account
                   when p.to_account then p.to_account
                   else 'clearing:' || t.route
                 end as clearing
          from postings p
          left join transfers t on t.book_id = p.book_id and t.id = p.transfer_id
          where t.id is not null or p.kind not in ('settle', 'reverse')
        ) p
      ) p
      where from_account is distinct from wanted_from or to_account is distinct from wanted_to`,
  },
  {
    name: 'posting transfer',
    text: `
      select p.book_id, p.wallet_id, p.transfer_id,
             case
               when t.id is null
               then format('posting %s names a transfer that does not exist', p.seq)
               else format('posting %s is for a transfer of wallet %s', p.seq, t.wallet_id)
             end as message
      from postings p
      left join transfers t on t.book_id = p.book_id and t.id = p.transfer_id
      where p.transfer_id is not null and (t.id is null or t.wallet_id <> p.wallet_id)`,
  },
  {
    // Each contra posting takes back one funding of its wallet, whole.
    name: 'funding taken back',
    text: `
      select p.book_id, p.wallet_id, null::uuid as transfer_id,
             case
               when f.seq is null then format('posting %s takes back no funding', p.seq)
               else format(
                 'posting %s takes back %s of funding %s, which was %s', p.seq,
                 (p.amount_minor / 100.0)::numeric(40, 2), f.seq,
                 (f.amount_minor / 100.0)::numeric(40, 2)
               )
             end as message
      from postings p
      left join take_backs r
        on r.book_id = p.book_id and r.wallet_id = p.wallet_id and r.returned_seq = p.seq
      left join postings f
        on f.book_id = r.book_id and f.wallet_id = r.wallet_id and f.seq = r.funded_seq
        and f.kind = 'fund'
      where p.kind = 'fund_return' and f.amount_minor is distinct from p.amount_minor`,
  },
];
