import { type ChildProcess, spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIN = join(ROOT, 'node_modules', '.bin');

/** The exit code that shells use for an interrupted program. */
export const EXIT_STOPPED = 130;

export type Command = readonly [string, ...string[]];

/** Runs a program in the project's folder, with the project's own programs found first, and keeps what it prints. */
export function runCommand([program, ...args]: Command): Promise<
  Readonly<{ code: number; text: string }>
> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environment(),
      shell: process.platform === 'win32',
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('exit', (code) =>
      resolve({ code: code ?? 1, text: Buffer.concat(chunks).toString() }),
    );
  });
}

/**
 * Runs a program until it ends or `stop` is aborted, and then ends what it has started: a test that fails or is stopped
 * leaves its services running. They are in the process group of the program. Resolves with its exit code. After a stop it
 * starts nothing.
 */
export function runWithChildren([program, ...args]: Command, stop: AbortSignal): Promise<number> {
  if (stop.aborted) return Promise.resolve(EXIT_STOPPED);
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: environment(),
      detached: true,
    });
    const onStop = () => signalGroup(child, 'SIGTERM');
    stop.addEventListener('abort', onStop);
    child.on('error', reject);
    child.on('exit', (code) => {
      stop.removeEventListener('abort', onStop);
      signalGroup(child, 'SIGKILL');
      resolve(code ?? 1);
    });
  });
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    // A negative number names the group; Windows has none, and its console ends all processes itself.
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // All of them have ended.
  }
}

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}` };
}
