import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { FULL_SIZE } from './plan/make-plan.ts';
import { renderJson, renderSeed, renderSummary } from './print-result.ts';
import { BadUsage, readOptions, USAGE } from './read-options.ts';
import { type Progress, runSeeds } from './run-seeds.ts';

const RUNS_FOLDER = fileURLToPath(new URL('./runs', import.meta.url));
const EXIT_VIOLATED = 1;
/** EX_USAGE of sysexits. */
const EXIT_USAGE = 64;
/** As shells say it of a program that was interrupted. */
const EXIT_INTERRUPTED = 130;
const MS_PER_MINUTE = 60_000;
/** Leaves room below the largest seed for those that follow. */
const FIRST_SEED_MAX = 2 ** 31;
const ERASE_LINE = '\r\u001b[2K';

const say = (text: string): void => void process.stderr.write(text);

/** The first signal ends the run and tidies up; the second ends the process as it is. */
function listenForSignals(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      say('\nstopping, and removing the database\n');
      process.once(signal, () => process.exit(EXIT_INTERRUPTED));
      controller.abort();
    });
  }
  return controller.signal;
}

function showProgress({ seed, done, phase }: Progress): void {
  if (process.stderr.isTTY) say(`${ERASE_LINE}${done} seeds done · seed ${seed} · ${phase} …`);
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  const signal = listenForSignals();
  const startedMs = performance.now();
  const { minutes } = options;
  const untilMs =
    minutes === undefined ? Number.POSITIVE_INFINITY : startedMs + minutes * MS_PER_MINUTE;
  const results = await runSeeds({
    firstSeed: options.firstSeed ?? randomInt(FIRST_SEED_MAX),
    extent: { seedsMax: options.seedsMax, untilMs },
    size: FULL_SIZE,
    runsFolder: RUNS_FOLDER,
    keep: options.keep,
    signal,
    onPhase: showProgress,
    onResult: (result) => {
      say(`${process.stderr.isTTY ? ERASE_LINE : ''}${renderSeed(result)}\n`);
    },
  });
  const elapsedMs = performance.now() - startedMs;
  process.stdout.write(`${(options.json ? renderJson : renderSummary)(results, elapsedMs)}\n`);
  if (signal.aborted) return EXIT_INTERRUPTED;
  return results.every(({ violations }) => violations.length === 0) ? 0 : EXIT_VIOLATED;
}

try {
  process.exitCode = await main();
} catch (error) {
  const isUsage = error instanceof BadUsage;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  say(isUsage ? `${error.message}\n\n${USAGE}\n` : `${text}\n`);
  process.exitCode = isUsage ? EXIT_USAGE : EXIT_VIOLATED;
}
