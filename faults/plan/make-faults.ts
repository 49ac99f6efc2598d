import type { PlanSize } from './make-plan.ts';
import type { FaultPlan } from './plan.ts';
import type { Random } from './random.ts';

/** Nothing breaks before the clients have begun. */
const FIRST_MIN_MS = 300;
const DOWN_MAX_MS = 1_000;
const PAUSE_MIN_MS = 100;
/** Longer than a client waits for an answer. */
const PAUSE_MAX_MS = 4_000;

/** What breaks and when. Faults may meet: a server killed while the service starts again, and so on. */
export function makeFaults(random: Random, size: PlanSize): readonly FaultPlan[] {
  const count = random.between(size.faultsMin, size.faultsMax);
  const faults = Array.from({ length: count }, () =>
    makeFault(random, random.between(FIRST_MIN_MS, size.windowMs)),
  );
  return faults.sort((one, other) => one.atMs - other.atMs);
}

function makeFault(random: Random, atMs: number): FaultPlan {
  const kind = random.pick<FaultPlan['kind']>([
    'kill service',
    'kill service',
    'kill postmaster',
    'kill backend',
    'pause service',
  ]);
  switch (kind) {
    case 'kill service':
      // Often at once: the new process then meets what the old one left behind.
      return { kind, atMs, downMs: random.chance(500) ? 0 : random.between(1, DOWN_MAX_MS) };
    case 'pause service':
      return { kind, atMs, pauseMs: random.between(PAUSE_MIN_MS, PAUSE_MAX_MS) };
    case 'kill backend':
      return { kind, atMs, perMille: random.between(0, 999) };
    case 'kill postmaster':
      return { kind, atMs };
    default: {
      const unhandled: never = kind;
      throw new Error(`unhandled ${String(unhandled)}`);
    }
  }
}
