import { type Cell, FIRST_CELL, refuseCell } from '../../cells/cell.ts';
import { queryCells } from '../../cells/query-cells.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { HOUR_OF_END, hourOf } from '../read/hour-of-end.ts';
import { LATE_HOURS_MAX } from './apply-callbacks.ts';

/** An operator waits for its answer, and sends the callback again if there is none. */
const DEADLINE_MS = 1_500;
/** Most callbacks that come after the end come soon after it: these hours are looked at before all the others. */
const RECENT_HOURS = 3;

/**
 * Finds the cell that has the transfer of a callback. All cells are asked side by side, up to three times: about
 * unfinished transfers, about those of the last hours, and about those of the last 30 days. If no cell has it, the first
 * cell records the callback as unmatched. If a cell did not answer, the transfer may be there: the callback is refused,
 * and the operator sends it again. `down` are the cells that are known not to answer.
 */
export async function findCallbackCell<C extends Cell>(
  { cells, down }: Readonly<{ cells: readonly C[]; down: readonly string[] }>,
  { operatorReference, at }: Readonly<{ operatorReference: string | null; at: Date }>,
): Promise<C> {
  const fallback = cells.find(({ name }) => name === FIRST_CELL) ?? cells[0];
  if (fallback === undefined) throw refuseCell();
  if (operatorReference === null || cells.length + down.length === 1) return fallback;
  const unanswered = new Set(down);
  const endedWithin = (from: number, to: number) => (database: Queryable) =>
    isThere(database, ENDED, [operatorReference, at, from, to]);
  for (const isOfCell of [
    (database: Queryable) => isThere(database, UNFINISHED, [operatorReference]),
    // Its clock may be ahead of ours.
    endedWithin(-1, RECENT_HOURS),
    endedWithin(RECENT_HOURS + 1, LATE_HOURS_MAX),
  ]) {
    const { found, asked } = await askUntilFound(cells, isOfCell);
    if (found !== undefined) return found;
    for (const name of asked.unanswered) unanswered.add(name);
  }
  if (unanswered.size > 0) throw refuseCell();
  return fallback;
}

/** The first cell that has it is enough: one that does not answer must not delay the callbacks of others. */
async function askUntilFound<C extends Cell>(
  cells: readonly C[],
  isOfCell: (database: Queryable) => Promise<boolean>,
) {
  const { promise, resolve } = Promise.withResolvers<C>();
  const asking = queryCells(
    cells,
    async (cell) => {
      if (await isOfCell(cell.database)) resolve(cell);
    },
    { deadlineMs: DEADLINE_MS },
  );
  return Promise.race([
    promise.then((found) => ({ found, asked: NONE })),
    asking.then((asked) => ({ found: undefined, asked })),
  ]);
}

const NONE = { unanswered: [] as readonly string[] };

async function isThere(
  database: Queryable,
  statement: Statement,
  values: readonly unknown[],
): Promise<boolean> {
  return (await database.query(statement, values)).length > 0;
}

/** A merchant that left, or that is arriving, is answered for by the other cell. */
const IS_OF_CELL = `not exists (
  select from merchants m join books b on b.merchant_id = m.id
  where m.state in ('arriving', 'moved') and b.id = t.book_id
)`;

const UNFINISHED: Statement = {
  name: 'find-unfinished-of-callback',
  text: `
    select 1 as found from transfers t
    where t.operator_reference = $1::uuid and t.completed_at is null and ${IS_OF_CELL}
    limit 1`,
};

// A list of hours, not a look-up for each: a small table is then read once instead of hundreds of times, and a large one
// by its index.
const ENDED: Statement = {
  name: 'find-ended-of-callback',
  text: `
    select 1 as found
    from transfers t
    where ${HOUR_OF_END} = any (array(
        select ${hourOf('$2::timestamptz')} - ago.hours * interval '1 hour'
        from generate_series($3::integer, $4::integer) as ago (hours)
      ))
      and t.operator_reference = $1::uuid and t.completed_at is not null and ${IS_OF_CELL}
    limit 1`,
};
