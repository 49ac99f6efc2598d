import { countImpossible } from '../approvals/count-impossible.ts';
import { toFloatFigures } from '../floats/float-figures.ts';
import { listFloats } from '../floats/list-floats.ts';
import { countUnresolved } from '../recipients/count-unresolved.ts';
import { countUnfinished } from '../transfers/read/count-unfinished.ts';
import { countOpenIncidents } from '../transfers/read/list-incidents.ts';
import type { CommitQueues } from './commit-queues.ts';
import type { Runtime } from './runtime.ts';

/** Connects the gauges that are read when metrics are shown. */
export function connectMetrics(
  { metrics, reads, routes }: Runtime,
  commitQueues: CommitQueues,
): void {
  metrics.connectSources({
    commitQueuesWaiting: () => ({
      initiate: commitQueues.initiations.waiting(),
      move: commitQueues.moves.waiting(),
      attempt: commitQueues.attempts.waiting(),
      callback: commitQueues.callbacks.waiting(),
    }),
    routes: () =>
      routes.all().map(({ name, limiter }) => ({
        name,
        isOpen: !limiter.isShut() && !limiter.isHeld(),
        used: limiter.used(),
      })),
    async floats() {
      return (await listFloats(reads)).map(toFloatFigures);
    },
    async countUnfinished() {
      const { states, doubts } = await countUnfinished(reads);
      return {
        inState: states,
        oldest: states,
        doubts,
        recipientsUnresolved: await countUnresolved(reads),
        incidentsOpen: await countOpenIncidents(reads),
        approvalsImpossible: await countImpossible(reads),
      };
    },
  });
}
