import { chmod, cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeDataDir } from '../../../service/test/data-dir.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Copied, because they find the rest from where they lie, or write beside themselves. */
const COPIED = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  'README.md',
  'docs',
  'scripts',
  'sdk',
];
const LINKED = ['service', 'cli', 'bench', 'emulators'];

export type CopiedClone = Readonly<{ folder: string; remove(): Promise<void> }>;

/** The project as a newcomer has it after the first start: installed, and the SDK not yet built. */
export async function copyClone(): Promise<CopiedClone> {
  const folder = await mkdtemp(join(tmpdir(), 'kafue-guides-'));
  // So that a server that runs as another user finds its files in the clone.
  await chmod(folder, 0o755);
  const built = join(ROOT, 'sdk', 'dist');
  for (const name of COPIED) {
    await cp(join(ROOT, name), join(folder, name), {
      recursive: true,
      filter: (path) => path !== built,
    });
  }
  for (const name of LINKED) await symlink(join(ROOT, name), join(folder, name), 'junction');
  await linkPackages(folder);
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  return {
    folder,
    async remove() {
      await removeDataDir(dataDir);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Links to everything that is installed, but for the SDK, which is the copy. */
async function linkPackages(folder: string): Promise<void> {
  const from = join(ROOT, 'node_modules');
  const to = join(folder, 'node_modules');
  await mkdir(to);
  for (const name of await readdir(from)) {
    if (name !== 'kafue') await symlink(join(from, name), join(to, name));
  }
  await symlink(join(folder, 'sdk'), join(to, 'kafue'), 'junction');
}
