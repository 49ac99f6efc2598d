import { countImpossible } from '../approvals/count-impossible.ts';
import { queryCells } from '../cells/query-cells.ts';
import { toFloatFigures } from '../floats/float-figures.ts';
import { listFloats } from '../floats/list-floats.ts';
import type { Queryable } from '../postgres/database.ts';
import { countUnresolved } from '../recipients/count-unresolved.ts';
import { createCachedReading } from '../telemetry/cached-reading.ts';
import type { UnfinishedCounts } from '../telemetry/metric-sources.ts';
import { countUnfinished } from '../transfers/read/count-unfinished.ts';
import { countOpenIncidents } from '../transfers/read/list-incidents.ts';
import { addCounts } from './add-counts.ts';
import type { ComposedCell } from './cell.ts';
import type { CellKeeper } from './cell-keeper.ts';
import type { Runtime } from './runtime.ts';

/** Connects the gauges that are read when metrics are shown. */
export function connectMetrics(
  { metrics, monotonicMs, directory, routes }: Runtime,
  cells: CellKeeper<ComposedCell>,
): void {
  const readAlone = createCachedReading({
    read: async () => (await cells.alone()?.database.isReady()) === true,
    monotonicMs,
  });
  metrics.connectSources({
    commitQueuesWaiting: () => cells.composed().flatMap((cell) => countWaiting(cell, cells)),
    async cells() {
      const alone = cells.alone();
      if (alone !== undefined) return [{ name: alone.name, isUp: (await readAlone()) === true }];
      const answering = cells.answering().map(({ name }) => ({ name, isUp: true }));
      return [...answering, ...cells.down().map((name) => ({ name, isUp: false }))];
    },
    routes: () =>
      routes.all().map(({ name, limiter }) => ({
        name,
        isOpen: !limiter.isShut() && !limiter.isHeld(),
        used: limiter.used(),
      })),
    async floats() {
      return (await listFloats(directory)).map(toFloatFigures);
    },
    async countUnfinished() {
      const alone = cells.alone();
      if (alone !== undefined) return countCell(alone.database);
      const asked = await queryCells(cells.answering(), ({ database }) => countCell(database));
      const { answers, unanswered } = asked;
      // A sum that leaves out a cell would end an alarm that it is the cause of.
      const missing = [...cells.down(), ...unanswered];
      if (missing.length > 0) throw new Error(`these cells did not answer: ${missing.join(', ')}`);
      return addCounts(answers.map(({ answer }) => answer));
    },
  });
}

function countWaiting({ name, commitQueues }: ComposedCell, cells: CellKeeper<ComposedCell>) {
  const { initiations, moves, attempts, callbacks } = commitQueues;
  const cell = cells.hasSeveral() ? name : undefined;
  return [
    { cell, queue: 'initiate', waiting: initiations.waiting() },
    { cell, queue: 'move', waiting: moves.waiting() },
    { cell, queue: 'attempt', waiting: attempts.waiting() },
    { cell, queue: 'callback', waiting: callbacks.waiting() },
  ];
}

async function countCell(database: Queryable): Promise<UnfinishedCounts> {
  const { states, doubts } = await countUnfinished(database);
  return {
    inState: states,
    oldest: states,
    doubts,
    recipientsUnresolved: await countUnresolved(database),
    incidentsOpen: await countOpenIncidents(database),
    approvalsImpossible: await countImpossible(database),
  };
}
