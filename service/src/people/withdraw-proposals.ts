import type { ActDeps } from '../acts/act.ts';
import { recordAct } from '../acts/record-act.ts';
import type { Cells } from '../cells/cell.ts';
import { ofOpenMerchant } from '../cells/move/moving-merchant.ts';
import { queryCells } from '../cells/query-cells.ts';
import type { Actor } from '../domain/actor.ts';
import { formatMinor } from '../domain/money.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { Logger } from '../telemetry/logger.ts';

type Withdrawal = Readonly<{
  /** Whose proposals. */
  id: string;
  /** Who took the person's roles away. */
  actor: Actor;
}>;

/**
 * Withdraws in all cells what a person of the staff proposed, whose roles ended: what they saw no longer counts as one of
 * two people. A cell that does not answer keeps it until it expires, and so does a merchant that moves; it is not carried
 * out there either, since only a role that the person has had since before the proposal counts (acts/is-proposal-void.ts). Who
 * decides then withdraws it (resolutions/, merchants/take-back-funding.ts).
 */
export async function withdrawProposals(
  deps: ActDeps & Readonly<{ cells: Cells; logger: Pick<Logger, 'warn'> }>,
  withdrawal: Withdrawal,
): Promise<void> {
  const { id: personId } = withdrawal;
  await queryCells(
    deps.cells.list(),
    ({ database }) =>
      database.transaction(async (tx) => {
        await withdrawResolutions(tx, deps, withdrawal);
        await withdrawTakeBacks(tx, deps, withdrawal);
      }),
    {
      onError: (cell, err) =>
        deps.logger.warn({ cell, personId, err }, 'withdrawing the proposals of a person failed'),
    },
  );
}

async function withdrawResolutions(
  tx: Queryable,
  deps: ActDeps,
  { id, actor }: Withdrawal,
): Promise<void> {
  const values = [id, deps.now(), enderOf(actor)];
  for (const row of await tx.query<ResolutionRow>(WITHDRAW_RESOLUTIONS, values)) {
    const { state, decision, receipt, proposer } = row;
    await recordAct(tx, deps, {
      actor,
      kind: 'RESOLUTION_WITHDRAWN',
      subject: row.transfer_id,
      merchantId: row.merchant_id,
      bookId: row.book_id,
      reason: null,
      before: { state, decision, receipt, proposedBy: proposer },
      after: { state },
    });
  }
}

async function withdrawTakeBacks(
  tx: Queryable,
  deps: ActDeps,
  { id, actor }: Withdrawal,
): Promise<void> {
  const values = [id, deps.now(), enderOf(actor)];
  for (const row of await tx.query<TakeBackRow>(WITHDRAW_TAKE_BACKS, values)) {
    const funding = {
      mode: row.mode,
      currency: row.currency,
      fundingReference: row.funding_reference,
      fundedSequence: Number(row.funded_seq),
      amount: row.amount_minor === null ? null : formatMinor(row.amount_minor),
    };
    await recordAct(tx, deps, {
      actor,
      kind: 'TAKE_BACK_WITHDRAWN',
      subject: row.wallet_id,
      merchantId: row.merchant_id,
      bookId: row.book_id,
      reason: null,
      before: { ...funding, proposedBy: row.proposer },
      after: funding,
    });
  }
}

/** Null when no person does it. */
function enderOf(actor: Actor): string | null {
  return actor.kind === 'person' ? actor.id : null;
}

type EndedRow = { book_id: string; merchant_id: string; proposer: string };
type ResolutionRow = EndedRow & {
  transfer_id: string;
  decision: string;
  receipt: string | null;
  state: string | null;
};
type TakeBackRow = EndedRow & {
  wallet_id: string;
  funded_seq: bigint;
  mode: string;
  currency: string;
  funding_reference: string | null;
  amount_minor: bigint | null;
};

const WITHDRAW_RESOLUTIONS: Statement = {
  name: '',
  text: `
    with ended as (
      update proposals set ended_at = $2, ended_as = 'withdrawn', ended_by = $3
      where proposed_by = $1 and ended_at is null and ${ofOpenMerchant('book_id')}
      returning book_id, transfer_id, decision, receipt
    )
    select e.book_id, e.transfer_id, e.decision, e.receipt, b.merchant_id, t.state, p.name as proposer
    from ended e
    join books b on b.id = e.book_id
    join people p on p.id = $1
    left join transfers t on t.book_id = e.book_id and t.id = e.transfer_id`,
};

const WITHDRAW_TAKE_BACKS: Statement = {
  name: '',
  text: `
    with ended as (
      update take_backs set ended_at = $2, ended_as = 'withdrawn', ended_by = $3
      where proposed_by = $1 and ended_at is null and ${ofOpenMerchant('book_id')}
      returning book_id, wallet_id, funded_seq
    )
    select e.book_id, e.wallet_id, e.funded_seq, b.merchant_id, b.mode, w.currency, f.funding_reference, f.amount_minor,
           p.name as proposer
    from ended e
    join books b on b.id = e.book_id
    join wallets w on w.book_id = e.book_id and w.id = e.wallet_id
    join people p on p.id = $1
    left join postings f on f.book_id = e.book_id and f.wallet_id = e.wallet_id and f.seq = e.funded_seq`,
};
