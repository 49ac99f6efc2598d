import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { bundlePrograms } from '../scripts/bundle-programs.ts';
import { BUNDLE_VARIABLE } from '../scripts/program-file.ts';
import { EXIT_INTERRUPTED, stopOnSignal } from '../scripts/stop-on-signal.ts';
import { renderMutation, renderMutations, runMutations } from './mutations/run-mutations.ts';
import { FULL_SIZE } from './plan/plan-size.ts';
import { PLANTED_BUGS } from './planted/planted-bugs.ts';
import { renderPlanted, renderPlantedSummary } from './planted/render-planted.ts';
import { runPlanted } from './planted/run-planted.ts';
import { renderJson, renderSeed, renderSummary } from './print-result.ts';
import { readCpuMs } from './read-cpu.ts';
import { BadUsage, type Options, readOptions, USAGE } from './read-options.ts';
import { type Progress, runSeeds } from './run-seeds.ts';
import { renderSimulation } from './simulation/render-simulation.ts';
import { runSimulation } from './simulation/run-simulation.ts';

const RUNS_FOLDER = fileURLToPath(new URL('./runs', import.meta.url));
const EXIT_VIOLATED = 1;
/** EX_USAGE of sysexits. */
const EXIT_USAGE = 64;
const MS_PER_MINUTE = 60_000;
/** Leaves room below the largest seed for the following seeds. */
const FIRST_SEED_MAX = 2 ** 31;
const ERASE_LINE = '\r\u001b[2K';

const say = (text: string): void => void process.stderr.write(text);
const sayLine = (text: string): void => say(`${process.stderr.isTTY ? ERASE_LINE : ''}${text}\n`);
const sayProgress = (text: string): void => {
  if (process.stderr.isTTY) say(`${ERASE_LINE}${text} …`);
};

function showProgress({ seed, done, phase }: Progress): void {
  sayProgress(`${done} seeds done · seed ${seed} · ${phase}`);
}

/** Runs seeds and prints their results. Returns whether nothing was violated. */
async function breakForReal(options: Options, signal: AbortSignal): Promise<boolean> {
  const startedMs = performance.now();
  // A seed starts services and emulators many times, and in one file each they start in half the time.
  process.env[BUNDLE_VARIABLE] ??= await bundlePrograms();
  const { minutes } = options;
  const untilMs =
    minutes === undefined ? Number.POSITIVE_INFINITY : startedMs + minutes * MS_PER_MINUTE;
  const results = await runSeeds({
    firstSeed: options.firstSeed ?? randomInt(FIRST_SEED_MAX),
    extent: { seedsMax: options.seedsMax, untilMs },
    atOnce: options.atOnce,
    size: FULL_SIZE,
    cells: options.cells,
    runsFolder: RUNS_FOLDER,
    keep: options.keep,
    signal,
    onPhase: showProgress,
    onResult: (result) => sayLine(renderSeed(result)),
  });
  const spent = { elapsedMs: performance.now() - startedMs, cpuMs: await readCpuMs() };
  process.stdout.write(`${(options.json ? renderJson : renderSummary)(results, spent)}\n`);
  return results.every(({ violations }) => violations.length === 0);
}

async function plantBugs(options: Options, signal: AbortSignal): Promise<boolean> {
  const bugs = PLANTED_BUGS.filter(({ name }) => name.includes(options.bug));
  if (bugs.length === 0) throw new BadUsage(`No bug has "${options.bug}" in its name.`);
  const results = await runPlanted({
    bugs,
    firstSeed: options.firstSeed ?? 1,
    atOnce: options.atOnce,
    signal,
    onPhase: sayProgress,
    onResult: (result) => sayLine(renderPlanted(result)),
  });
  const summary = options.json ? JSON.stringify(results, null, 2) : renderPlantedSummary(results);
  process.stdout.write(`${summary}\n`);
  return results.every(({ verdict }) => verdict === 'caught');
}

async function simulate(options: Options, signal: AbortSignal): Promise<boolean> {
  const summary = await runSimulation({
    firstSeed: options.firstSeed ?? randomInt(FIRST_SEED_MAX),
    schedules: options.schedules,
    signal,
    onProgress: ({ done, redSchedules }) =>
      sayProgress(`${done} schedules done · ${redSchedules} red`),
  });
  sayProgress('');
  process.stdout.write(
    `${options.json ? JSON.stringify(summary, null, 2) : renderSimulation(summary)}\n`,
  );
  return summary.redSchedules === 0;
}

async function mutate(options: Options, signal: AbortSignal): Promise<boolean> {
  const results = await runMutations({
    seed: options.firstSeed ?? randomInt(FIRST_SEED_MAX),
    count: options.mutations,
    signal,
    onPhase: sayProgress,
    onResult: (result) => sayLine(renderMutation(result)),
  });
  process.stdout.write(
    `${options.json ? JSON.stringify(results, null, 2) : renderMutations(results)}\n`,
  );
  return results.every(({ foundBy }) => foundBy !== null);
}

const WORK = {
  seeds: breakForReal,
  planted: plantBugs,
  simulation: simulate,
  mutations: mutate,
} as const;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const signal = stopOnSignal(sayLine, EXIT_INTERRUPTED);
  const held = await WORK[options.what](options, signal);
  if (signal.aborted) return EXIT_INTERRUPTED;
  return held ? 0 : EXIT_VIOLATED;
}

try {
  process.exitCode = await main();
} catch (error) {
  const isUsage = error instanceof BadUsage;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  say(isUsage ? `${error.message}\n\n${USAGE}\n` : `${text}\n`);
  process.exitCode = isUsage ? EXIT_USAGE : EXIT_VIOLATED;
}
