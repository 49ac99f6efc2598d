import type { Turns } from '../background/turns.ts';
import type { Database } from '../postgres/database.ts';
import { withCell } from '../telemetry/log-of-cell.ts';
import { type CellDatabases, type CellPlace, openCellDatabases } from './databases.ts';
import type { Runtime } from './runtime.ts';

/** What everything of one cell is built from. */
export type CellRuntime = Runtime &
  Readonly<Record<keyof CellDatabases, Database>> &
  Readonly<{
    cell: string;
    /** Of the groups of new transfers, with the other cells of its server. */
    turns: Turns;
  }>;

/** `hasOthers`: whether the log and the metrics must tell this cell from others. */
export function createCellRuntime(
  runtime: Runtime,
  place: CellPlace,
  { turns, hasOthers }: Readonly<{ turns: Turns; hasOthers: () => boolean }>,
): CellRuntime & CellDatabases {
  const cell = place.name;
  const label = () => (hasOthers() ? cell : undefined);
  const logger = withCell(runtime.logger, label);
  const { metrics } = runtime;
  return {
    ...runtime,
    cell,
    turns,
    logger,
    metrics: { ...metrics, commitQueue: (queue) => metrics.commitQueue(queue, label) },
    ...openCellDatabases({ ...runtime, logger }, place),
  };
}
