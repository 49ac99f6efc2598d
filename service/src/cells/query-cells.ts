import type { Cell } from './cell.ts';

/** How many cells are queried at the same time. */
const CELLS_AT_ONCE_MAX = 8;
/** A cell that takes longer counts as one that did not answer. Shorter than what people wait for a page. */
const DEADLINE_MS = 3_000;

export type CellAnswers<T, C extends Pick<Cell, 'name'> = Cell> = Readonly<{
  /** In the order of the cells. */
  answers: readonly Readonly<{ cell: C; answer: T }>[];
  /** The names of the cells that failed or took too long. */
  unanswered: readonly string[];
}>;

type AskOptions = Readonly<{
  deadlineMs?: number;
  onError?: (name: string, error: unknown) => void;
}>;

/**
 * Queries all cells, a few at a time. A cell that misses its deadline is named in the answer and not waited for; its
 * query is not cancelled.
 */
export async function queryCells<T, C extends Pick<Cell, 'name'> = Cell>(
  cells: readonly C[],
  ask: (cell: C) => Promise<T>,
  { deadlineMs = DEADLINE_MS, onError = () => undefined }: AskOptions = {},
): Promise<CellAnswers<T, C>> {
  const replies = new Map<C, T>();
  const waiting = cells.values();
  const askOneByOne = async () => {
    for (const cell of waiting) {
      try {
        replies.set(cell, await withinTime(ask, cell, deadlineMs));
      } catch (error) {
        onError(cell.name, error);
      }
    }
  };
  await Promise.all(Array.from({ length: CELLS_AT_ONCE_MAX }, askOneByOne));
  const hasAnswered = (cell: C) => replies.has(cell);
  return {
    answers: cells.filter(hasAnswered).map((cell) => ({ cell, answer: replies.get(cell) as T })),
    unanswered: cells.filter((cell) => !hasAnswered(cell)).map(({ name }) => name),
  };
}

async function withinTime<T, C extends Pick<Cell, 'name'>>(
  ask: (cell: C) => Promise<T>,
  cell: C,
  deadlineMs: number,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new CellTooLate(cell.name)), deadlineMs);
  });
  try {
    return await Promise.race([ask(cell), late]);
  } finally {
    clearTimeout(timer);
  }
}

class CellTooLate extends Error {
  constructor(name: string) {
    super(`the cell ${name} did not answer in time`);
    this.name = 'CellTooLate';
  }
}
