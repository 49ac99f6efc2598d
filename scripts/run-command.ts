import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIN = join(ROOT, 'node_modules', '.bin');

export type Command = readonly [string, ...string[]];

/** Runs a program in the project's folder, with the project's own programs found first, until `stop` is aborted. */
export function runCommand(
  [program, ...args]: Command,
  output: 'shown' | 'kept',
  stop?: AbortSignal,
): Promise<Readonly<{ code: number; text: string }>> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      stdio: output === 'shown' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}` },
      shell: process.platform === 'win32',
    });
    stop?.addEventListener('abort', () => child.kill('SIGTERM'));
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('exit', (code) =>
      resolve({ code: code ?? 1, text: Buffer.concat(chunks).toString() }),
    );
  });
}
