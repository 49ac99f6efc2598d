import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** A change can make a program hang; the timeout counts as found. */
const STAGE_TIMEOUT_MS = 10 * 60_000;

/** A program that fails when it finds a bug. */
export type Stage = Readonly<{ name: string; args: readonly string[] }>;

/** Runs a stage in a copy of the tree. */
export async function runStage(
  copy: string,
  stage: Stage,
  signal: AbortSignal,
): Promise<Readonly<{ passed: boolean; output: string }>> {
  const child = spawn(process.execPath, stage.args, {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group, so that the processes that a stage starts are killed with it.
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
    // The group has already ended.
  }
}
