import type { Cell, Cells } from '../cells/cell.ts';
import { findCell } from '../cells/find-cell.ts';
import { parseUuid } from '../domain/uuid.ts';
import type { Statement } from '../postgres/database.ts';

/** The cell that has the incident, or the payment without a transfer, with this id. */
export function findIncidentCell(cells: Pick<Cells, 'list'>, id: string): Promise<Cell> {
  const values = [parseUuid(id.trim()) ?? null];
  return findCell(cells, async (database) => (await database.query(FIND, values)).length > 0);
}

const FIND: Statement = {
  name: '',
  text: `
    select id from incidents where id = $1
    union all
    select id from unmatched_payments where id = $1`,
};
