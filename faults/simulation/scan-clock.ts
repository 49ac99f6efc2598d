import type { ProcessRunner } from './process-life.ts';
import type { Life, ScheduleContext } from './schedule-context.ts';

/** After scans that claimed nothing the interval doubles. This is allowed, because timers may always be late. */
const IDLE_DOUBLINGS_MAX = 6;
const JITTER_MS = 200;

/**
 * Decides when a process's scanner runs again. The real scanner polls and nearly always finds nothing; here it is
 * woken only when something is due, which gives the same results.
 */
export type ScanClock = Readonly<{
  onTimer(run: () => void, delayMs: number): void;
  /** A transfer will be due at that time. */
  onDue(atMs: number): void;
}>;

export function createScanClock(
  context: ScheduleContext,
  processRunner: ProcessRunner,
  life: Life,
): ScanClock {
  const { eventQueue, random, database } = context;
  let waiting: (() => void)[] = [];
  let readyAtMs = 0;
  let plannedAtMs = Infinity;
  let idleScans = 0;

  function onDue(dueMs: number): void {
    if (waiting.length === 0 || !life.alive) return;
    const earliestMs = Math.max(readyAtMs, dueMs, eventQueue.nowMs());
    if (earliestMs >= plannedAtMs) return;
    const atMs = earliestMs + random.between(0, JITTER_MS);
    if (atMs >= plannedAtMs) return;
    plannedAtMs = atMs;
    eventQueue.at(atMs, () => {
      if (atMs === plannedAtMs) wake();
    });
  }

  function wake(): void {
    plannedAtMs = Infinity;
    const dueMs = database.firstDueMs();
    if (dueMs === undefined) return;
    if (dueMs > eventQueue.nowMs()) return onDue(dueMs);
    const [run, ...others] = waiting;
    waiting = [];
    if (run !== undefined) processRunner.deliver(life, run);
    // One step of a schedule is of one process, so the other loops have steps of their own.
    for (const other of others) eventQueue.after(0, () => processRunner.deliver(life, other));
  }

  return {
    onTimer(run, delayMs) {
      idleScans = life.claimed ? 0 : Math.min(IDLE_DOUBLINGS_MAX, idleScans + 1);
      life.claimed = false;
      waiting.push(run);
      readyAtMs = eventQueue.nowMs() + delayMs * 2 ** idleScans;
      const dueMs = database.firstDueMs();
      if (dueMs !== undefined) onDue(dueMs);
    },
    onDue,
  };
}
