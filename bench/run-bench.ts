import { openBenchServer } from './database/bench-database.ts';
import { createTargets } from './database/create-targets.ts';
import type { Target } from './load/transfer-request.ts';
import { describeMachine, type Machine, othersCpuShare } from './results/describe-machine.ts';
import type { Measured, Round, Turns } from './results/measured.ts';
import type { Runner, Scenario, ScenarioContext, Turn } from './scenario.ts';
import { SCENARIO_GROUPS } from './scenarios/list-scenarios.ts';
import { type RunningSide, type SideDeps, startSide } from './sides/running-side.ts';
import type { SideSpec } from './sides/side-spec.ts';

const WALLETS = 1_000;

export type BenchOptions = Readonly<{ scenarios: readonly Scenario[]; seconds: number }>;
export type BenchDeps = Readonly<{ say: (line: string) => void; signal: AbortSignal }>;

export async function runBench(
  deps: BenchDeps,
  { scenarios, seconds }: BenchOptions,
): Promise<Measured & Readonly<{ machine: Machine }>> {
  const startedMs = performance.now();
  deps.say('starting a throw-away PostgreSQL');
  const server = await openBenchServer({ say: () => undefined });
  try {
    deps.signal.throwIfAborted();
    deps.say(`creating merchants: ${WALLETS}`);
    const targets = await server.prepare((database) =>
      createTargets({ ...deps, database }, WALLETS),
    );
    const measured: Measured[] = [];
    for (const { group, rounds } of SCENARIO_GROUPS) {
      const members = scenarios.filter((scenario) => scenario.group === group);
      if (members.length === 0) continue;
      const setting = { ...deps, server, targets, walletsTotal: WALLETS };
      measured.push(await runGroup(setting, members, { rounds, measureMs: 1_000 * seconds }));
    }
    return {
      runners: measured.flatMap(({ runners }) => runners),
      turns: new Map(measured.flatMap(({ turns }) => [...turns])),
      othersCpuShares: measured.flatMap(({ othersCpuShares }) => othersCpuShares),
      problems: measured.flatMap(({ problems }) => problems),
      elapsedMs: performance.now() - startedMs,
      machine: describeMachine(server.version),
    };
  } finally {
    await server.close();
  }
}

type Setting = BenchDeps & SideDeps & Readonly<{ targets: readonly Target[] }>;

/** Starts what the scenarios need, lets them take turns, checks the results, and cleans up. */
async function runGroup(
  setting: Setting,
  scenarios: readonly Scenario[],
  { rounds, measureMs }: Readonly<{ rounds: number; measureMs: number }>,
): Promise<Measured> {
  const startedMs = performance.now();
  const sides = new Map<string, RunningSide>();
  const tidyUps: (() => Promise<void>)[] = [];
  const context: ScenarioContext = {
    ...setting,
    measureMs,
    async side(spec: SideSpec) {
      const side = sides.get(spec.name) ?? (await startSide(setting, spec));
      sides.set(spec.name, side);
      return side;
    },
    afterwards(tidyUp) {
      tidyUps.push(tidyUp);
    },
  };
  try {
    const runners: Runner[] = [];
    for (const scenario of scenarios) runners.push(...(await scenario.open(context)));
    const taken = await takeTurns(setting, runners, rounds);
    setting.say('checking what was stored');
    const problems: string[] = [];
    for (const [name, side] of sides) {
      problems.push(...(await side.finish()).map((problem) => `${name}: ${problem}`));
    }
    return { ...taken, runners, problems, elapsedMs: performance.now() - startedMs };
  } finally {
    for (const side of sides.values()) await side.end();
    for (const tidyUp of tidyUps) await tidyUp();
  }
}

async function takeTurns(
  { say, signal }: BenchDeps,
  runners: readonly Runner[],
  rounds: number,
): Promise<Readonly<{ turns: Turns; othersCpuShares: readonly number[] }>> {
  const turns = new Map<string, Round[]>(runners.map(({ name }) => [name, []]));
  const othersCpuShares: number[] = [];
  say('warming up');
  for (const runner of runners) await runner.warmUp();
  for (let round = 1; round <= rounds; round += 1) {
    othersCpuShares.push(await othersCpuShare());
    // One right after the other, because their figures are compared.
    const runs = new Map<Runner, Turn>();
    for (const runner of runners) {
      signal.throwIfAborted();
      runs.set(runner, await runner.run());
    }
    for (const [runner, full] of runs) {
      signal.throwIfAborted();
      const paced = (await runner.runPaced?.(full.perSecond)) ?? null;
      turns.get(runner.name)?.push({ full, paced });
    }
    say(`round ${round} of ${rounds}: ${describeRound(runs)}`);
  }
  return { turns, othersCpuShares };
}

function describeRound(runs: ReadonlyMap<Runner, Turn>): string {
  return [...runs]
    .map(([{ name }, { perSecond }]) => `${name} ${Math.round(perSecond)}/s`)
    .join(', ');
}
