import { rm } from 'node:fs/promises';
import { DoesNotApply, plant } from '../../faults/planted/plant.ts';
import type { AbuseResult } from '../abuse-run.ts';
import { ATTACKS } from '../attacks/attacks.ts';
import type { Promised } from '../observation.ts';
import { runAbuse } from '../run-abuse.ts';
import type { PlantedBound } from './planted-bound.ts';

export type PlantedResult = Readonly<{
  name: string;
  verdict: 'caught' | 'not caught' | 'does not apply';
  /** Every promise that was found broken. */
  by: readonly Promised[];
  elapsedMs: number;
  /** What was said first, or why it does not apply. */
  says: string;
}>;

export type PlantedOptions = Readonly<{
  bounds: readonly PlantedBound[];
  seed: number;
  signal: AbortSignal;
  onPhase: (phase: string) => void;
  onResult: (result: PlantedResult) => void;
}>;

/** Takes each bound out of a copy of the tree, and attacks the service of that copy. */
export async function runPlanted(options: PlantedOptions): Promise<readonly PlantedResult[]> {
  const results: PlantedResult[] = [];
  for (const bound of options.bounds) {
    if (options.signal.aborted) break;
    const startedMs = performance.now();
    const result = await runBound(bound, options);
    if (options.signal.aborted) break;
    const timed = { ...result, elapsedMs: Math.round(performance.now() - startedMs) };
    results.push(timed);
    options.onResult(timed);
  }
  return results;
}

type Untimed = Omit<PlantedResult, 'elapsedMs'>;

async function runBound(bound: PlantedBound, options: PlantedOptions): Promise<Untimed> {
  const { name, breaks } = bound;
  let copy: string;
  try {
    copy = await plant(bound);
  } catch (error) {
    if (!(error instanceof DoesNotApply)) throw error;
    return { name, verdict: 'does not apply', by: [], says: error.message };
  }
  try {
    const problems = listProblems(await attackCopy(copy, bound, options));
    const rightly = problems.filter(({ promise }) => breaks.includes(promise));
    const by = [...new Set(rightly.map(({ promise }) => promise))];
    const [first] = rightly;
    if (first !== undefined)
      return { name, verdict: 'caught', by, says: first.says.split('\n', 1)[0] ?? '' };
    const says = problems.map(({ promise }) => promise).join(', ');
    return { name, verdict: 'not caught', by: [], says: says === '' ? 'all held' : `only ${says}` };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

function attackCopy(copy: string, bound: PlantedBound, options: PlantedOptions) {
  return runAbuse({
    tree: copy,
    form: bound.form,
    seed: options.seed,
    attacks: ATTACKS.filter(({ id }) => bound.attacks.includes(id)),
    judgesGrowth: bound.breaks.includes('growth'),
    signal: options.signal,
    onPhase: (phase) => options.onPhase(`${bound.name} · ${phase}`),
    onRow: () => undefined,
  });
}

function listProblems({ rows, problems }: AbuseResult) {
  return [...rows.flatMap((row) => row.problems), ...problems];
}
