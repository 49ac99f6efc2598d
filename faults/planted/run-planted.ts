import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Violation } from '../checker/violation.ts';
import { whyUnfinished } from '../run-seed.ts';
import { findBroken } from './find-broken.ts';
import { findFailedTest } from './find-failed-test.ts';
import { DoesNotApply, plant } from './plant.ts';
import type { PlantedBug, SeededBug, TestedBug } from './planted-bug.ts';

/** A bug that so many seeds do not find counts as not caught. */
const SEEDS_MAX = 10;

export type PlantedResult = Readonly<{
  name: string;
  verdict: 'caught' | 'not caught' | 'does not apply';
  /** The violated invariants that the bug is expected to break. */
  by: readonly string[];
  seeds: number;
  elapsedMs: number;
  /** The first violation's text, or why the bug does not apply. */
  says: string;
}>;

export type PlantedOptions = Readonly<{
  bugs: readonly PlantedBug[];
  firstSeed: number;
  /** How many bugs are looked for at the same time, each in its own copy. */
  atOnce: number;
  signal: AbortSignal;
  onPhase: (phase: string) => void;
  onResult: (result: PlantedResult) => void;
}>;

/** Plants each bug in a copy of the tree, and runs seeds there until the checker reports it. */
export async function runPlanted(options: PlantedOptions): Promise<readonly PlantedResult[]> {
  const results: PlantedResult[] = [];
  options.onPhase('checking types');
  const broken = await findBroken(options.bugs, options.signal);
  const left = [...options.bugs];

  async function runOn(): Promise<void> {
    for (let bug = left.shift(); bug !== undefined; bug = left.shift()) {
      if (options.signal.aborted) return;
      const error = broken.get(bug.name);
      const result = error === undefined ? await runBug(bug, options) : doesNotCompile(bug, error);
      if (options.signal.aborted) return;
      results.push(result);
      options.onResult(result);
    }
  }

  await Promise.all(Array.from({ length: options.atOnce }, runOn));
  return results;
}

function doesNotCompile({ name }: PlantedBug, says: string): PlantedResult {
  return { name, verdict: 'does not apply', by: [], seeds: 0, elapsedMs: 0, says };
}

async function runBug(bug: PlantedBug, options: PlantedOptions): Promise<PlantedResult> {
  const startedMs = performance.now();
  const { name } = bug;
  const since = () => Math.round(performance.now() - startedMs);
  let copy: string;
  try {
    copy = await plant(bug);
  } catch (error) {
    if (!(error instanceof DoesNotApply)) throw error;
    const verdict = 'does not apply';
    return { name, verdict, by: [], seeds: 0, elapsedMs: since(), says: error.message };
  }
  try {
    const looked =
      'test' in bug ? await runTest(copy, bug, options) : await runSeeds(copy, bug, options);
    return { name, elapsedMs: since(), ...looked };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

type Looked = Omit<PlantedResult, 'name' | 'elapsedMs'>;

async function runSeeds(copy: string, bug: SeededBug, options: PlantedOptions): Promise<Looked> {
  for (let seeds = 1; seeds <= SEEDS_MAX && !options.signal.aborted; seeds += 1) {
    options.onPhase(`${bug.name} · seed ${seeds}`);
    const seed = options.firstSeed + seeds - 1;
    const violations = await runSeedIn(copy, { bug, seed, signal: options.signal });
    const rightly = violations.filter(({ invariant }) => bug.breaks.includes(invariant));
    const by = [...new Set(rightly.map(({ invariant }) => invariant))];
    if (by.length > 0) return { verdict: 'caught', by, seeds, says: rightly[0]?.says ?? '' };
    // Such a bug shows nothing, in this seed or in the next.
    const why = whyUnfinished(violations);
    if (why !== undefined) return { verdict: 'does not apply', by: [], seeds, says: why };
  }
  const says = `not within ${SEEDS_MAX} seeds`;
  return { verdict: 'not caught', by: [], seeds: SEEDS_MAX, says };
}

/** Caught when a test of the file fails; the first failed test is named. */
async function runTest(copy: string, bug: TestedBug, options: PlantedOptions): Promise<Looked> {
  options.onPhase(`${bug.name} · ${bug.test}`);
  const says = await findFailedTest(copy, bug.test, options.signal);
  if (says === undefined) return { verdict: 'not caught', by: [], seeds: 0, says: bug.test };
  return { verdict: 'caught', by: [bug.test], seeds: 0, says };
}

async function runSeedIn(
  copy: string,
  { bug, seed, signal }: Readonly<{ bug: SeededBug; seed: number; signal: AbortSignal }>,
): Promise<readonly Violation[]> {
  const script = join(copy, 'faults', 'planted', 'run-one.ts');
  const args = [
    script,
    String(seed),
    JSON.stringify(bug.size),
    join(copy, 'runs'),
    String(bug.cells ?? 1),
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const onAbort = () => child.kill('SIGTERM');
  signal.addEventListener('abort', onAbort, { once: true });
  const ended = once(child, 'exit');
  const [output, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  signal.removeEventListener('abort', onAbort);
  if (signal.aborted) return [];
  if (!output.startsWith('{')) throw new Error(`a seed did not end:\n${complaints}`);
  return (JSON.parse(output) as { violations: readonly Violation[] }).violations;
}
