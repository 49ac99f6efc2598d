import type { Queryable, Statement } from '../../postgres/database.ts';

/** The largest difference between the clocks of processes that share a wallet. */
const CLOCKS_APART_MAX_MS = 5_000;
/** A transfer has five at most. */
const POSTINGS_MAX = 10;

export type TransferPosting = Readonly<{
  sequence: bigint;
  kind: string;
  fromAccount: string;
  toAccount: string;
  amountMinor: bigint;
  at: Date;
}>;

type About = Readonly<{
  bookId: string;
  walletId: string;
  transferId: string;
  /** When the transfer changed: its postings were made at these times. */
  times: readonly Date[];
}>;

/**
 * The postings of one transfer. They are not indexed by transfer, because that would slow down every payout for this
 * one page. A wallet's postings are numbered without gaps in the order of time, so those around a moment are found by
 * binary search.
 */
export async function readTransferPostings(
  database: Queryable,
  { bookId, walletId, transferId, times }: About,
): Promise<readonly TransferPosting[]> {
  const found = new Map<bigint, TransferPosting>();
  for (const time of new Set(times.map((at) => at.getTime()))) {
    const from = new Date(time - CLOCKS_APART_MAX_MS);
    const to = new Date(time + CLOCKS_APART_MAX_MS);
    const values = [bookId, walletId, transferId, from, to, POSTINGS_MAX];
    for (const row of await database.query<PostingRow>(READ, values)) {
      found.set(row.seq, toPosting(row));
    }
  }
  return [...found.values()].sort((a, b) => Number(a.sequence - b.sequence));
}

type PostingRow = {
  seq: bigint;
  kind: string;
  from_account: string;
  to_account: string;
  amount_minor: bigint;
  created_at: Date;
};

function toPosting(row: PostingRow): TransferPosting {
  return {
    sequence: row.seq,
    kind: row.kind,
    fromAccount: row.from_account,
    toAccount: row.to_account,
    amountMinor: row.amount_minor,
    at: row.created_at,
  };
}

// `low` ends as the number of the last posting that is older than the moment; 0 when none is.
function search(name: string, moment: string): string {
  return `
    select 0::bigint as low, w.posting_seq::bigint as high
    from wallets w where w.book_id = $1 and w.id = $2
    union all
    select case when p.created_at < ${moment} then p.seq else s.low end,
           case when p.created_at < ${moment} then s.high else p.seq - 1 end
    from ${name} s
    join postings p on p.book_id = $1 and p.wallet_id = $2 and p.seq = (s.low + s.high + 1) / 2
    where s.low < s.high`;
}

const READ: Statement = {
  name: '',
  text: `
    with recursive
    first_search as (${search('first_search', '$4::timestamptz')}),
    last_search as (${search('last_search', '$5::timestamptz')})
    select p.seq, p.kind, p.from_account, p.to_account, p.amount_minor, p.created_at
    from postings p
    where p.book_id = $1 and p.wallet_id = $2 and p.transfer_id = $3
      and p.seq > (select max(low) from first_search)
      and p.seq <= (select max(low) from last_search)
    order by p.seq
    limit $6`,
};
