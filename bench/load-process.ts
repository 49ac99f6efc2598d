import { openFleet } from './load-fleet.ts';
import { runClosedLoop, runOpenLoop } from './load-phases.ts';
import type { LoadPlan, LoadReport } from './load-plan.ts';

/** The first part of an open loop, in which the queue of the closed one drains. */
const OPEN_WARM_UP_MS = 500;

/** The process that makes the load: takes one plan, answers with one report, ends. */
async function carryOut(plan: LoadPlan): Promise<LoadReport> {
  const fleet = await openFleet(plan);
  try {
    const closedLoop = await runClosedLoop(fleet, plan);
    const openLoop = plan.openLoopShare === null ? null : await runOpen(plan.openLoopShare);
    return { closedLoop, openLoop, statuses: Object.fromEntries(fleet.statuses) };

    async function runOpen(share: number) {
      const ratePerSecond = Math.max(1, Math.round(closedLoop.perSecond * share));
      const times = { warmUpMs: OPEN_WARM_UP_MS, measureMs: plan.measureMs };
      return { ratePerSecond, ...(await runOpenLoop(fleet, { ...times, ratePerSecond })) };
    }
  } finally {
    fleet.close();
  }
}

process.once('message', (plan: LoadPlan) => {
  carryOut(plan).then(
    (report) => process.send?.({ report }, () => process.disconnect()),
    (error: unknown) => process.send?.({ error: String(error) }, () => process.disconnect()),
  );
});
