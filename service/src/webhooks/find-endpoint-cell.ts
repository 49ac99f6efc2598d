import type { Cell } from '../cells/cell.ts';
import { type FindCellDeps, findCell } from '../cells/find-cell.ts';
import { parseUuid } from '../domain/uuid.ts';
import type { Statement } from '../postgres/database.ts';

/** The cell that has the webhook endpoint with this id. */
export function findEndpointCell(deps: FindCellDeps, id: string): Promise<Cell> {
  const values = [parseUuid(id) ?? null];
  return findCell(deps, (database) => database.query<{ merchantId: string }>(FIND, values));
}

const FIND: Statement = {
  name: '',
  text: `
    select b.merchant_id as "merchantId"
    from webhook_endpoints e join books b on b.id = e.book_id
    where e.id = $1`,
};
