import {
  BEHIND_MAX_MS,
  createDirectoryCopier,
  type DirectoryCopier,
} from '../cells/directory-copier.ts';
import { listCells } from '../cells/list-cells.ts';
import type { Environment } from '../cells/open-server.ts';
import { prepareOtherServer } from '../cells/prepare-other-servers.ts';
import type { Database } from '../postgres/database.ts';
import type { ComposedCell } from './cell.ts';
import { openCopy } from './databases.ts';
import type { Runtime } from './runtime.ts';

/** The copy of the directory that the cells of one other server share. */
type SharedCopy = Readonly<{
  copier: DirectoryCopier;
  /** Brings the tables of the server to this release, once. */
  migrate(): Promise<void>;
  close(): Promise<void>;
}>;
type Entry = {
  readonly copier: DirectoryCopier;
  readonly target: Database;
  migrated: Promise<void> | undefined;
  users: number;
};

/** The copies of the directory on other servers. Each is kept while a cell of its server is open. */
export function createDirectoryCopies(
  runtime: Pick<Runtime, 'directory' | 'directoryListeners' | 'monotonicMs' | 'logger' | 'config'>,
  env: Environment,
) {
  const entries = new Map<string, Entry>();

  function add(urlVariable: string, connectionString: () => string): Entry {
    const { directory, monotonicMs, logger } = runtime;
    const target = openCopy(runtime, connectionString);
    const copier = createDirectoryCopier({ directory, target, urlVariable, monotonicMs, logger });
    const entry = { copier, target, migrated: undefined, users: 0 };
    entries.set(urlVariable, entry);
    runtime.directoryListeners.add(copier.wake);
    return entry;
  }

  async function migrate(urlVariable: string): Promise<void> {
    const { directory, logger } = runtime;
    const cells = await listCells(directory);
    const there = cells.filter((cell) => cell.urlVariable === urlVariable);
    const say = (line: string) => logger.info({}, line);
    try {
      await prepareOtherServer({ env, say }, urlVariable, there);
    } catch (error) {
      logger.error({ err: error }, `the cells of the server in ${urlVariable} cannot be prepared`);
      throw error;
    }
  }

  return {
    open(urlVariable: string, connectionString: () => string): SharedCopy {
      const entry = entries.get(urlVariable) ?? add(urlVariable, connectionString);
      entry.users += 1;
      return {
        copier: entry.copier,
        migrate() {
          entry.migrated ??= migrate(urlVariable).catch((error: unknown) => {
            entry.migrated = undefined;
            throw error;
          });
          return entry.migrated;
        },
        async close() {
          entry.users -= 1;
          if (entry.users > 0) return;
          entries.delete(urlVariable);
          runtime.directoryListeners.delete(entry.copier.wake);
          await entry.copier.stop();
          await entry.target.close();
        },
      };
    },
  };
}

/** A cell on another server: ready while the copy of the directory there is kept up to date. */
export function withCopy(cell: ComposedCell, { copier, migrate, close }: SharedCopy): ComposedCell {
  const isCurrent = () => copier.behindMs() <= BEHIND_MAX_MS;
  return {
    ...cell,
    isCurrent,
    async isReady() {
      // A server that does not answer is given up soon here, and not by the steps after it.
      if (!(await cell.isReady())) return false;
      await migrate();
      // The first question waits for the copy, so that a cell is there when the service has started.
      if (copier.behindMs() === Number.POSITIVE_INFINITY) await copier.copy();
      copier.start();
      return isCurrent();
    },
    async close() {
      await cell.close();
      await close();
    },
  };
}
