import { randomBytes } from 'node:crypto';
import type { SharedApiDeps } from '../http/list-api-operations.ts';
import type { ComposedCell } from './cell.ts';
import type { CellKeeper } from './cell-keeper.ts';
import { composePeople } from './people.ts';
import { composeQueriedCells } from './queried-cells.ts';
import type { Runtime } from './runtime.ts';
import { composeSessions } from './sessions.ts';
import { composeSignIn } from './sign-in.ts';

/** What the operations work with that are not of one book. `consolePort` is known once the service listens. */
export function composeSharedApi(
  runtime: Runtime,
  cells: CellKeeper<ComposedCell>,
  {
    main,
    consolePort,
    tellCells,
  }: Readonly<{
    main: ComposedCell;
    consolePort: () => number;
    /** Has what the company changed in its own controls count in all cells. */
    tellCells: () => Promise<void>;
  }>,
): SharedApiDeps {
  const { directory, routes, leaseOwner, now, monotonicMs, newId, sealer, config } = runtime;
  const sessions = composeSessions(runtime);
  const asked = composeQueriedCells(cells);
  const toLoopback = config.webhooksToLoopback;
  return {
    ...composeSignIn(runtime),
    sessions,
    people: composePeople(runtime, sessions, { cells: asked, consolePort }),
    holidays: { directory, now, newId },
    activity: { directory, cells: asked },
    changes() {
      const answering = new Set(cells.answering());
      return cells.composed().map((cell) => ({ hub: cell.changes, answers: answering.has(cell) }));
    },
    companyControls: {
      database: main.database,
      cells: asked,
      tellCells,
      sealer,
      now,
      newId,
      randomBytes,
      toLoopback,
    },
    staff: {
      directory,
      cells: asked,
      routes,
      now,
      monotonicMs,
      newId,
      randomBytes,
      leaseOwner,
      askIn: (name) => cells.named(name).ask,
    },
  };
}
