import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Inside of it, so that programs find the installed packages. */
export const BUNDLES = join(ROOT, 'node_modules', '.cache', 'kafue-programs');
/** Names the folder with the programs bundled for this run; tests in processes of their own inherit it. */
export const BUNDLE_VARIABLE = 'KAFUE_TEST_PROGRAMS';

/** By the name of their bundle. */
export const PROGRAMS = {
  service: 'service/src/main.ts',
  admin: 'service/src/admin/main.ts',
  demo: 'service/src/fill-demo.ts',
  kafue: 'cli/src/main.ts',
  emulators: 'emulators/main.ts',
  receiver: 'faults/receiver/main.ts',
  mover: 'service/test/move-program.ts',
} as const;

type ProgramName = keyof typeof PROGRAMS;
export const PROGRAM_NAMES = Object.keys(PROGRAMS) as readonly ProgramName[];

/**
 * What a test starts: the program in one file where this run has bundled it, which takes half the time to start, or
 * else its sources. A copy of the project never gets the bundle of another one.
 */
export function programFile(name: ProgramName): string {
  const folder = process.env[BUNDLE_VARIABLE] ?? '';
  return folder.startsWith(BUNDLES) ? join(folder, `${name}.mjs`) : join(ROOT, PROGRAMS[name]);
}
