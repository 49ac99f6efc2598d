import { type Refusal, refuse } from '../domain/refusal.ts';
import type { Database } from '../postgres/database.ts';
import { MAIN_CELL } from '../schema/service-schema.ts';

/** The cell of every service that has only one. */
export const FIRST_CELL = MAIN_CELL.name;

/** A cell that came back is noticed within a second or two, so a client need not wait long. */
const RETRY_AFTER_SECONDS = 5;

/** A cell as those see it who ask several. */
export type Cell = Readonly<{ name: string; database: Database }>;

/** The cells that this process knows. */
export type Cells = Readonly<{
  /** In the order of their names. */
  list(): readonly Cell[];
  /** Throws CELL_UNAVAILABLE when it is not known or cannot be reached. */
  named(name: string): Cell;
}>;

/** The answer about a book whose cell is not known here or cannot be reached. */
export function refuseCell(): Refusal {
  return refuse('CELL_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** A cell that refuses at once: one whose server is known not to answer, or whose address is not known. */
export function unreachableCell(name: string): Cell {
  const refusing = () => Promise.reject(refuseCell());
  const database: Database = {
    query: refusing,
    transaction: refusing,
    longTransaction: refusing,
    waiting: () => 0,
    isReady: () => Promise.resolve(false),
    close: () => Promise.resolve(),
  };
  return { name, database };
}
