import { createUuidV7Source } from '../domain/uuid.ts';
import type { Database, Queryable } from '../postgres/database.ts';

/** What use cases need to act in the past: a clock that is set, and one transaction for all that they do. */
export type HistoryClock = Readonly<{
  database: Database;
  /** The same: the demo is on one server. */
  directory: Database;
  now: () => Date;
  newId: () => string;
  randomBytes: (size: number) => Uint8Array;
  setClock: (at: Date) => void;
}>;

export function createHistoryClock(
  tx: Queryable,
  random: Readonly<{
    randomBytes: (size: number) => Uint8Array;
    randomFill: (bytes: Uint8Array) => void;
  }>,
): HistoryClock {
  let clock = new Date(0);
  const database = withoutEnd(tx);
  return {
    database,
    directory: database,
    now: () => clock,
    // Lists are in the order of ids, so these are of the past too.
    newId: createUuidV7Source(() => clock.getTime(), random.randomFill),
    randomBytes: random.randomBytes,
    setClock: (at) => {
      clock = at;
    },
  };
}

/** Transactions of use cases become part of the one that is open: all of the history is stored, or nothing. */
function withoutEnd(tx: Queryable): Database {
  return {
    query: (statement, values) => tx.query(statement, values),
    transaction: (work) => work(tx),
    longTransaction: () => Promise.reject(new Error('a history has one transaction')),
    waiting: () => 0,
    isReady: () => Promise.resolve(true),
    close: () => Promise.resolve(),
  };
}

/** One change of the demo history, made at its time. */
export type HistoryStep = Readonly<{ at: Date; happen: () => Promise<void> }>;

/** Runs the steps in the order of their times; of two at the same time, the one that was listed first. */
export async function runInOrder(
  { setClock }: HistoryClock,
  happenings: readonly HistoryStep[],
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const ordered = happenings.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  for (const [index, { at, happen }] of ordered.entries()) {
    setClock(at);
    await happen();
    onProgress(index + 1, ordered.length);
  }
}
