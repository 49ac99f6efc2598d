/**
 * Runs one seed of a given size in the copy of the tree that contains this file:
 *
 *   node faults/planted/run-one.ts SEED SIZE-AS-JSON FOLDER CELLS
 *
 * Prints the result as JSON.
 */
import type { PlanSize } from '../plan/plan-size.ts';
import { runSeed } from '../run-seed.ts';

const [seed = '1', size = '{}', runsFolder = '', cells = '1'] = process.argv.slice(2);
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());
process.once('SIGINT', () => stopping.abort());

const { violations, elapsedMs } = await runSeed({
  seed: Number(seed),
  size: JSON.parse(size) as PlanSize,
  cells: Number(cells),
  runsFolder,
  keep: false,
  signal: stopping.signal,
  say: () => undefined,
});
// Exits only after the whole report is written: a pipe takes long output in pieces.
process.stdout.write(`${JSON.stringify({ violations, elapsedMs })}\n`, () => process.exit(0));
