import { SERVED_HERE } from '../cells/served-here.ts';
import type { Currency } from '../domain/money.ts';
import type { Mode } from '../domain/transfer.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** A proposal to take a funding back, and what became of it. */
export type ListedTakeBack = Readonly<{
  id: string;
  merchantId: string;
  merchant: string;
  mode: Mode;
  walletId: string;
  currency: Currency;
  fundingReference: string;
  amountMinor: bigint;
  reason: string;
  proposedBy: Readonly<{ id: string; name: string }>;
  proposedAt: Date;
  expiresAt: Date;
  end: Readonly<{ at: Date; as: string; by: string | null; reason: string | null }> | null;
}>;

/** The newest first. */
export async function listTakeBacks(
  database: Queryable,
  { max }: Readonly<{ max: number }>,
): Promise<readonly ListedTakeBack[]> {
  const rows = await database.query<TakeBackRow>(LIST, [max]);
  return rows.map(toListed);
}

type TakeBackRow = {
  id: string;
  merchant_id: string;
  merchant: string;
  mode: Mode;
  wallet_id: string;
  currency: Currency;
  funding_reference: string;
  amount_minor: bigint;
  reason: string;
  proposed_by: string;
  proposer: string;
  proposed_at: Date;
  expires_at: Date;
  ended_at: Date | null;
  ended_as: string | null;
  ender: string | null;
  second_reason: string | null;
};

function toListed(row: TakeBackRow): ListedTakeBack {
  const { ended_at: at, ended_as: as, ender: by, second_reason: reason } = row;
  return {
    id: row.id,
    merchantId: row.merchant_id,
    merchant: row.merchant,
    mode: row.mode,
    walletId: row.wallet_id,
    currency: row.currency,
    fundingReference: row.funding_reference,
    amountMinor: row.amount_minor,
    reason: row.reason,
    proposedBy: { id: row.proposed_by, name: row.proposer },
    proposedAt: row.proposed_at,
    expiresAt: row.expires_at,
    end: at === null || as === null ? null : { at, as, by, reason },
  };
}

// There are few: each is a mistake that two people put right.
const LIST: Statement = {
  name: '',
  text: `
    select r.id, b.merchant_id, m.name as merchant, b.mode, r.wallet_id, w.currency, p.funding_reference,
           p.amount_minor, r.reason, r.proposed_by, a.name as proposer, r.proposed_at, r.expires_at,
           r.ended_at, r.ended_as, e.name as ender, r.second_reason
    from take_backs r
    join books b on b.id = r.book_id
    join merchants m on m.id = b.merchant_id and ${SERVED_HERE}
    join wallets w on w.book_id = r.book_id and w.id = r.wallet_id
    join postings p on p.book_id = r.book_id and p.wallet_id = r.wallet_id and p.seq = r.funded_seq
    join people a on a.id = r.proposed_by
    left join people e on e.id = r.ended_by
    order by r.proposed_at desc, r.id desc
    limit $1`,
};
