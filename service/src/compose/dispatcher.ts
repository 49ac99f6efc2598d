import { UNTIL_WOKEN_MS } from '../background/background-loop.ts';
import { createDispatcher } from '../dispatcher/dispatcher.ts';
import { observeOutcome } from '../dispatcher/observe-outcome.ts';
import { createScanner } from '../dispatcher/scanner.ts';
import { createScheduleScanner } from '../dispatcher/schedule-scanner.ts';
import type { CellRuntime } from './cell-runtime.ts';
import type { CommitQueues } from './commit-queues.ts';

export function composeDispatcher(runtime: CellRuntime, { moves }: CommitQueues) {
  const { reads, writes, now, newId, routes, logger, monotonicMs, wait } = runtime;
  const { leaseOwner, metrics } = runtime;
  const deps = {
    database: reads,
    moves,
    now,
    newId,
    routes,
    logger,
    monotonicMs,
    wait,
    random: Math.random,
    observe: observeOutcome({ metrics, logger }),
  };
  const dispatcher = createDispatcher(deps);
  const scanner = createScanner({
    cell: runtime.cell,
    database: writes,
    moves,
    dispatcher,
    routes,
    leaseOwner,
    logger,
    monotonicMs,
    now,
    intervalMs: UNTIL_WOKEN_MS,
  });
  const schedule = createScheduleScanner({ database: writes, moves, routes, leaseOwner, logger });
  return { dispatcher, scanner, schedule };
}
