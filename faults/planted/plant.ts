import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Edit, PlantedBug } from './planted-bug.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LEFT_OUT = /^(?:\.git|data|faults\/runs|bench\/report|(?:.*\/)?node_modules)(?:\/|$)/;

/** The bug's slots no longer look as they did, so it says nothing any more. */
export class DoesNotApply extends Error {}

/** The text with the edit made; throws when its place is not there, or there twice. */
export function applyEdit(text: string, edit: Edit): string {
  const parts = text.split(edit.old);
  if (parts.length === 2) return parts.join(edit.new);
  throw new DoesNotApply(`${edit.file}: found ${parts.length - 1} times, not once:\n${edit.old}`);
}

/** A copy of the tree with the bug in it. The caller removes it. */
export async function plant({ edits }: Pick<PlantedBug, 'edits'>): Promise<string> {
  const copy = await copyTree();
  try {
    for (const edit of edits) {
      const path = join(copy, edit.file);
      await writeFile(path, applyEdit(await readFile(path, 'utf8'), edit));
    }
    return copy;
  } catch (error) {
    await rm(copy, { recursive: true, force: true });
    throw error;
  }
}

/** A copy of the tree, with the packages that are installed in this one. The caller removes it. */
export async function copyTree(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'kafue-planted-'));
  try {
    await cp(ROOT, copy, {
      recursive: true,
      filter: (source) => !LEFT_OUT.test(relative(ROOT, source)),
    });
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    return copy;
  } catch (error) {
    await rm(copy, { recursive: true, force: true });
    throw error;
  }
}
