import { randomUUID } from 'node:crypto';
import type { MoveDeps } from '../src/cells/move/move-merchant.ts';
import type { MoveCell } from '../src/cells/move/moving-merchant.ts';
import { type Database, openDatabase } from '../src/postgres/database.ts';
import { DIRECTORY, searchPathOf } from '../src/schema/service-schema.ts';

export type MovePlace = Readonly<{ name: string; schema: string; connectionString: string }>;

export type OpenedMove = Readonly<{
  directory: Database;
  /** In the order of the places. */
  cells: readonly MoveCell[];
  deps: MoveDeps;
  close(): Promise<void>;
}>;

/** Handles of cells as their owner has them, and what a move between them needs. The directory is at the first. */
export function openMoveDeps([first, ...others]: readonly [MovePlace, ...MovePlace[]]): OpenedMove {
  const directory = open(first.connectionString, [DIRECTORY.schema]);
  const cells = [first, ...others].map((place) => ({
    name: place.name,
    database: open(place.connectionString, searchPathOf(place)),
  }));
  const deps: MoveDeps = {
    directory,
    cellNamed(name) {
      const found = cells.find((cell) => cell.name === name);
      if (found === undefined) throw new Error(`no cell ${name}`);
      return found;
    },
    now: () => new Date(),
    newId: () => randomUUID(),
    monotonicMs: () => performance.now(),
  };
  return {
    directory,
    cells,
    deps,
    async close() {
      await Promise.all([directory.close(), ...cells.map(({ database }) => database.close())]);
    },
  };
}

function open(connectionString: string, searchPath: readonly string[]): Database {
  return openDatabase({
    connectionString,
    applicationName: 'kafue-test',
    connectionsMax: 5,
    searchPath,
    onError: () => undefined,
  });
}
