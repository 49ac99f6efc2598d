import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { programFile } from '../../scripts/program-file.ts';
import { childEnvironment } from '../../service/test/child-environment.ts';

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
  const child = spawn(process.execPath, [programFile('kafue'), ...args], {
    cwd: folder,
    env: { ...childEnvironment(), ...env },
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
