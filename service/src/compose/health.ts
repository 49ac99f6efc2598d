import { queryCells } from '../cells/query-cells.ts';
import { probeWrite } from '../schema/probe-write.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { ComposedCell } from './cell.ts';
import type { CellKeeper } from './cell-keeper.ts';

/** For the readiness probe. Of several cells one is enough, since a process that is taken out serves none. */
export function composeHealth(
  logger: Pick<Logger, 'error'>,
  cells: Pick<CellKeeper<ComposedCell>, 'alone' | 'answering' | 'down'>,
) {
  let unwritable: readonly string[] = [];
  const probe = async ({ name, database }: Pick<ComposedCell, 'name' | 'database'>) => {
    try {
      await probeWrite(database);
    } catch (error) {
      const cell = cells.alone() === undefined ? name : undefined;
      logger.error({ cell, err: error }, 'the database cannot write');
      throw error;
    }
  };
  return {
    async databaseAnswers(): Promise<boolean> {
      const alone = cells.alone();
      return alone === undefined ? cells.answering().length > 0 : alone.database.isReady();
    },
    async databaseWrites(): Promise<void> {
      const alone = cells.alone();
      if (alone !== undefined) return probe(alone);
      const { answers, unanswered } = await queryCells(cells.answering(), probe);
      unwritable = unanswered;
      if (answers.length === 0) throw new Error('no cell can write');
    },
    /** The names of the cells that do not answer or cannot write. */
    cellsDown: () =>
      cells.alone() === undefined ? [...new Set([...cells.down(), ...unwritable])].sort() : [],
  };
}
