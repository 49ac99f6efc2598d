import type { Command } from './run-command.ts';

export type Check = Readonly<{ name: string; command: Command }>;

/** What every change must pass besides the tests. */
export const CHECKS: readonly Check[] = [
  { name: 'types', command: ['tsc', '--noEmit'] },
  { name: 'types of the console', command: ['tsc', '--noEmit', '-p', 'console'] },
  { name: 'types of its tests', command: ['tsc', '--noEmit', '-p', 'console/test'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'format', command: ['biome', 'ci', '--colors=off', '.'] },
  { name: 'dead code', command: ['knip'] },
  { name: 'generated files', command: ['node', 'scripts/generate.ts', '--check'] },
];
