import { setTimeout as pause } from 'node:timers/promises';
import { type FaultPlan, TWO_ACCOUNTS_OPERATOR } from '../plan/plan.ts';
import { findPostmaster } from './data-folder.ts';
import { queryOnce } from './query-once.ts';
import { pollUntil } from './wait-for-quiet.ts';
import type { World } from './world.ts';

/** A process that was killed meanwhile starts first. */
const BACK_TIMEOUT_MS = 60_000;
/** So long a restart waits for the other process to stand still at a point of its own code. */
const STANDSTILL_TIMEOUT_MS = 6_000;

type RouteChange = Extract<FaultPlan, { kind: 'change routes' }>;
type Deps = Readonly<{ world: World; signal: AbortSignal }>;

/**
 * Takes the first of two accounts out of one process's route file, as in a rollout that goes from process to process:
 * the others still send by it. Puts it back after a while.
 */
export async function changeRoutes(deps: Deps, fault: RouteChange): Promise<boolean> {
  const { world, signal } = deps;
  const service = world.services[fault.service];
  if (service === undefined || world.plan.world.secondAccount === null) return false;
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
 * Where processes stand still at points of their own code, the other one does so meanwhile, with whatever it has
 * claimed: the new process must leave that alone. It is ready when it has looked for what its routes cannot serve.
 */
async function restart({ world, signal }: Deps, { service }: RouteChange): Promise<boolean> {
  const { process } = world.services[service] ?? {};
  const other = world.services.find((_, index) => index !== service)?.process;
  const mayStop = world.plan.world.failpoints?.includes(':pause:') === true;
  const isStill =
    other !== undefined &&
    mayStop &&
    (await pollUntil(
      signal,
      STANDSTILL_TIMEOUT_MS,
      async () => (await other.isStopped()) && (await hasClaimedOfQueue(world)),
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

/** Whether some process is about to send what still stands in the queue. */
async function hasClaimedOfQueue({ database }: World): Promise<boolean> {
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
