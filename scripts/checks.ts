import type { Command } from './run-command.ts';

export type Check = Readonly<{ name: string; command: Command }>;

/** With several threads each checks again the types that it shares with the others: twice the work on two cores. */
const TYPES = ['tsc', '--noEmit', '--singleThreaded'] as const;

/** What every change must pass besides the tests. */
export const CHECKS: readonly Check[] = [
  { name: 'types', command: TYPES },
  { name: 'types of the console', command: [...TYPES, '-p', 'console'] },
  { name: 'types of its tests', command: [...TYPES, '-p', 'console/test'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'format', command: ['biome', 'ci', '--colors=off', '.'] },
  { name: 'dead code', command: ['knip'] },
  { name: 'generated files', command: ['node', 'scripts/generate.ts', '--check'] },
];
