import type { Cell, Cells } from '../cells/cell.ts';
import { findCell } from '../cells/find-cell.ts';
import { parseUuid } from '../domain/uuid.ts';
import type { Statement } from '../postgres/database.ts';

/** The cell that has the webhook endpoint with this id. */
export function findEndpointCell(cells: Pick<Cells, 'list'>, id: string): Promise<Cell> {
  const values = [parseUuid(id) ?? null];
  return findCell(cells, async (database) => (await database.query(FIND, values)).length > 0);
}

const FIND: Statement = { name: '', text: 'select id from webhook_endpoints where id = $1' };
