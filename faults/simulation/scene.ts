import type { Random } from '../plan/random.ts';
import type { Agenda } from './agenda.ts';
import type { DatabaseModel } from './database-model.ts';
import type { Deviation } from './deviation.ts';
import type { Journal } from './journal.ts';
import type { OperatorModel } from './operator-model.ts';
import type { Trace } from './trace.ts';
import type { WorldPlan } from './world-plan.ts';

/** All that one schedule consists of. Everything in it follows from the seed. */
export type Scene = Readonly<{
  plan: WorldPlan;
  agenda: Agenda;
  random: Random;
  trace: Trace;
  database: DatabaseModel;
  operators: readonly OperatorModel[];
  journal: Journal;
  deviation: Deviation;
  /** The time of the database's clock, which everybody's leases are in. */
  toDate(ms: number): Date;
  /** Nothing more breaks from now on. */
  isHealed(): boolean;
  newName(kind: string): string;
  /** Runs work of one process; what it sets off is over before anything else happens. */
  enter(life: Life, work: () => void): void;
}>;

/** One run of the program on a machine, from its start to its death. */
export type Life = {
  readonly owner: string;
  alive: boolean;
  paused: boolean;
  /** What reached it while it was paused. */
  readonly waiting: (() => void)[];
  /** Submissions whose lease was checked and that are not on the wire yet. */
  preparing: number;
  /** What its wall clock shows more than the database's. */
  wallOffsetMs: number;
  /** Claimed something since it was last asked. */
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
