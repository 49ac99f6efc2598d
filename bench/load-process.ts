import { openFleet } from './load-fleet.ts';
import { runClosedLoop, runOpenLoop } from './load-phases.ts';
import type { LoadPlan, LoadReport } from './load-plan.ts';

/** The process that makes the load: takes one plan, answers with one report, ends. */
async function carryOut(plan: LoadPlan): Promise<LoadReport> {
  const fleet = await openFleet(plan);
  const { ratePerSecond } = plan;
  try {
    const result =
      ratePerSecond === null
        ? await runClosedLoop(fleet, plan)
        : await runOpenLoop(fleet, { ...plan, ratePerSecond });
    return { result, statuses: Object.fromEntries(fleet.statuses) };
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
