import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closeAfterLastFile } from '../../scripts/share-process.ts';
import { buildSdk } from '../scripts/build-sdk.ts';
import { runProgram } from './run-program.ts';

const SDK = fileURLToPath(new URL('..', import.meta.url));
const MODULES = new URL('../../node_modules/', import.meta.url);
/** The types of Node.js that the project has, and the first of Node.js 20. */
const NODE_TYPES = { own: '@types/node', 20: 'types-node-20' } as const;

export type PackedSdk = Readonly<{
  /** What is in the package, by path. */
  files: readonly string[];
  /** A project of its own with the package in its node_modules, as npm would put it there. */
  createProject(
    files: Readonly<Record<string, string>>,
    nodeTypes?: keyof typeof NODE_TYPES,
  ): Promise<string>;
  remove(): Promise<void>;
}>;

let packed: Promise<PackedSdk> | undefined;

/** The SDK as npm would publish it: built and packed, away from the sources. Files that share a process pack it once. */
export function packSdk(): Promise<PackedSdk> {
  packed ??= pack();
  return packed;
}

async function pack(): Promise<PackedSdk> {
  const folder = await mkdtemp(join(tmpdir(), 'kafue-sdk-'));
  const stage = join(folder, 'stage');
  await mkdir(stage);
  for (const name of ['package.json', 'README.md', 'LICENSE']) {
    await cp(join(SDK, name), join(stage, name));
  }
  await buildSdk(join(stage, 'dist'));
  const args = ['pack', '--ignore-scripts', '--pack-destination', folder];
  await runProgram({ program: 'npm', args, folder: stage });
  await runProgram({ program: 'tar', args: ['-xzf', 'kafue-0.1.0.tgz'], folder });
  // Npm packs everything below a folder of this name.
  const unpacked = join(folder, 'package');
  let projects = 0;
  return {
    files: await readdir(unpacked, { recursive: true }),
    async createProject(files, nodeTypes = 'own') {
      projects += 1;
      const project = join(folder, `project-${projects}`);
      await cp(unpacked, join(project, 'node_modules', 'kafue'), { recursive: true });
      await mkdir(join(project, 'node_modules', '@types'));
      const types = fileURLToPath(new URL(NODE_TYPES[nodeTypes], MODULES));
      await symlink(types, join(project, 'node_modules', '@types', 'node'), 'junction');
      for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
      return project;
    },
    remove: () => closeAfterLastFile(() => rm(folder, { recursive: true, force: true })),
  };
}
