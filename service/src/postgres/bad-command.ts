import { isDataFault, sqlState } from './database.ts';

/** A command of a group could not be prepared, and nothing of the group is stored. */
class BadCommand extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'BadCommand';
  }
}

/**
 * Runs computations on the commands of a group before they are stored. Only for work after which nothing
 * is committed when it throws: its error says that the other commands may be tried again.
 */
export function prepareGroup<T>(prepare: () => T): T {
  try {
    return prepare();
  } catch (error) {
    throw new BadCommand(error);
  }
}

/** A trigger of the database refused to write for a book that is closed. */
const CLOSED_STATE = 'KF001';

/** Whether an error proves that a group was not stored because of something in it. */
export function isFaultOfOneCommand(error: unknown): boolean {
  return error instanceof BadCommand || isDataFault(error) || sqlState(error) === CLOSED_STATE;
}
