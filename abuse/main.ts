import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT_INTERRUPTED, stopOnSignal } from '../scripts/stop-on-signal.ts';
import { PLANTED_BOUNDS } from './planted/planted-bounds.ts';
import { renderPlanted, renderPlantedSummary } from './planted/render-planted.ts';
import { runPlanted } from './planted/run-planted.ts';
import { isRed, renderHeader, renderJson, renderRow, renderSummary } from './print-result.ts';
import { BadUsage, type Options, readOptions, USAGE } from './read-options.ts';
import { runAbuse } from './run-abuse.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const EXIT_RED = 1;
/** EX_USAGE of sysexits. */
const EXIT_USAGE = 64;
const SEED_BELOW = 2 ** 31;
const ERASE_LINE = '\r\u001b[2K';

const say = (text: string): void => void process.stderr.write(text);
const sayPhase = (text: string): void => {
  if (process.stderr.isTTY) say(`${ERASE_LINE}${text} …`);
};
const erasePhase = (): void => {
  if (process.stderr.isTTY) say(ERASE_LINE);
};

async function attack(options: Options, signal: AbortSignal): Promise<boolean> {
  const printRow = options.json ? say : (text: string) => void process.stdout.write(text);
  printRow(`${renderHeader()}\n`);
  const result = await runAbuse({
    tree: resolve(options.tree ?? ROOT),
    form: options.form,
    seed: options.seed ?? randomInt(SEED_BELOW),
    attacks: options.attacks,
    checksGrowth: true,
    signal,
    onPhase: sayPhase,
    onRow: (row) => {
      erasePhase();
      printRow(`${renderRow(row)}\n`);
    },
  });
  erasePhase();
  process.stdout.write(`${(options.json ? renderJson : renderSummary)(result)}\n`);
  return !isRed(result);
}

async function removeBounds(options: Options, signal: AbortSignal): Promise<boolean> {
  const bounds = PLANTED_BOUNDS.filter(({ name }) => name.includes(options.bound));
  if (bounds.length === 0) throw new BadUsage(`No bound is named like "${options.bound}".`);
  const results = await runPlanted({
    bounds,
    seed: options.seed ?? 1,
    signal,
    onPhase: sayPhase,
    onBound: (name, place) => {
      erasePhase();
      say(`${place} of ${bounds.length}: ${name}\n`);
    },
    onResult: (result) => {
      erasePhase();
      say(`${renderPlanted(result)}\n`);
    },
  });
  erasePhase();
  const summary = options.json ? JSON.stringify(results, null, 2) : renderPlantedSummary(results);
  process.stdout.write(`${summary}\n`);
  return results.every(({ verdict }) => verdict === 'caught');
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const signal = stopOnSignal((text) => say(`\n${text}\n`), EXIT_INTERRUPTED);
  const held = await (options.planted ? removeBounds : attack)(options, signal);
  if (signal.aborted) return EXIT_INTERRUPTED;
  return held ? 0 : EXIT_RED;
}

try {
  process.exitCode = await main();
} catch (error) {
  const isUsage = error instanceof BadUsage;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  say(isUsage ? `${error.message}\n\n${USAGE}\n` : `${text}\n`);
  process.exitCode = isUsage ? EXIT_USAGE : EXIT_RED;
}
