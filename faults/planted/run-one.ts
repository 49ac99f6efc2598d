/**
 * One seed of a given size, in whichever copy of the tree this file stands:
 *
 *   node faults/planted/run-one.ts SEED SIZE-AS-JSON FOLDER
 *
 * Prints what it came to as JSON.
 */
import type { PlanSize } from '../plan/plan-size.ts';
import { runSeed } from '../run-seed.ts';

const [seed = '1', size = '{}', runsFolder = ''] = process.argv.slice(2);
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());
process.once('SIGINT', () => stopping.abort());

const { violations, elapsedMs } = await runSeed({
  seed: Number(seed),
  size: JSON.parse(size) as PlanSize,
  runsFolder,
  keep: false,
  signal: stopping.signal,
  say: () => undefined,
});
// A pipe takes long reports in pieces, so the end waits for the last of them.
process.stdout.write(`${JSON.stringify({ violations, elapsedMs })}\n`, () => process.exit(0));
