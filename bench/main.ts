import { parseArgs } from 'node:util';
import { toResult } from './bench-result.ts';
import { renderJson, renderTable } from './print-result.ts';
import { runBench } from './run-bench.ts';
import { SCENARIO_NAMES, SCENARIOS, type Scenario } from './scenarios.ts';

const EXIT_NO_RESULT = 1;
/** EX_USAGE of sysexits. */
const EXIT_USAGE = 64;
/** As shells say it of a program that was interrupted. */
const EXIT_INTERRUPTED = 130;
const SECONDS_DEFAULT = 2;
const SECONDS_MAX = 600;

const USAGE = `Usage: npm run bench -- [--json] [--only NAME]… [--seconds N]

  --json        print the result as JSON, and nothing else, on standard output
  --only NAME   measure only this scenario; may be given several times
                (${SCENARIO_NAMES.join(', ')})
  --seconds N   measure each scenario that long in each of its rounds (${SECONDS_DEFAULT})`;

type Options = Readonly<{ json: boolean; scenarios: readonly Scenario[]; seconds: number }>;

class BadUsage extends Error {}

function readOptions(args: readonly string[]): Options {
  const { values } = parseStrictly(args);
  const only = values.only ?? [];
  for (const name of only) {
    if (!SCENARIOS.some((scenario) => scenario.name === name)) {
      throw new BadUsage(`There is no scenario called "${name}".`);
    }
  }
  const seconds = Number(values.seconds ?? SECONDS_DEFAULT);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > SECONDS_MAX) {
    throw new BadUsage(`--seconds must be a whole number from 1 to ${SECONDS_MAX}.`);
  }
  return {
    json: values.json ?? false,
    scenarios: SCENARIOS.filter(({ name }) => only.length === 0 || only.includes(name)),
    seconds,
  };
}

function parseStrictly(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean' },
        only: { type: 'string', multiple: true },
        seconds: { type: 'string' },
      },
    });
  } catch (error) {
    throw new BadUsage(error instanceof Error ? error.message : String(error));
  }
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** The first signal ends the run and tidies up; the second ends the process as it is. */
function listenForSignals(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      say('stopping, and removing the database');
      process.once(signal, () => process.exit(EXIT_INTERRUPTED));
      controller.abort();
    });
  }
  return controller.signal;
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  const signal = listenForSignals();
  try {
    const result = toResult(await runBench({ say, signal }, options), options.scenarios);
    process.stdout.write(`${(options.json ? renderJson : renderTable)(result)}\n`);
    for (const problem of result.problems) say(`no result: ${problem}`);
    return result.problems.length === 0 ? 0 : EXIT_NO_RESULT;
  } catch (error) {
    if (signal.aborted) return EXIT_INTERRUPTED;
    throw error;
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  const isUsage = error instanceof BadUsage;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  say(isUsage ? `${error.message}\n\n${USAGE}` : text);
  process.exitCode = isUsage ? EXIT_USAGE : EXIT_NO_RESULT;
}
