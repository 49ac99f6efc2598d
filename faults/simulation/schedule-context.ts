import type { Random } from '../plan/random.ts';
import type { DatabaseModel } from './database-model.ts';
import type { Deviation } from './deviation.ts';
import type { EventQueue } from './event-queue.ts';
import type { Journal } from './journal.ts';
import type { OperatorModel } from './operator-model.ts';
import type { SchedulePlan } from './schedule-plan.ts';
import type { ServiceCore } from './service-core.ts';
import type { Trace } from './trace.ts';

/** The parts of one schedule. The seed decides everything in it. */
export type ScheduleContext = Readonly<{
  plan: SchedulePlan;
  eventQueue: EventQueue;
  random: Random;
  trace: Trace;
  database: DatabaseModel;
  operators: readonly OperatorModel[];
  journal: Journal;
  deviation: Deviation;
  /** Simulated time as a time of the database's clock, by which leases are counted. */
  toDate(ms: number): Date;
  /** Whether the faults have ended. */
  isHealed(): boolean;
  newName(kind: string): string;
  /** Delivers work to any process that runs; false: none does. */
  deliverToAny(work: (core: ServiceCore) => void): boolean;
  /** Runs work of one process; all microtasks that it creates finish before anything else runs. */
  enter(life: Life, work: () => void): void;
}>;

/** One process on a machine, from its start to its end. */
export type Life = {
  readonly owner: string;
  alive: boolean;
  paused: boolean;
  /** Work that arrived while it was paused. */
  readonly waiting: (() => void)[];
  /** The number of submissions whose lease was checked but that are not sent yet. */
  preparing: number;
  /** The offset of its wall clock from the database's. */
  wallOffsetMs: number;
  /** Whether it claimed something since the last check. */
  claimed: boolean;
  onTimer: (run: () => void, delayMs: number) => void;
};

export function createLife(owner: string, wallOffsetMs: number): Life {
  return {
    owner,
    alive: true,
    paused: false,
    waiting: [],
    preparing: 0,
    wallOffsetMs,
    claimed: false,
    onTimer: () => {
      throw new Error('a timer in a process that has not started');
    },
  };
}
