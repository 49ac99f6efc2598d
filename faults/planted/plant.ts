import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Edit, PlantedBug } from './planted-bug.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LEFT_OUT = /^(?:\.git|data|faults\/runs|bench\/report|(?:.*\/)?node_modules)(?:\/|$)/;

/** The source text that the bug replaces has changed, so the bug must be updated. */
export class DoesNotApply extends Error {}

/** Applies the edit to the text; throws when its place is missing or not unique. */
export function applyEdit(text: string, edit: Edit): string {
  const parts = text.split(edit.old);
  if (parts.length === 2) return parts.join(edit.new);
  throw new DoesNotApply(`${edit.file}: found ${parts.length - 1} times, not once:\n${edit.old}`);
}

/** Makes a copy of the tree with the bug. The caller removes it. */
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

/** Makes a copy of the tree that shares this one's installed packages. The caller removes it. */
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
