import { EXIT_INTERRUPTED, stopOnSignal } from '../scripts/stop-on-signal.ts';
import service from '../service/package.json' with { type: 'json' };
import { BadUsage, readOptions, USAGE } from './read-options.ts';
import { toResult } from './results/bench-result.ts';
import { findSlower } from './results/find-slower.ts';
import { keepPast, NoHistory, readPast, toPast } from './results/history.ts';
import { renderJson, renderTable } from './results/print-result.ts';
import { runBench } from './run-bench.ts';

const EXIT_NO_RESULT = 1;
/** EX_USAGE of sysexits. */
const EXIT_USAGE = 64;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const signal = stopOnSignal(say, EXIT_INTERRUPTED);
  try {
    // Before the long run, so that a wrong file is noticed at once.
    const before = options.against === undefined ? undefined : readPast(options.against);
    const measured = await runBench({ say, signal }, options);
    const result = toResult(measured);
    const past = toPast(result, { version: service.version, at: new Date() });
    const comparison = before && findSlower(before, past);
    process.stdout.write(`${(options.json ? renderJson : renderTable)(result, comparison)}\n`);
    if (options.keep && result.problems.length === 0) say(`stored: ${await keepPast(past)}`);
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
  const isUsage = error instanceof BadUsage || error instanceof NoHistory;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  say(isUsage ? `${error.message}\n\n${USAGE}` : text);
  process.exitCode = isUsage ? EXIT_USAGE : EXIT_NO_RESULT;
}
