import type { Cell } from '../cells/cell.ts';
import { type FindCellDeps, findCell } from '../cells/find-cell.ts';
import { parseUuid } from '../domain/uuid.ts';
import type { Statement } from '../postgres/database.ts';

/** The cell that has the incident, or the payment without a transfer, with this id. */
export function findIncidentCell(deps: FindCellDeps, id: string): Promise<Cell> {
  const values = [parseUuid(id.trim()) ?? null];
  return findCell(deps, (database) => database.query<{ merchantId: string | null }>(FIND, values));
}

const FIND: Statement = {
  name: '',
  text: `
    select b.merchant_id as "merchantId"
    from incidents i join books b on b.id = i.book_id
    where i.id = $1
    union all
    select null from unmatched_payments where id = $1`,
};
