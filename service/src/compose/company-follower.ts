import { type BackgroundLoop, createBackgroundLoop } from '../background/background-loop.ts';
import { FIRST_CELL } from '../cells/cell.ts';
import { queryCells } from '../cells/query-cells.ts';
import { followCompany } from '../controls/follow-company.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { ComposedCell } from './cell.ts';
import type { CellKeeper } from './cell-keeper.ts';

const ROUND_MS = 1_000;

type CompanyFollower = BackgroundLoop &
  Readonly<{
    /** Has all cells that answer take over now what was changed. */
    follow(): Promise<void>;
  }>;

/** Copies what the company changes in the main cell to every other one. A cell that was away gets it when it is back. */
export function createCompanyFollower(
  cells: Pick<CellKeeper<ComposedCell>, 'alone' | 'answering'>,
  logger: Pick<Logger, 'info' | 'warn'>,
): CompanyFollower {
  async function follow(): Promise<void> {
    if (cells.alone() !== undefined) return;
    const answering = cells.answering();
    const main = answering.find(({ name }) => name === FIRST_CELL);
    if (main === undefined) return;
    const others = answering.filter((cell) => cell !== main);
    await queryCells(
      others,
      async (cell) => {
        if (!(await followCompany(main.database, cell.database))) return;
        logger.info({ cell: cell.name }, 'a cell took over the lists and screeners of the company');
      },
      {
        onError: (cell, err) =>
          logger.warn({ cell, err }, 'taking over the lists of the company failed, trying again'),
      },
    );
  }
  const loop = createBackgroundLoop({
    async round() {
      await follow();
      return ROUND_MS;
    },
    what: 'taking over the lists of the company',
    logger,
    retryInMs: ROUND_MS,
  });
  return { ...loop, follow };
}
