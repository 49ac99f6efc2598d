import { globSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyTree } from '../planted/plant.ts';
import { applyMutation, describeMutation, type Mutation } from './mutation.ts';
import { runStage, type Stage } from './run-stage.ts';

const SIMULATED_SCHEDULES = 1_000;
const SEEDS = 10;
const SEEDS_AT_ONCE = 2;
const OUTPUT_KEPT = 2_000;
/** Of the compiler; and of the test runner, the simulation and the seeds. */
const FAILURE = /error TS\d|✖/;
const FAILURE_SHOWN = 160;

export type MutationResult = Readonly<{
  mutation: Mutation;
  describes: string;
  /** The stage that found it; null: none did. */
  foundBy: string | null;
  elapsedMs: number;
  /** The first line of that stage about a failure, which shows whether the change caused it. */
  failure: string | null;
  /** The last output of the stage that found it. */
  says: string;
}>;

/** Makes one change in a copy of the tree, and runs the stages until one fails. */
export async function runMutation(
  mutation: Mutation,
  options: Readonly<{ seed: number; signal: AbortSignal; onStage: (name: string) => void }>,
): Promise<MutationResult> {
  const startedMs = performance.now();
  const copy = await copyTree();
  try {
    const path = join(copy, mutation.file);
    const before = await readFile(path, 'utf8');
    await writeFile(path, applyMutation(before, mutation));
    const describes = describeMutation(before, mutation);
    for (const stage of stagesFor(copy, mutation, options.seed)) {
      if (options.signal.aborted) break;
      options.onStage(stage.name);
      const { passed, output } = await runStage(copy, stage, options.signal);
      if (passed) continue;
      const elapsedMs = Math.round(performance.now() - startedMs);
      const [failure, says] = [findFailure(output), output.slice(-OUTPUT_KEPT)];
      return { mutation, describes, foundBy: stage.name, elapsedMs, failure, says };
    }
    const elapsedMs = Math.round(performance.now() - startedMs);
    return { mutation, describes, foundBy: null, elapsedMs, failure: null, says: '' };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

function findFailure(output: string): string | null {
  const line = output.split('\n').find((one) => FAILURE.test(one));
  return line?.trim().slice(0, FAILURE_SHOWN) ?? null;
}

/** The stages that may find the change, the cheapest first. */
function stagesFor(copy: string, mutation: Mutation, seed: number): readonly Stage[] {
  const faults = join('faults', 'main.ts');
  const seeds = ['--seed', seed, '--seeds', SEEDS, '--at-once', SEEDS_AT_ONCE].map(String);
  const tsc = join('node_modules', 'typescript', 'bin', 'tsc');
  return [
    { name: 'types', args: [tsc, '--noEmit', '-p', 'tsconfig.json'] },
    ...testsIn(copy, 'tests beside it', [dirname(mutation.file)]),
    ...testsIn(copy, 'tests of its users', foldersOfUsers(copy, mutation.file)),
    { name: 'contract', args: testArguments(['service/test/contract']) },
    {
      name: 'simulation',
      args: [faults, '--simulate', String(SIMULATED_SCHEDULES), '--seed', String(seed)],
    },
    { name: 'seeds', args: [faults, ...seeds] },
  ];
}

/** Without any tests there is no such stage: a run without tests fails. */
function testsIn(copy: string, name: string, folders: readonly string[]): readonly Stage[] {
  const isTest = (file: string) => file.endsWith('.test.ts');
  const tested = folders.filter((folder) => readdirSync(join(copy, folder)).some(isTest));
  if (tested.length === 0) return [];
  return [{ name, args: testArguments(tested) }];
}

/** A test that fails may leave its process waiting for what it had opened. */
function testArguments(folders: readonly string[]): readonly string[] {
  return ['scripts/test.ts', '--force-exit', ...folders.map((folder) => `${folder}/*.test.ts`)];
}

/** The other folders with files that import this one. */
function foldersOfUsers(copy: string, file: string): readonly string[] {
  const folders = new Set<string>();
  for (const user of globSync('service/{src,test}/**/*.ts', { cwd: copy })) {
    const folder = dirname(user);
    if (folder === dirname(file) || folders.has(folder)) continue;
    const imported = readFileSync(join(copy, user), 'utf8').matchAll(/ from '(\.[^']+)';/g);
    const isUser = [...imported].some(([, path = '']) => join(folder, path) === file);
    if (isUser) folders.add(folder);
  }
  return [...folders];
}
