import { runClosedLoop } from './closed-loop.ts';
import { openLoadConnections } from './load-connections.ts';
import type { LoadPlan, LoadReport } from './load-plan.ts';
import { runOpenLoop } from './open-loop.ts';
import { beginPhase, type Phase } from './phase.ts';

let phase: Phase | undefined;

/** The process that makes the load: takes one plan, answers with one report, exits. */
async function carryOut(plan: LoadPlan): Promise<LoadReport> {
  const connections = await openLoadConnections(plan);
  const { ratePerSecond, requestsMax } = plan;
  const startedAtMs = Date.now();
  phase = beginPhase(plan);
  try {
    const result =
      ratePerSecond === null
        ? await runClosedLoop(connections, phase, requestsMax ?? Number.POSITIVE_INFINITY)
        : await runOpenLoop(connections, phase, ratePerSecond);
    return {
      result,
      statuses: Object.fromEntries(connections.statuses),
      withoutRetryAfter: connections.withoutRetryAfter(),
      sequenceAfter: connections.lastSequence(),
      startedAtMs,
      endedAtMs: Date.now(),
    };
  } finally {
    connections.close();
  }
}

process.on('message', (message: LoadPlan | 'enough') => {
  if (message === 'enough') {
    phase?.endNow();
    return;
  }
  carryOut(message).then(
    (report) => process.send?.({ report }, () => process.disconnect()),
    (error: unknown) => process.send?.({ error: String(error) }, () => process.disconnect()),
  );
});
