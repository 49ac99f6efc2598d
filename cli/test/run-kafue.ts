import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const MAIN = new URL('../src/main.ts', import.meta.url).pathname;

export type KafueRun = Readonly<{
  child: ChildProcess;
  /** What it wrote so far. */
  out: () => string;
  error: () => string;
  /** Resolves to the exit code; null when a signal ended it. */
  ended: Promise<number | null>;
}>;

type RunOptions = Readonly<{ env: Readonly<Record<string, string>>; folder: string }>;

/** The command line as a process of its own, without a terminal. */
export function startKafue(args: readonly string[], { env, folder }: RunOptions): KafueRun {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    env: { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { out: '', error: '' };
  child.stdout.on('data', (bytes: Buffer) => {
    written.out += bytes.toString();
  });
  child.stderr.on('data', (bytes: Buffer) => {
    written.error += bytes.toString();
  });
  const ended = once(child, 'close').then(() => child.exitCode);
  return { child, out: () => written.out, error: () => written.error, ended };
}
