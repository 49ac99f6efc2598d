import { ofOpenMerchant } from '../cells/move/moving-merchant.ts';
import type { FeeTerms } from '../domain/fee.ts';
import type { Mode } from '../domain/transfer.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { RowReferences } from './row-reference.ts';

/** How many books one claim reads; each costs some probes of an index. */
const BOOKS_PER_CLAIM_MAX = 500;
/** Longer than storing a batch of rows takes. Each batch extends the lease. */
const CHECK_LEASE_MS = 30_000;

/** A file that this process checks until its lease ends. */
export type CheckClaim = Readonly<{
  book: Readonly<{ id: string; mode: Mode; feeTerms: FeeTerms }>;
  fileId: string;
  walletId: string | null;
  references: RowReferences;
  uploadBytes: number;
  leaseOwner: string;
}>;

/** Another process has taken the file over, or a person deleted it: this process must not store its result. */
export class CheckLost extends Error {
  constructor() {
    super('the check of a payout file was taken over');
    this.name = 'CheckLost';
  }
}

type ClaimRow = {
  book_id: string;
  id: string;
  wallet_id: string | null;
  row_references: RowReferences;
  upload_bytes: number;
  mode: Mode;
  fee_fixed_minor: bigint;
  fee_basis_points: number;
};

/**
 * The file of the next book that waits longest to be checked, so that books take turns however many files one uploads.
 * Books of which a file is being checked come after the others. Undefined: no file waits.
 */
export async function claimCheck(
  database: Queryable,
  claim: Readonly<{
    leaseOwner: string;
    /** The book of the last claim, after which the turn begins. */
    afterBook: string;
  }>,
): Promise<CheckClaim | undefined> {
  const { leaseOwner, afterBook } = claim;
  const [row] = await database.query<ClaimRow>(CLAIM, [
    leaseOwner,
    CHECK_LEASE_MS,
    afterBook,
    BOOKS_PER_CLAIM_MAX,
  ]);
  if (row === undefined) return undefined;
  const feeTerms = { fixedMinor: row.fee_fixed_minor, basisPoints: row.fee_basis_points };
  return {
    book: { id: row.book_id, mode: row.mode, feeTerms },
    fileId: row.id,
    walletId: row.wallet_id,
    references: row.row_references,
    uploadBytes: row.upload_bytes,
    leaseOwner,
  };
}

/** Holds the file until the transaction ends and extends the lease. Throws CheckLost if it is no longer this one's. */
export async function holdCheck(tx: Queryable, claim: CheckClaim): Promise<void> {
  const { book, fileId, leaseOwner } = claim;
  const held = await tx.query(HOLD, [book.id, fileId, leaseOwner, CHECK_LEASE_MS]);
  if (held.length === 0) throw new CheckLost();
}

// `walk` goes through the partial index from book to book, however many files a book has: from the book of the last claim
// to the last book, and then from the first one. Of a file that is being checked the next action is when its lease ends.
const CLAIM: Statement = {
  name: 'claim-payout-file-check',
  text: `
    with recursive walk as (
      select $3::uuid as book_id, null::timestamptz as next_action_at, false as has_wrapped
      union all
      select n.book_id, n.next_action_at, n.has_wrapped
      from walk w
      cross join lateral (
        (
          select f.book_id, f.next_action_at, w.has_wrapped from payout_files f
          where f.state = 'checking' and f.book_id > w.book_id and (not w.has_wrapped or f.book_id <= $3::uuid)
          order by f.book_id, f.next_action_at limit 1
        )
        union all
        (
          select f.book_id, f.next_action_at, true from payout_files f
          where f.state = 'checking' and f.book_id <= $3::uuid and not w.has_wrapped
          order by f.book_id, f.next_action_at limit 1
        )
        order by has_wrapped limit 1
      ) n
    ),
    seen as materialized (
      select book_id, next_action_at, has_wrapped from walk limit $4
    ),
    due as (
      select d.book_id, d.id
      from (
        select s.book_id from seen s
        where s.next_action_at <= now() and ${ofOpenMerchant('s.book_id')}
        order by (
          select f.next_action_at from payout_files f
          where f.state = 'checking' and f.book_id = s.book_id
          order by f.next_action_at desc limit 1
        ) > now(), s.has_wrapped, s.book_id
      ) b
      cross join lateral (
        select f.book_id, f.id from payout_files f
        where f.state = 'checking' and f.book_id = b.book_id and f.next_action_at <= now()
        order by f.next_action_at
        limit 1
        for update skip locked
      ) d
      limit 1
    )
    update payout_files f
    set lease_owner = $1, next_action_at = now() + $2::integer * interval '1 ms'
    from due d
    join books b on b.id = d.book_id
    where f.book_id = d.book_id and f.id = d.id
    returning f.book_id, f.id, f.wallet_id, f.row_references, f.upload_bytes, b.mode, b.fee_fixed_minor, b.fee_basis_points`,
};

const HOLD: Statement = {
  name: 'hold-payout-file-check',
  text: `
    update payout_files f
    set next_action_at = now() + $4::integer * interval '1 ms'
    where f.book_id = $1 and f.id = $2 and f.state = 'checking' and f.lease_owner = $3
    returning f.id`,
};
