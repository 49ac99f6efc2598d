import { createRandom } from '../plan/random.ts';
import { announce, forge } from './callbacks-model.ts';
import { checkSchedule } from './check-schedule.ts';
import { drawControls } from './controls-plan.ts';
import { createDatabaseModel } from './database-model.ts';
import { decideApprovals } from './decide-approvals.ts';
import type { Deviation } from './deviation.ts';
import { createEventQueue } from './event-queue.ts';
import { type Extreme, SURVIVED } from './extremes.ts';
import type { Finding } from './finding.ts';
import { createJournal } from './journal.ts';
import { placeOrder } from './merchant-model.ts';
import { type BookEntry, createOperatorModel, type OperatorModel } from './operator-model.ts';
import { makeCallbacksFinal } from './operator-plan.ts';
import { createProcessRunner, type ProcessRunner } from './process-life.ts';
import { replaceGlobals } from './replace-globals.ts';
import { createLife, type Life, type ScheduleContext } from './schedule-context.ts';
import { drawSchedulePlan } from './schedule-plan.ts';
import { type Process, startProcess } from './start-process.ts';
import { createTrace, type TraceLine } from './trace.ts';

const DAY_ONE_MS = Date.UTC(2026, 0, 5);
const CLOCK_JUMP_MAX_MS = 3 * 3_600_000;
const CLOCK_JUMPS_MAX = 4;
/** Far more than any schedule needs; it ends an endless loop. */
const STEPS_MAX = 200_000;
/** Every fifth world has payouts that wait for a time or a person. */
const CONTROLLED_EVERY = 5;
/** In every seventh world signed callbacks of some operators are final. */
const FINAL_CALLBACKS_EVERY = 7;

export type ScheduleOptions = Readonly<{
  seed: number;
  /** A planted bug; default: none. */
  deviation?: Deviation;
  /** The extremes of this world; default: the extremes that the service survives. */
  extremes?: readonly Extreme[];
  /** Whether to keep the lines of the trace. */
  keepLines?: boolean;
}>;

export type ScheduleResult = Readonly<{
  seed: number;
  /** A digest of the trace: the same seed gives the same digest. */
  digest: string;
  findings: readonly Finding[];
  transfers: number;
  steps: number;
  lines: readonly TraceLine[];
}>;

/** Runs one world from its seed to its end, and reports violations. */
export async function runSchedule(options: ScheduleOptions): Promise<ScheduleResult> {
  const turn: Turn = { running: undefined, deliverToAny: () => false };
  const context = createScene(options, turn);
  const giveBack = replaceGlobals(() => turn.running);
  let steps = 0;
  try {
    steps = await runSteps(context, turn);
  } finally {
    giveBack();
  }
  return {
    seed: options.seed,
    digest: context.trace.digest(),
    findings: checkSchedule(context, { isComplete: steps < STEPS_MAX }),
    transfers: context.database.all().length,
    steps,
    lines: context.trace.lines(),
  };
}

type Turn = {
  /** The process that is running; at most one at any moment. */
  running: Life | undefined;
  /** Of the schedule, once there are processes. */
  deliverToAny: ScheduleContext['deliverToAny'];
};

/** Runs steps until the end, or until `STEPS_MAX`. */
async function runSteps(context: FullScene, turn: Turn): Promise<number> {
  populate(context, turn);
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    const step = context.eventQueue.takeNext(context.plan.endsAtMs);
    if (step === undefined) return steps;
    step();
    if (turn.running !== undefined) await settle();
    turn.running = undefined;
  }
  return STEPS_MAX;
}

/** Waits for all microtasks, including the microtasks that they create. */
function settle(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

function createScene(
  { seed, deviation = {}, extremes = SURVIVED, keepLines = false }: ScheduleOptions,
  turn: Turn,
): ScheduleContext & Readonly<{ dueListeners: Set<(atMs: number) => void> }> {
  const random = createRandom(seed, 'simulation');
  const drawn = drawSchedulePlan(random, new Set(extremes));
  const hasControls = seed % CONTROLLED_EVERY === CONTROLLED_EVERY - 1;
  const hasFinal = seed % FINAL_CALLBACKS_EVERY === FINAL_CALLBACKS_EVERY - 1;
  const plan = {
    ...drawn,
    operators: hasFinal
      ? makeCallbacksFinal(createRandom(seed, 'final callbacks'), drawn.operators)
      : drawn.operators,
    controls: hasControls ? drawControls(createRandom(seed, 'controls'), drawn) : null,
  };
  const eventQueue = createEventQueue();
  const { nowMs } = eventQueue;
  const trace = createTrace({ nowMs, keepLines });
  const toDate = (ms: number) => new Date(DAY_ONE_MS + ms);
  const dueListeners = new Set<(atMs: number) => void>();
  const database = createDatabaseModel({
    nowMs,
    faults: deviation.statements ?? {},
    onDue: (atMs) => {
      for (const listen of dueListeners) listen(atMs);
    },
    note: trace.note,
    toMs: (date) => date.getTime() - DAY_ONE_MS,
    controls: plan.controls,
  });
  const operators: OperatorModel[] = [];
  let names = 0;
  const context = {
    plan,
    eventQueue,
    random,
    trace,
    database,
    operators,
    journal: createJournal(),
    deviation,
    dueListeners,
    toDate,
    isHealed: () => nowMs() >= plan.healsAtMs,
    newName(kind: string) {
      names += 1;
      return `${kind}-${names}`;
    },
    deliverToAny: (work: (core: Process['core']) => void) => turn.deliverToAny(work),
    enter(life: Life, work: () => void) {
      if (turn.running !== undefined) throw new Error('two processes at one moment');
      turn.running = life;
      work();
    },
  };
  for (const operatorPlan of plan.operators) {
    const { healsAtMs } = plan;
    const onEntry = (entry: BookEntry) => announce(context, operatorPlan.name, entry);
    const { wasContradicted } = database;
    const deps = { plan: operatorPlan, random, nowMs, healsAtMs, wasContradicted, onEntry };
    operators.push(createOperatorModel(deps));
  }
  for (const wallet of plan.wallets) database.ledger.open(wallet);
  return context;
}

type FullScene = ReturnType<typeof createScene>;

/** Starts machines, merchants and faults. */
function populate(context: FullScene, turn: Turn): void {
  const { eventQueue, plan, random } = context;
  const processes: (Process | undefined)[] = [];
  const submissions = new Map<string, number>();
  const processRunner: ProcessRunner = createProcessRunner(context, (life, downMs) => {
    const machine = processes.findIndex((process) => process?.life === life);
    const dead = processes[machine];
    if (dead !== undefined) context.dueListeners.delete(dead.scanClock.onDue);
    processes[machine] = undefined;
    eventQueue.after(downMs, () => boot(machine));
  });

  function boot(machine: number): void {
    const owner = context.newName(`process-${machine + 1}`);
    context.trace.note(owner, 'starts');
    const life = createLife(owner, drawOffset(context));
    const process = startProcess(context, { processRunner, life, submissions });
    processes[machine] = process;
    context.dueListeners.add(process.scanClock.onDue);
    processRunner.deliver(life, () => process.core.startScanner());
    if (plan.controls === null) return;
    eventQueue.after(0, () => processRunner.deliver(life, () => process.core.startSchedule()));
  }

  for (let machine = 0; machine < plan.machines; machine += 1)
    eventQueue.at(0, () => boot(machine));
  const pickProcess = () => processes[random.between(0, plan.machines - 1)];
  turn.deliverToAny = (work) => {
    const process = pickProcess();
    if (process !== undefined) processRunner.deliver(process.life, () => work(process.core));
    return process !== undefined;
  };
  for (const order of plan.orders) placeOrder({ context, processRunner, pickProcess }, order);
  for (const atMs of plan.controls?.visitsMs ?? []) {
    eventQueue.at(atMs, () => decideApprovals({ context, processRunner, pickProcess }));
  }
  for (let index = 0; index < plan.forgedCallbacks; index += 1) {
    eventQueue.at(random.between(0, plan.healsAtMs), () => forge(context));
  }
  const jumps = plan.wallClocksJump ? random.between(1, CLOCK_JUMPS_MAX) : 0;
  for (let index = 0; index < jumps; index += 1) {
    eventQueue.at(random.between(0, plan.healsAtMs), () => {
      const life = processes[random.between(0, plan.machines - 1)]?.life;
      if (life !== undefined) life.wallOffsetMs = drawOffset(context);
    });
  }
}

function drawOffset({ plan, random }: ScheduleContext): number {
  const jumpMs = random.between(-CLOCK_JUMP_MAX_MS, CLOCK_JUMP_MAX_MS);
  return plan.wallClocksJump && random.chance(500) ? jumpMs : 0;
}
