import { authenticateAdministrator } from '../administrators/authenticate-administrator.ts';
import { noteAct } from '../administrators/note-act.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
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

/** Puts on record what became of a contradiction. It moves no money and changes no transfer. */
export async function closeIncident(
  deps: PeopleDeps,
  request: Readonly<{ id: string; key: string | undefined; note: string }>,
): Promise<ClosedIncident> {
  const { note } = request;
  return deps.database.transaction(async (tx) => {
    const administrator = await authenticateAdministrator(tx, request.key);
    const id = parseUuid(request.id.trim()) ?? null;
    const values = [id, deps.now(), administrator.name, note];
    const [closed] = await tx.query<{ kind: string; transfer_id: string | null }>(CLOSE, values);
    if (closed === undefined || id === null) {
      throw new AdminRefused(
        'There is no open incident with this id.',
        '"incidents list" shows them, open ones first.',
      );
    }
    await noteAct(tx, deps, { administrator, act: 'incidents close', subject: id, detail: note });
    return { id, kind: closed.kind, transferId: closed.transfer_id, by: administrator.name };
  });
}

const CLOSE: Statement = {
  name: '',
  text: `
    with of_transfer as (
      update incidents set closed_at = $2, closed_by = $3, note = $4
      where id = $1 and closed_at is null
      returning kind, transfer_id
    ),
    of_none as (
      update unmatched_payments set closed_at = $2, closed_by = $3, note = $4
      where id = $1 and closed_at is null
      returning 'paid_without_transfer' as kind, null::uuid as transfer_id
    )
    select * from of_transfer union all select * from of_none`,
};
