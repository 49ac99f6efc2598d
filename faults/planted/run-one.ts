/**
 * Runs one seed of a given size in the copy of the tree that contains this file:
 *
 *   node faults/planted/run-one.ts SEED SIZE-AS-JSON FOLDER CELLS
 *
 * Prints the result as JSON.
 */
import { rm } from 'node:fs/promises';
import { bundlePrograms } from '../../scripts/bundle-programs.ts';
import { BUNDLE_VARIABLE } from '../../scripts/program-file.ts';
import type { PlanSize } from '../plan/plan-size.ts';
import { runSeed } from '../run-seed.ts';

const [seed = '1', size = '{}', runsFolder = '', cells = '1'] = process.argv.slice(2);
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());
process.once('SIGINT', () => stopping.abort());

// Of the copy, which is gone after it.
const bundle = await bundlePrograms();
process.env[BUNDLE_VARIABLE] = bundle;
let report = '';
try {
  const { violations, elapsedMs } = await runSeed({
    seed: Number(seed),
    size: JSON.parse(size) as PlanSize,
    cells: Number(cells),
    runsFolder,
    keep: false,
    signal: stopping.signal,
    say: () => undefined,
  });
  report = JSON.stringify({ violations, elapsedMs });
} finally {
  await rm(bundle, { recursive: true, force: true });
}
// Exits only after the whole report is written: a pipe takes long output in pieces.
process.stdout.write(`${report}\n`, () => process.exit(0));
