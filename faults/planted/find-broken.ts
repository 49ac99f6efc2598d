import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runStage } from '../mutations/run-stage.ts';
import { applyEdit, copyTree, DoesNotApply, ROOT } from './plant.ts';
import type { Edit, PlantedBug } from './planted-bug.ts';

type Planted = Pick<PlantedBug, 'name' | 'edits'>;
/** Bugs that do not touch the same places, and the files as all of them together leave them. */
type Batch = { readonly bugs: Planted[]; readonly texts: Map<string, string> };

/** What a bug leaves unused is not a mistake of the bug. */
const UNUSED = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false'];
const TSC = join('node_modules', 'typescript', 'bin', 'tsc');
const TYPES = { name: 'types', args: [TSC, '--noEmit', '-p', 'tsconfig.json', ...UNUSED] };

/**
 * Checks the types of trees with these bugs, many bugs in one tree. A bug that calls what was renamed meanwhile has
 * another effect than the one it claims. Returns what the compiler says, by the name of the bug.
 */
export async function findBroken(
  bugs: readonly Planted[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const copy = await copyTree();
  try {
    const broken = new Map<string, string>();
    for (const batch of await makeBatches(bugs)) {
      const suspects = suspectsOf(batch, await checkTypes(copy, batch, signal));
      for (const bug of suspects) {
        const alone = await makeBatch([bug]);
        const [error] = await checkTypes(copy, alone, signal);
        if (error !== undefined) broken.set(bug.name, error);
      }
    }
    return broken;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Those whose place is gone are left out: planting them says so. */
async function makeBatches(bugs: readonly Planted[]): Promise<readonly Batch[]> {
  const batches: Batch[] = [];
  let left = bugs;
  while (left.length > 0) {
    const batch = await makeBatch(left);
    if (batch.bugs.length === 0) break;
    batches.push(batch);
    left = left.filter((bug) => !batch.bugs.includes(bug));
  }
  return batches;
}

/** As many of them as fit beside each other. */
async function makeBatch(bugs: readonly Planted[]): Promise<Batch> {
  const batch: Batch = { bugs: [], texts: new Map() };
  for (const bug of bugs) await add(batch, bug);
  return batch;
}

/** Changes nothing if another bug of the batch has changed the place. */
async function add({ bugs, texts }: Batch, bug: Planted): Promise<void> {
  const changed = new Map(texts);
  try {
    for (const edit of bug.edits) {
      const before = changed.get(edit.file) ?? (await readFile(join(ROOT, edit.file), 'utf8'));
      changed.set(edit.file, applyEdit(before, edit));
    }
  } catch (error) {
    if (error instanceof DoesNotApply) return;
    throw error;
  }
  for (const [file, after] of changed) texts.set(file, after);
  bugs.push(bug);
}

/** Leaves the copy as it was. */
async function checkTypes(
  copy: string,
  { texts }: Batch,
  signal: AbortSignal,
): Promise<readonly string[]> {
  for (const [file, changed] of texts) await writeFile(join(copy, file), changed);
  const { output } = await runStage(copy, TYPES, signal);
  for (const file of texts.keys()) {
    await writeFile(join(copy, file), await readFile(join(ROOT, file)));
  }
  return output.split('\n').filter((line) => line.includes('error TS'));
}

/** An error may be in a file that uses a changed one, so then all are suspected. */
function suspectsOf({ bugs }: Batch, errors: readonly string[]): readonly Planted[] {
  if (errors.length === 0) return [];
  const isNamed = ({ file }: Edit) => errors.some((error) => error.startsWith(`${file}(`));
  const named = bugs.filter(({ edits }) => edits.some(isNamed));
  const areAllNamed = errors.every((error) =>
    named.some(({ edits }) => edits.some(({ file }) => error.startsWith(`${file}(`))),
  );
  return areAllNamed ? named : bugs;
}
