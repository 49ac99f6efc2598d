import { setTimeout as pause } from 'node:timers/promises';
import { type FaultPlan, pausesServices, TWO_ACCOUNTS_OPERATOR } from '../plan/plan.ts';
import { findPostmaster } from './data-folder.ts';
import { queryOnce } from './query-once.ts';
import type { TestSystem } from './test-system.ts';
import { pollUntil } from './wait-for-quiet.ts';

/** Enough for a process that was killed meanwhile to start again. */
const BACK_TIMEOUT_MS = 60_000;
/** How long a restart waits for the other process to stop at a failpoint. */
const STANDSTILL_TIMEOUT_MS = 6_000;

type RouteChange = Extract<FaultPlan, { kind: 'change routes' }>;
type Deps = Readonly<{ system: TestSystem; signal: AbortSignal }>;

/**
 * Removes the first of two accounts from one process's route file, as in a rollout that reaches one process at a
 * time: the others still send by it. Restores it later.
 */
export async function changeRoutes(deps: Deps, fault: RouteChange): Promise<boolean> {
  const { system, signal } = deps;
  const service = system.services[fault.service];
  if (service === undefined || system.plan.system.secondAccount === null) return false;
  const { process, dropAccount } = service;
  const putBack = await dropAccount(TWO_ACCOUNTS_OPERATOR);
  try {
    const changed = fault.restart ? await restart(deps, fault) : process.reload();
    await pause(fault.forMs);
    return changed;
  } finally {
    await putBack();
    await pollUntil(signal, BACK_TIMEOUT_MS, async () => process.reload());
  }
}

/**
 * Where failpoints stop processes, this waits until the other process is stopped, with the transfers that it has
 * claimed: the restarted process must not touch those. It is ready only after it has looked for transfers that its
 * routes cannot serve.
 */
async function restart({ system, signal }: Deps, { service }: RouteChange): Promise<boolean> {
  const { process } = system.services[service] ?? {};
  const other = system.services.find((_, index) => index !== service)?.process;
  const isStill =
    other !== undefined &&
    pausesServices(system.plan.system) &&
    (await pollUntil(
      signal,
      STANDSTILL_TIMEOUT_MS,
      async () => (await other.isStopped()) && (await hasClaimedOfQueue(system)),
    ));
  const goOn = isStill ? other.keepStopped() : () => undefined;
  try {
    const ended = (await process?.terminate()) ?? false;
    await pollUntil(signal, BACK_TIMEOUT_MS, async () => process?.ready() !== undefined);
    return ended;
  } finally {
    goOn();
  }
}

/** Whether a process has claimed a transfer that is still queued. */
async function hasClaimedOfQueue({ database }: TestSystem): Promise<boolean> {
  const postmaster = await findPostmaster(database.dataDir);
  if (postmaster === undefined) return false;
  const [row] = await queryOnce<{ claimed: boolean }>(postmaster.databaseUrl, CLAIMED);
  return row?.claimed === true;
}

const CLAIMED = `
  select exists (
    select from transfers
    where state = 'queued' and lease_owner is not null and next_action_at > now()
  ) as claimed`;
