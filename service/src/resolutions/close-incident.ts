import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import { requestApprovalCheck } from '../approvals/transfers/flag-impossible.ts';
import type { PersonActor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import { PAID_WITHOUT_TRANSFER } from '../domain/incident.ts';
import { parseUuid } from '../domain/uuid.ts';
import type { Statement } from '../postgres/database.ts';
import type { PeopleDeps } from './resolve-by-people.ts';

export type ClosedIncident = Readonly<{
  id: string;
  kind: string;
  /** Null: no transfer is known, only that an operator says that it paid. */
  transferId: string | null;
  by: string;
}>;

/**
 * Puts on record what became of a contradiction. It moves no money and changes no transfer; but what waits in the queue
 * because another route says that it paid it before (`paid-elsewhere.ts`) is sent then, and so is what pays it again and
 * has all its approvals.
 */
export async function closeIncident(
  deps: PeopleDeps,
  request: Readonly<{ actor: PersonActor; id: string; note: string }>,
): Promise<ClosedIncident> {
  const { actor, note } = request;
  return actAs(deps, actor, async (tx) => {
    const id = parseUuid(request.id.trim()) ?? null;
    const values = [id, deps.now(), actor.name, note];
    const [closed] = await tx.query<ClosedRow>(CLOSE, values);
    if (closed === undefined || id === null) throw new AdminRefused('INCIDENT_NOT_FOUND', {});
    // What has all its approvals may have waited for this alone.
    if (closed.book_id !== null) await requestApprovalCheck(tx, closed.book_id);
    const facts = { kind: closed.kind, transferId: closed.transfer_id };
    await recordAct(tx, deps, {
      actor,
      kind: 'INCIDENT_CLOSED',
      subject: id,
      merchantId: closed.merchant_id,
      ...(closed.book_id === null ? {} : { bookId: closed.book_id }),
      reason: note,
      before: { ...facts, open: true },
      after: { ...facts, open: false },
    });
    return { id, ...facts, by: actor.name };
  });
}

type ClosedRow = {
  kind: string;
  transfer_id: string | null;
  merchant_id: string | null;
  book_id: string | null;
};

const CLOSE: Statement = {
  name: '',
  text: `
    with of_transfer as (
      update incidents set closed_at = $2, closed_by = $3, note = $4
      where id = $1 and closed_at is null
      returning kind, transfer_id, (select merchant_id from books where id = book_id) as merchant_id,
                book_id
    ),
    of_none as (
      update unmatched_payments set closed_at = $2, closed_by = $3, note = $4
      where id = $1 and closed_at is null
      returning '${PAID_WITHOUT_TRANSFER}' as kind, null::uuid as transfer_id, null::uuid as merchant_id,
                null::uuid as book_id
    )
    select * from of_transfer union all select * from of_none`,
};
