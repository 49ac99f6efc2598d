import { STATE_RULES, TRANSFER_STATES } from '../domain/transfer-state.ts';
import type { LedgerCheck } from './ledger-check.ts';

const HELD_STATES = TRANSFER_STATES.filter((state) => STATE_RULES[state].hold === 'held');

/** Compares the wallets with their postings and transfers. */
export const WALLET_CHECKS: readonly LedgerCheck[] = [
  {
    name: 'wallet balance',
    text: `
      select w.book_id, w.id as wallet_id, null::uuid as transfer_id,
             format(
               'says %s %s, but its postings sum to %s', v.account,
               (v.kept / 100.0)::numeric(40, 2), (v.summed / 100.0)::numeric(40, 2)
             ) as message
      from wallets w
      left join (
        select book_id, wallet_id,
               sum(
                 amount_minor
                 * ((to_account = 'available')::integer - (from_account = 'available')::integer)
               ) as available_minor,
               sum(
                 amount_minor * ((to_account = 'held')::integer - (from_account = 'held')::integer)
               ) as held_minor
        from postings
        group by book_id, wallet_id
      ) p on p.book_id = w.book_id and p.wallet_id = w.id
      cross join lateral (
        values
          ('available', w.available_minor, coalesce(p.available_minor, 0)),
          ('held', w.held_minor, coalesce(p.held_minor, 0))
      ) as v (account, kept, summed)
      where v.kept <> v.summed`,
  },
  {
    name: 'last posting',
    text: `
      select w.book_id, w.id as wallet_id, null::uuid as transfer_id,
             format(
               'says its last posting is number %s, but it is number %s', w.posting_seq,
               coalesce(p.last_seq, 0)
             ) as message
      from wallets w
      left join (
        select book_id, wallet_id, max(seq) as last_seq from postings group by book_id, wallet_id
      ) p on p.book_id = w.book_id and p.wallet_id = w.id
      where w.posting_seq <> coalesce(p.last_seq, 0)`,
  },
  {
    name: 'held for transfers',
    text: `
      select w.book_id, w.id as wallet_id, null::uuid as transfer_id,
             format(
               'holds %s, but its unfinished transfers need %s',
               (w.held_minor / 100.0)::numeric(40, 2),
               (coalesce(t.needed_minor, 0) / 100.0)::numeric(40, 2)
             ) as message
      from wallets w
      left join (
        select book_id, wallet_id, sum(amount_minor + fee_minor) as needed_minor
        from transfers
        where state = any ($2::text[])
        group by book_id, wallet_id
      ) t on t.book_id = w.book_id and t.wallet_id = w.id
      where w.held_minor <> coalesce(t.needed_minor, 0)`,
    values: [HELD_STATES],
  },
];
