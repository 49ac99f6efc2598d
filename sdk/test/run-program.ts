import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../node_modules/.bin', import.meta.url));
const EXECUTABLE = process.platform === 'win32' ? 'node.exe' : 'node';

type Run = Readonly<{
  program: string;
  args: readonly string[];
  folder: string;
  env?: Readonly<Record<string, string>>;
}>;

/** What the program wrote; a failure carries it too. */
export async function runProgram(run: Run): Promise<string> {
  const { code, output, errors } = await runToEnd(run);
  if (code !== 0) throw new Error(`${run.program} ended with ${code}:\n${output}${errors}`);
  return output;
}

type Ended = Readonly<{ code: number | null; output: string; errors: string }>;

export async function runToEnd({ program, args, folder, env = {} }: Run): Promise<Ended> {
  const child = spawn(program, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}`, ...env },
    shell: process.platform === 'win32',
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const [code] = await once(child, 'close');
  return { code, output, errors };
}

/** Every Node.js on the path, each once: the project's own, and what else the machine has. */
export function findNodes(): readonly string[] {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = folders
    .map((folder) => join(folder, EXECUTABLE))
    .filter((path) => existsSync(path));
  return [...new Set([process.execPath, ...found].map((path) => realpathSync(path)))];
}
