import { setTimeout as pause } from 'node:timers/promises';
import { type FaultPlan, TWO_ACCOUNTS_OPERATOR } from '../plan/plan.ts';
import { pollUntil } from './wait-for-quiet.ts';
import type { World } from './world.ts';

/** A process that was killed meanwhile starts first. */
const BACK_TIMEOUT_MS = 60_000;

/**
 * Takes the first of two accounts out of one process's route file, as in a rollout that goes from process to process:
 * the others still send by it. Puts it back after a while.
 */
export async function changeRoutes(
  { world, signal }: Readonly<{ world: World; signal: AbortSignal }>,
  fault: Extract<FaultPlan, { kind: 'change routes' }>,
): Promise<boolean> {
  const service = world.services[fault.service];
  if (service === undefined || world.plan.world.secondAccount === null) return false;
  const { process, writeRoutes } = service;
  await writeRoutes(TWO_ACCOUNTS_OPERATOR);
  try {
    const changed = fault.restart ? await process.terminate() : process.reload();
    // A new process must have read the file before it is put back.
    await pollUntil(signal, BACK_TIMEOUT_MS, async () => process.ready() !== undefined);
    await pause(fault.forMs);
    return changed;
  } finally {
    await writeRoutes(null);
    await pollUntil(signal, BACK_TIMEOUT_MS, async () => process.reload());
  }
}
