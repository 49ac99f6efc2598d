import type { Life, ScheduleContext } from './schedule-context.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DOWN_MAX_MS = 10 * MINUTE_MS;
/**
 * Together with an operator's lag this stays below the 15 minutes after which "not found" counts.
 */
const PAUSE_MAX_MS = 8 * MINUTE_MS;
const LONG_PAUSE_MAX_MS = 2 * HOUR_MS;

/** Called when a process dies. */
export type OnDeath = (life: Life, downMs: number) => void;

/** Runs work in processes: never after the process died, and after a pause if it is paused. */
export type ProcessRunner = Readonly<{
  deliver(life: Life, work: () => void): void;
  deliverAfter(life: Life, delayMs: number, work: () => void): void;
}>;

export function createProcessRunner(context: ScheduleContext, onDeath: OnDeath): ProcessRunner {
  const { eventQueue, random, trace, plan } = context;

  function die(life: Life): void {
    life.alive = false;
    life.waiting.length = 0;
    trace.note(life.owner, 'dies');
    onDeath(life, cubic(DOWN_MAX_MS));
  }

  function pause(life: Life): void {
    const danger = life.preparing > 0 ? 'sleep before sending' : 'long pauses';
    const drawnMs = cubic(plan.extremes.has(danger) ? LONG_PAUSE_MAX_MS : PAUSE_MAX_MS);
    const forMs = Math.min(drawnMs, plan.healsAtMs - eventQueue.nowMs());
    life.paused = true;
    trace.note(life.owner, `is paused for ${forMs} ms`);
    eventQueue.after(forMs, () => resume(life));
  }

  function resume(life: Life): void {
    if (!life.alive) return;
    life.paused = false;
    trace.note(life.owner, 'goes on');
    // Timers and answers that became due during the pause run in random order.
    const works = life.waiting.splice(0);
    if (random.chance(500)) works.reverse();
    for (const work of works) eventQueue.after(0, () => deliver(life, work));
  }

  /** A random duration; most are short. */
  function cubic(maxMs: number): number {
    return Math.ceil((random.between(1, 1_000) / 1_000) ** 3 * maxMs);
  }

  function deliver(life: Life, work: () => void): void {
    if (!life.alive) return;
    const strikes = !life.paused && !context.isHealed() && random.chance(plan.faultsPerMille);
    if (strikes && random.chance(400)) return die(life);
    if (strikes) pause(life);
    if (life.paused) life.waiting.push(work);
    else context.enter(life, work);
  }

  return {
    deliver,
    deliverAfter: (life, delayMs, work) => eventQueue.after(delayMs, () => deliver(life, work)),
  };
}
