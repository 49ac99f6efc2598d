import { SERVED_HERE } from '../cells/served-here.ts';
import type { Currency } from '../domain/money.ts';
import type { Mode } from '../domain/transfer.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { ResolutionDecision } from './proposal.ts';
import { CAN_BE_CONFIRMED, PROPOSER_COUNTS } from './why-stale.ts';

/** What one person proposed and another one can still confirm. */
export type WaitingProposal = Readonly<{
  id: string;
  kind: ResolutionDecision | 'take_back';
  merchantId: string;
  merchant: string;
  mode: Mode;
  /** Null: it is about a wallet. */
  transferId: string | null;
  walletId: string;
  amountMinor: bigint;
  currency: Currency;
  proposedBy: Readonly<{ id: string; name: string }>;
  expiresAt: Date;
}>;

/** Lists proposals about transfers and proposals to take fundings back, the one that ends next first. */
export async function listOpenProposals(
  database: Queryable,
  { now, max }: Readonly<{ now: Date; max: number }>,
): Promise<readonly WaitingProposal[]> {
  const rows = await database.query<WaitingRow>(LIST, [now, max]);
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    merchantId: row.merchant_id,
    merchant: row.merchant,
    mode: row.mode,
    transferId: row.transfer_id,
    walletId: row.wallet_id,
    amountMinor: row.amount_minor,
    currency: row.currency,
    proposedBy: { id: row.proposed_by, name: row.proposer },
    expiresAt: row.expires_at,
  }));
}

type WaitingRow = {
  id: string;
  kind: ResolutionDecision | 'take_back';
  merchant_id: string;
  merchant: string;
  mode: Mode;
  transfer_id: string | null;
  wallet_id: string;
  amount_minor: bigint;
  currency: Currency;
  proposed_by: string;
  proposer: string;
  expires_at: Date;
};

const LIST: Statement = {
  name: '',
  text: `
    with waiting as (
      select p.book_id, p.id, p.decision as kind, t.id as transfer_id, t.wallet_id, t.amount_minor,
             t.currency, p.proposed_by, p.expires_at
      from proposals p
      join transfers t on t.book_id = p.book_id and t.id = p.transfer_id
      where p.ended_at is null and p.expires_at > $1 and ${CAN_BE_CONFIRMED}
      union all
      select p.book_id, p.id, 'take_back', null, p.wallet_id, f.amount_minor, w.currency,
             p.proposed_by, p.expires_at
      from take_backs p
      join wallets w on w.book_id = p.book_id and w.id = p.wallet_id
      join postings f
        on f.book_id = p.book_id and f.wallet_id = p.wallet_id and f.seq = p.funded_seq
      where p.ended_at is null and p.expires_at > $1 and ${PROPOSER_COUNTS}
    )
    select w.id, w.kind, b.merchant_id, m.name as merchant, b.mode, w.transfer_id, w.wallet_id,
           w.amount_minor, w.currency, w.proposed_by, a.name as proposer, w.expires_at
    from waiting w
    join books b on b.id = w.book_id
    join merchants m on m.id = b.merchant_id and ${SERVED_HERE}
    join people a on a.id = w.proposed_by
    order by w.expires_at, w.id
    limit $2`,
};
