import { ROOT } from '../planted/plant.ts';
import { chooseMutations } from './choose-mutations.ts';
import { type MutationResult, runMutation } from './run-mutation.ts';

export type MutationOptions = Readonly<{
  seed: number;
  count: number;
  signal: AbortSignal;
  onPhase: (phase: string) => void;
  onResult: (result: MutationResult) => void;
}>;

/** Draws small changes by the seed, makes one at a time, and reports which stage finds each. */
export async function runMutations(options: MutationOptions): Promise<readonly MutationResult[]> {
  const { seed, signal } = options;
  const mutations = await chooseMutations(ROOT, options);
  const results: MutationResult[] = [];
  for (const [index, mutation] of mutations.entries()) {
    const result = await runMutation(mutation, {
      seed,
      signal,
      onStage: (stage) =>
        options.onPhase(
          `mutation ${index + 1} of ${mutations.length} · ${mutation.file} · ${stage}`,
        ),
    });
    if (signal.aborted) break;
    results.push(result);
    options.onResult(result);
  }
  return results;
}

const MS_PER_SECOND = 1_000;

export function renderMutation({ describes, foundBy, elapsedMs, failure }: MutationResult): string {
  const seconds = `${(elapsedMs / MS_PER_SECOND).toFixed(0)} s`;
  if (foundBy === null) return `✖ ${describes}\n    not found · ${seconds}`;
  const found = `✔ ${describes}\n    found by ${foundBy} · ${seconds}`;
  return failure === null ? found : `${found}\n    ${failure}`;
}

export function renderMutations(results: readonly MutationResult[]): string {
  const survivors = results.filter(({ foundBy }) => foundBy === null);
  const lines = survivors.map(({ describes }) => `  ${describes}`);
  const found = `${results.length - survivors.length} of ${results.length} mutations found`;
  return [found, ...(lines.length > 0 ? ['not found:', ...lines] : [])].join('\n');
}
