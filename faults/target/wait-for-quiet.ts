import { setTimeout as pause } from 'node:timers/promises';
import { findCellUrls } from './cell-urls.ts';
import { queryOnce } from './query-once.ts';
import type { TestSystem } from './test-system.ts';

const POLL_MS = 100;
/** Enough for a start after a crash, with recovery, on a busy machine. */
const HEAL_TIMEOUT_MS = 240_000;
/** Far more than the 30 s lease of a process that lost its connection: a machine may be busy. */
const QUIET_TIMEOUT_MS = 240_000;
/** Longer than the longest wait between two inquiries about a doubt that can still end. */
const UNCHANGED_MS = 4_500;

/** Waits until a service is ready. False: it was not ready in time. */
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

/** Waits until a service answers for all cells. False: it did not in time. */
export async function waitForCells(
  port: () => number | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  return pollUntil(signal, HEAL_TIMEOUT_MS, async () => {
    const response = await fetch(`http://127.0.0.1:${port()}/health/ready`, {
      signal: AbortSignal.timeout(1_000),
    });
    const body = await response.text();
    return response.ok && !body.includes('cellsDown');
  });
}

/**
 * Waits until no transfer changes any more: none is due to move, and those in doubt have not changed for
 * `UNCHANGED_MS`. False: some still change.
 */
export async function waitUntilQuiet(system: TestSystem, signal: AbortSignal): Promise<boolean> {
  let last = '';
  let sinceMs = performance.now();
  return pollUntil(signal, QUIET_TIMEOUT_MS, async () => {
    const urls = await findCellUrls(system);
    if (urls === undefined) return false;
    const rows = (await Promise.all(urls.map((url) => queryOnce<MovingRow>(url, MOVING)))).flat();
    const open = rows.map((row) => row.open).join('');
    if (open !== last) {
      last = open;
      sinceMs = performance.now();
    }
    const settled = open === '' || performance.now() - sinceMs >= UNCHANGED_MS;
    return rows.every(({ moving, undelivered }) => moving === 0 && undelivered === 0) && settled;
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

type MovingRow = Readonly<{ moving: number; open: string; undelivered: number }>;

// Numbers that end in 913 stay in doubt for ever, and flagged transfers wait for a person. A live transfer may
// stay open when its operator never reports the outcome, or alternates between "pending" and no answer; its payout file
// is being paid as long.
const MOVING = `
  select count(*) filter (
           where (state in ('succeeded', 'failed', 'cancelled', 'reversed')
                  and next_action_at is not null and mode = 'test')
              or state in ('scheduled', 'queued', 'submitting')
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
         (
           select count(*)::int from payout_files f
           where f.state in ('checking', 'scheduled') or (
             f.state = 'paying' and (
               exists (
                 select from payout_file_rows r
                 where r.book_id = f.book_id and r.file_id = f.id and r.state in ('ready', 'waiting')
               )
               or not exists (
                 select from transfers o
                 where o.book_id = f.book_id and o.file_id = f.id and o.state in ('submitted', 'in_doubt')
               )
             )
           )
         )
           + (select count(*)::int from screenings where next_attempt_at is not null)
           + (select count(*)::int from deliveries where state = 'pending')
           + (select count(*)::int from feed_pending) as undelivered
  from transfers t join books b on b.id = t.book_id`;
