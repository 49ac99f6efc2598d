import { setTimeout as pause } from 'node:timers/promises';
import { findPostmaster } from './data-folder.ts';
import { queryOnce } from './query-once.ts';
import type { ServiceProcess } from './service-process.ts';

const POLL_MS = 100;
/** A start after a crash, with recovery, on a machine that does other things too. */
const HEAL_TIMEOUT_MS = 60_000;
/** A lease of a process that lost its connection at the wrong moment runs for 30 s. */
const QUIET_TIMEOUT_MS = 90_000;

/** Waits until the service says that it is ready. False: it did not in time. */
export async function waitUntilReady(
  service: ServiceProcess,
  signal: AbortSignal,
): Promise<boolean> {
  return pollUntil(signal, HEAL_TIMEOUT_MS, async () => {
    const port = service.port();
    if (port === undefined) return false;
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`, {
      signal: AbortSignal.timeout(1_000),
    });
    await response.arrayBuffer();
    return response.ok;
  });
}

/** Waits until no transfer has anything left to happen to it. False: some still have. */
export async function waitUntilQuiet(dataDir: string, signal: AbortSignal): Promise<boolean> {
  return pollUntil(signal, QUIET_TIMEOUT_MS, async () => {
    const postmaster = await findPostmaster(dataDir);
    if (postmaster === undefined) return false;
    const [row] = await queryOnce<{ moving: number }>(postmaster.databaseUrl, MOVING);
    return row?.moving === 0;
  });
}

async function pollUntil(
  signal: AbortSignal,
  timeoutMs: number,
  isSo: () => Promise<boolean>,
): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (performance.now() < end && !signal.aborted) {
    if (await isSo().catch(() => false)) return true;
    await pause(POLL_MS);
  }
  return false;
}

// Numbers that end in 913 stay in doubt for ever; what is flagged waits for a person.
const MOVING = `
  select count(*)::int as moving
  from transfers
  where (state in ('succeeded', 'failed', 'cancelled', 'reversed') and next_action_at is not null)
     or state in ('queued', 'submitting', 'submitted')
     or (state = 'in_doubt' and flagged_at is null and phone not like '%913')`;
