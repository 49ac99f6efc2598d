import type { Currency } from '../domain/money.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

type PostingKind =
  | 'fund'
  | 'hold'
  | 'settle'
  | 'fee'
  | 'release'
  | 'reverse'
  | 'fee_return'
  | 'fund_return';

export type Posting = Readonly<{
  sequence: bigint;
  kind: PostingKind;
  fromAccount: string;
  toAccount: string;
  amountMinor: bigint;
  currency: Currency;
  transferId: string | null;
  /** The transfer's reference, or that of the funding that was booked or taken back. */
  reference: string | null;
  availableAfterMinor: bigint;
  heldAfterMinor: bigint;
  createdAt: Date;
}>;

export type PostingQuery = Readonly<{
  bookId: string;
  walletId: string;
  /** From this time on. */
  from: Date | null;
  /** Before this time. */
  to: Date | null;
  limit: number;
  before: bigint | null;
}>;

/** Newest first. Postings are numbered without gaps and never change, so pages cannot shift. */
export async function listPostings(
  database: Queryable,
  query: PostingQuery,
): Promise<Readonly<{ items: readonly Posting[]; nextCursor: bigint | null }>> {
  const { bookId, walletId, before, from, to, limit } = query;
  const values = [bookId, walletId, before, from, to, limit + 1];
  const rows = await database.query<PostingRow>(LIST, values);
  const items = rows.slice(0, limit).map(toPosting);
  const nextCursor = rows.length > limit ? (items.at(-1)?.sequence ?? null) : null;
  return { items, nextCursor };
}

type PostingRow = {
  seq: bigint;
  kind: PostingKind;
  from_account: string;
  to_account: string;
  amount_minor: bigint;
  currency: Currency;
  transfer_id: string | null;
  reference: string | null;
  available_after_minor: bigint;
  held_after_minor: bigint;
  created_at: Date;
};

function toPosting(row: PostingRow): Posting {
  return {
    sequence: row.seq,
    kind: row.kind,
    fromAccount: row.from_account,
    toAccount: row.to_account,
    amountMinor: row.amount_minor,
    currency: row.currency,
    transferId: row.transfer_id,
    reference: row.reference,
    availableAfterMinor: row.available_after_minor,
    heldAfterMinor: row.held_after_minor,
    createdAt: row.created_at,
  };
}

// Not prepared, so that the planner sees which filters are given.
const LIST: Statement = {
  name: '',
  text: `
    select p.seq, p.kind, p.from_account, p.to_account, p.amount_minor, p.currency, p.transfer_id,
           coalesce(t.reference, p.funding_reference, f.funding_reference) as reference,
           p.available_after_minor,
           p.held_after_minor, p.created_at
    from postings p
    left join transfers t on t.book_id = p.book_id and t.id = p.transfer_id
    left join take_backs r
      on p.kind = 'fund_return' and r.book_id = p.book_id and r.wallet_id = p.wallet_id
      and r.returned_seq = p.seq
    left join postings f
      on f.book_id = r.book_id and f.wallet_id = r.wallet_id and f.seq = r.funded_seq
    where p.book_id = $1
      and p.wallet_id = $2
      and ($3::bigint is null or p.seq < $3)
      and ($4::timestamptz is null or p.created_at >= $4)
      and ($5::timestamptz is null or p.created_at < $5)
    order by p.seq desc
    limit $6`,
};
