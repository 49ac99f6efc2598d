import { runClosedLoop } from './closed-loop.ts';
import { openLoadConnections } from './load-connections.ts';
import type { LoadPlan, LoadReport } from './load-plan.ts';
import { runOpenLoop } from './open-loop.ts';
import { beginPhase, type Phase } from './phase.ts';

let phase: Phase | undefined;

/** The process that makes the load: takes one plan, answers with one report, exits. */
async function carryOut(plan: LoadPlan): Promise<LoadReport> {
  const fleet = await openLoadConnections(plan);
  const { ratePerSecond, requestsMax } = plan;
  const startedAtMs = Date.now();
  phase = beginPhase(plan);
  try {
    const result =
      ratePerSecond === null
        ? await runClosedLoop(fleet, phase, requestsMax ?? Number.POSITIVE_INFINITY)
        : await runOpenLoop(fleet, phase, ratePerSecond);
    return {
      result,
      statuses: Object.fromEntries(fleet.statuses),
      withoutRetryAfter: fleet.withoutRetryAfter(),
      sequenceAfter: fleet.lastSequence(),
      startedAtMs,
      endedAtMs: Date.now(),
    };
  } finally {
    fleet.close();
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
