import { setTimeout as pause } from 'node:timers/promises';
import { findPostmaster } from './data-folder.ts';
import { queryOnce } from './query-once.ts';

const POLL_MS = 100;
/** A start after a crash, with recovery, on a machine that does other things too. */
const HEAL_TIMEOUT_MS = 60_000;
/** A lease of a process that lost its connection at the wrong moment runs for 30 s. */
const QUIET_TIMEOUT_MS = 90_000;
/** Longer than the longest wait between two questions about a doubt that can still end. */
const UNCHANGED_MS = 4_500;

/** Waits until a service says that it is ready. False: it did not in time. */
export async function waitUntilReady(
  port: () => number | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  return pollUntil(signal, HEAL_TIMEOUT_MS, async () => {
    const at = port();
    if (at === undefined) return false;
    const response = await fetch(`http://127.0.0.1:${at}/health/ready`, {
      signal: AbortSignal.timeout(1_000),
    });
    await response.arrayBuffer();
    return response.ok;
  });
}

/**
 * Waits until no transfer has anything left to happen to it: none moves, and those in doubt have stayed
 * as they are for a while. False: some still move.
 */
export async function waitUntilQuiet(dataDir: string, signal: AbortSignal): Promise<boolean> {
  let last = '';
  let sinceMs = performance.now();
  return pollUntil(signal, QUIET_TIMEOUT_MS, async () => {
    const postmaster = await findPostmaster(dataDir);
    if (postmaster === undefined) return false;
    const [row] = await queryOnce<{ moving: number; open: string; untold: number }>(
      postmaster.databaseUrl,
      MOVING,
    );
    if (row === undefined) return false;
    if (row.open !== last) {
      last = row.open;
      sinceMs = performance.now();
    }
    const settled = row.open === '' || performance.now() - sinceMs >= UNCHANGED_MS;
    return row.moving === 0 && row.untold === 0 && settled;
  });
}

export async function pollUntil(
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

// Numbers that end in 913 stay in doubt for ever; what is flagged waits for a person. What is open in a
// live book may stay so, when its operator never says what became of it, or says "pending" and nothing in turns.
const MOVING = `
  select count(*) filter (
           where (state in ('succeeded', 'failed', 'cancelled', 'reversed')
                  and next_action_at is not null and mode = 'test')
              or state in ('queued', 'submitting')
              or (mode = 'test' and state = 'submitted')
              or (mode = 'test' and state = 'in_doubt' and flagged_at is null
                  and phone not like '%913')
         )::int as moving,
         coalesce(
           string_agg(
             t.id::text || t.resubmissions
               || case when t.state in ('submitted', 'in_doubt') then '' else t.state end,
             ' ' order by t.id
           ) filter (
             where mode = 'live' and flagged_at is null and next_action_at is not null
           ),
           ''
         ) as open,
         (select count(*)::int from deliveries where state = 'pending')
           + (select count(*)::int from feed_pending) as untold
  from transfers t join books b on b.id = t.book_id`;
