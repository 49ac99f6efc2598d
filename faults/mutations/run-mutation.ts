import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { copyTree } from '../planted/plant.ts';
import { applyMutation, describeMutation, type Mutation } from './mutation.ts';

const SIMULATED_SCHEDULES = 1_000;
const SEEDS = 10;
const SEEDS_AT_ONCE = 2;
/** A change can make a program wait for ever: that is found as well. */
const STAGE_TIMEOUT_MS = 10 * 60_000;
const OUTPUT_KEPT = 2_000;

/** What looks for the change, the cheapest first. */
type Stage = Readonly<{ name: string; args: readonly string[] }>;

export type MutationResult = Readonly<{
  mutation: Mutation;
  describes: string;
  /** Null: nothing found it. */
  foundBy: string | null;
  elapsedMs: number;
  /** The end of what the stage that found it printed. */
  says: string;
}>;

/** Makes one change in a copy of the tree, and lets stage after stage look until one goes red. */
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
      const says = output.slice(-OUTPUT_KEPT);
      return { mutation, describes, foundBy: stage.name, elapsedMs, says };
    }
    const elapsedMs = Math.round(performance.now() - startedMs);
    return { mutation, describes, foundBy: null, elapsedMs, says: '' };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

function stagesFor(copy: string, mutation: Mutation, seed: number): readonly Stage[] {
  const faults = join('faults', 'main.ts');
  const seeds = ['--seed', seed, '--seeds', SEEDS, '--at-once', SEEDS_AT_ONCE].map(String);
  const tsc = join('node_modules', 'typescript', 'bin', 'tsc');
  return [
    { name: 'types', args: [tsc, '--noEmit', '-p', 'tsconfig.json'] },
    { name: 'tests beside it', args: ['scripts/test.ts', ...testsBeside(copy, mutation.file)] },
    {
      name: 'simulation',
      args: [faults, '--simulate', String(SIMULATED_SCHEDULES), '--seed', String(seed)],
    },
    { name: 'seeds', args: [faults, ...seeds] },
  ];
}

/** The tests of its folder; of a connector's folder only, not of all connectors. */
function testsBeside(copy: string, file: string): readonly string[] {
  const folder = dirname(file);
  const contract = 'service/test/contract/*.test.ts';
  return existsSync(join(copy, folder)) ? [`${folder}/*.test.ts`, contract] : [contract];
}

async function runStage(
  copy: string,
  stage: Stage,
  signal: AbortSignal,
): Promise<Readonly<{ passed: boolean; output: string }>> {
  const child = spawn(process.execPath, stage.args, {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that the programs that a stage starts end with it.
    detached: true,
  });
  const end = () => endGroup(child.pid);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(STAGE_TIMEOUT_MS)]);
  limit.addEventListener('abort', end, { once: true });
  const exited = once(child, 'close') as Promise<[number | null]>;
  const [output, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await exited;
  limit.removeEventListener('abort', end);
  return { passed: code === 0, output: output + complaints };
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // It has ended by itself.
  }
}
