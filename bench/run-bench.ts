import { openBenchServer } from './bench-database.ts';
import { createTargets } from './create-targets.ts';
import { describeMachine, type Machine, othersCpuShare } from './describe-machine.ts';
import type { PhaseResult } from './load-phases.ts';
import { type RunningSide, type SideDeps, startSide } from './running-side.ts';
import type { Scenario, ScenarioName, Side } from './scenarios.ts';

/** Many short turns rather than few long ones: what disturbs one side then disturbs the next as well. */
const ROUNDS = 7;
/** Once for every scenario, for the compiler. */
const FIRST_WARM_UP_MS = 2_500;
/** At the start of every turn, for the process that makes the load. */
const WARM_UP_MS = 500;
/** Open loops run at half the speed that was reached: busy, with room to recover from a stall. */
const OPEN_LOOP_SHARE = 0.5;

export type BenchOptions = Readonly<{ scenarios: readonly Scenario[]; seconds: number }>;

/** One turn of a scenario. */
export type Turn = Readonly<{
  closedLoop: PhaseResult;
  openLoop: (PhaseResult & Readonly<{ ratePerSecond: number }>) | null;
}>;

export type Measured = Readonly<{
  /** The turns of each scenario, by round. */
  turns: ReadonlyMap<ScenarioName, readonly Turn[]>;
  /** What else was using the machine before each round. */
  othersCpuShares: readonly number[];
  /** A run with any of these is no result. */
  problems: readonly string[];
}>;

export type BenchDeps = Readonly<{ say: (line: string) => void; signal: AbortSignal }>;

export async function runBench(
  deps: BenchDeps,
  options: BenchOptions,
): Promise<Measured & Readonly<{ machine: Machine }>> {
  deps.say('starting a throw-away PostgreSQL');
  const server = await openBenchServer({ say: () => undefined });
  try {
    deps.signal.throwIfAborted();
    const wallets = Math.max(...options.scenarios.map((scenario) => scenario.wallets));
    deps.say(`creating merchants: ${wallets}`);
    const targets = await server.prepare((database) =>
      createTargets({ ...deps, database }, wallets),
    );
    const measured = await compareSides({ ...deps, server, targets }, options);
    return { ...measured, machine: describeMachine(server.version) };
  } finally {
    await server.close();
  }
}

async function compareSides(deps: BenchDeps & SideDeps, options: BenchOptions): Promise<Measured> {
  const sides = new Map<Side, RunningSide>();
  try {
    for (const { side } of options.scenarios) {
      if (!sides.has(side)) sides.set(side, await startSide(deps, side));
    }
    const measured = await takeTurns(deps, sides, options);
    deps.say('checking what was stored');
    const problems: string[] = [];
    for (const [name, side] of sides) {
      problems.push(...(await side.finish()).map((problem) => `${name}: ${problem}`));
    }
    return { ...measured, problems };
  } finally {
    for (const side of sides.values()) await side.end();
  }
}

async function takeTurns(
  deps: BenchDeps,
  sides: ReadonlyMap<Side, RunningSide>,
  { scenarios, seconds }: BenchOptions,
): Promise<Omit<Measured, 'problems'>> {
  const measure = (scenario: Scenario, warmUpMs: number, ratePerSecond: number | null) => {
    deps.signal.throwIfAborted();
    const side = sides.get(scenario.side);
    if (side === undefined) throw new Error(`${scenario.side} was not started`);
    return side.measure(scenario, { warmUpMs, measureMs: seconds * 1_000, ratePerSecond });
  };
  const turns = new Map<ScenarioName, Turn[]>(scenarios.map(({ name }) => [name, []]));
  const othersCpuShares: number[] = [];
  deps.say('warming up');
  for (const scenario of scenarios) await measure(scenario, FIRST_WARM_UP_MS, null);
  for (let round = 1; round <= ROUNDS; round += 1) {
    othersCpuShares.push(await othersCpuShare());
    // The closed loops one right after the other: their figures are held against each other.
    const closedLoops = new Map<ScenarioName, PhaseResult>();
    for (const scenario of scenarios) {
      closedLoops.set(scenario.name, await measure(scenario, WARM_UP_MS, null));
    }
    for (const scenario of scenarios) {
      const closedLoop = closedLoops.get(scenario.name);
      if (closedLoop === undefined) continue;
      const openLoop = scenario.hasOpenLoop ? await runOpen(scenario, closedLoop) : null;
      turns.get(scenario.name)?.push({ closedLoop, openLoop });
    }
    deps.say(`round ${round} of ${ROUNDS}: ${describeRound(closedLoops)}`);
  }
  return { turns, othersCpuShares };

  async function runOpen(scenario: Scenario, { perSecond }: PhaseResult) {
    const ratePerSecond = Math.max(1, Math.round(perSecond * OPEN_LOOP_SHARE));
    return { ratePerSecond, ...(await measure(scenario, WARM_UP_MS, ratePerSecond)) };
  }
}

function describeRound(closedLoops: ReadonlyMap<ScenarioName, PhaseResult>): string {
  return [...closedLoops]
    .map(([name, { perSecond }]) => `${name} ${Math.round(perSecond)}/s`)
    .join(', ');
}
