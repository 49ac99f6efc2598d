import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { createRandom } from '../plan/random.ts';
import { findMutations } from './mutate-typescript.ts';
import type { Mutation } from './mutation.ts';

/** The code that moves money, or writes and delivers events. */
const MUTATED =
  'service/src/{domain,transfers,ledger,dispatcher,events,webhooks,webhook-sender,operators}/**/*.ts';
const NOT_MUTATED = /(?:\.test|-under-test)\.ts$/;
/** SQL has a tenth of all possible mutations, but half of the risk for money, so it gets half of the draws. */
const SQL_PER_MILLE = 500;
const DRAWS_PER_MUTATION_MAX = 50;

/**
 * Draws mutations by the seed: first the language, then the file, then the place, so that long files do not
 * get most of them.
 */
export async function chooseMutations(
  root: string,
  draw: Readonly<{ seed: number; count: number }>,
): Promise<readonly Mutation[]> {
  const byFile = await findAll(root);
  const random = createRandom(draw.seed, 'mutations');
  const chosen = new Map<string, Mutation>();
  for (let draws = 0; draws < draw.count * DRAWS_PER_MUTATION_MAX; draws += 1) {
    if (chosen.size === draw.count) break;
    const language = random.chance(SQL_PER_MILLE) ? 'sql' : 'typescript';
    const lists = byFile
      .map((mutations) => mutations.filter((mutation) => mutation.language === language))
      .filter((mutations) => mutations.length > 0);
    const list = lists[random.between(0, lists.length - 1)] ?? [];
    const mutation = list[random.between(0, list.length - 1)];
    if (mutation !== undefined) chosen.set(JSON.stringify(mutation), mutation);
  }
  return [...chosen.values()];
}

async function findAll(root: string): Promise<readonly (readonly Mutation[])[]> {
  const files: string[] = [];
  for await (const file of glob(MUTATED, { cwd: root })) {
    if (!NOT_MUTATED.test(file)) files.push(file);
  }
  return files.sort().map((file) => findMutations(file, readFileSync(join(root, file), 'utf8')));
}
