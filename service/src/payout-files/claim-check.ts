import { ofOpenMerchant } from '../cells/move/moving-merchant.ts';
import type { FeeTerms } from '../domain/fee.ts';
import type { Mode } from '../domain/transfer.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { RowReferences } from './row-reference.ts';

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

/** The file that waits longest to be checked. Undefined: none does. */
export async function claimCheck(
  database: Queryable,
  leaseOwner: string,
): Promise<CheckClaim | undefined> {
  const [row] = await database.query<ClaimRow>(CLAIM, [leaseOwner, CHECK_LEASE_MS]);
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

const CLAIM: Statement = {
  name: 'claim-payout-file-check',
  text: `
    update payout_files f
    set lease_owner = $1, next_action_at = now() + $2::integer * interval '1 ms'
    from books b
    where b.id = f.book_id and (f.book_id, f.id) = (
      select d.book_id, d.id from payout_files d
      where d.next_action_at <= now() and d.state = 'checking' and ${ofOpenMerchant('d.book_id')}
      order by d.next_action_at
      limit 1
      for update skip locked
    )
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
