import type { Cells } from '../cells/cell.ts';
import { refuseCell } from '../cells/cell.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** The cell for a new merchant: the one that is named, else the open one that answers and has the fewest books. */
export async function chooseCell(
  directory: Queryable,
  cells: Cells,
  named: string | undefined,
): Promise<string> {
  const rows = await directory.query<{ name: string; is_open: boolean }>(LIST);
  if (named !== undefined) {
    const found = rows.find(({ name }) => name === named);
    if (found === undefined) {
      throw new AdminRefused('CELL_NOT_FOUND', { known: rows.map(({ name }) => name).sort() });
    }
    if (!found.is_open) throw new AdminRefused('CELL_CLOSED', { name: named });
    return cells.named(named).name;
  }
  const answering = new Set(cells.list().map(({ name }) => name));
  const emptiest = rows.find(({ name, is_open }) => is_open && answering.has(name));
  if (emptiest === undefined) throw refuseCell();
  return cells.named(emptiest.name).name;
}

const LIST: Statement = {
  name: '',
  text: `
    select c.name, c.closed_at is null as is_open
    from cells c
    left join merchants m on m.cell = c.name
    group by c.name
    order by count(m.id), c.name`,
};
