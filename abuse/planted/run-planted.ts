import { rm } from 'node:fs/promises';
import { findBroken } from '../../faults/planted/find-broken.ts';
import { findFailedTest } from '../../faults/planted/find-failed-test.ts';
import { DoesNotApply, plant } from '../../faults/planted/plant.ts';
import type { TestedBug } from '../../faults/planted/planted-bug.ts';
import type { AbuseResult } from '../abuse-run.ts';
import { ATTACKS } from '../attacks/attacks.ts';
import { runAbuse } from '../run-abuse.ts';
import type { AttackedBound, PlantedBound } from './planted-bound.ts';

export type PlantedResult = Readonly<{
  name: string;
  verdict: 'caught' | 'not caught' | 'does not apply';
  /** Every guarantee that was found broken, or the file of the test that failed. */
  by: readonly string[];
  elapsedMs: number;
  /** The first finding, or why it does not apply. */
  says: string;
}>;

export type PlantedOptions = Readonly<{
  bounds: readonly PlantedBound[];
  seed: number;
  signal: AbortSignal;
  onPhase: (phase: string) => void;
  /** Called before a bound is removed, with its place in the list. */
  onBound: (name: string, place: number) => void;
  onResult: (result: PlantedResult) => void;
}>;

/** Removes each bound from a copy of the tree, and attacks the service of that copy. */
export async function runPlanted(options: PlantedOptions): Promise<readonly PlantedResult[]> {
  const results: PlantedResult[] = [];
  options.onPhase('checking types');
  const broken = await findBroken(options.bounds, options.signal);
  for (const [index, bound] of options.bounds.entries()) {
    if (options.signal.aborted) break;
    options.onBound(bound.name, index + 1);
    const startedMs = performance.now();
    const error = broken.get(bound.name);
    const result =
      error === undefined ? await runBound(bound, options) : doesNotCompile(bound, error);
    if (options.signal.aborted) break;
    const timed = { ...result, elapsedMs: Math.round(performance.now() - startedMs) };
    results.push(timed);
    options.onResult(timed);
  }
  return results;
}

type Untimed = Omit<PlantedResult, 'elapsedMs'>;

function doesNotCompile({ name }: PlantedBound, says: string): Untimed {
  return { name, verdict: 'does not apply', by: [], says };
}

async function runBound(bound: PlantedBound, options: PlantedOptions): Promise<Untimed> {
  const { name } = bound;
  let copy: string;
  try {
    copy = await plant(bound);
  } catch (error) {
    if (!(error instanceof DoesNotApply)) throw error;
    return { name, verdict: 'does not apply', by: [], says: error.message };
  }
  try {
    const looked =
      'test' in bound
        ? await runTest(copy, bound, options)
        : await runAttacks(copy, bound, options);
    return { name, ...looked };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

type Looked = Omit<Untimed, 'name'>;

async function runTest(copy: string, bound: TestedBug, options: PlantedOptions): Promise<Looked> {
  const { name, test } = bound;
  options.onPhase(`${name} · ${test}`);
  const says = await findFailedTest(copy, test, options.signal);
  if (says === undefined) return { verdict: 'not caught', by: [], says: test };
  return { verdict: 'caught', by: [test], says };
}

/** Runs one attack after the other, until one notices. */
async function runAttacks(
  copy: string,
  bound: AttackedBound,
  options: PlantedOptions,
): Promise<Looked> {
  const others = new Set<string>();
  for (const id of bound.attacks) {
    const problems = listProblems(await attackCopy(copy, { bound, id }, options));
    const rightly = problems.filter(({ guarantee }) => bound.breaks.includes(guarantee));
    const [first] = rightly;
    if (first !== undefined) {
      const by = [...new Set(rightly.map(({ guarantee }) => guarantee))];
      return { verdict: 'caught', by, says: first.says.split('\n', 1)[0] ?? '' };
    }
    for (const { guarantee } of problems) others.add(guarantee);
  }
  const says = others.size === 0 ? 'all held' : `only ${[...others].join(', ')}`;
  return { verdict: 'not caught', by: [], says };
}

function attackCopy(
  copy: string,
  { bound, id: attackId }: Readonly<{ bound: AttackedBound; id: string }>,
  options: PlantedOptions,
) {
  return runAbuse({
    tree: copy,
    form: bound.form,
    seed: options.seed,
    attacks: ATTACKS.filter(({ id }) => id === attackId),
    checksGrowth: bound.breaks.includes('growth'),
    signal: options.signal,
    onPhase: (phase) => options.onPhase(`${bound.name} · ${phase}`),
    onRow: () => undefined,
  });
}

function listProblems({ rows, problems }: AbuseResult) {
  return [...rows.flatMap((row) => row.problems), ...problems];
}
