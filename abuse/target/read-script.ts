import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type Script = Readonly<{ program: string; args: readonly string[] }>;

/**
 * The command of a script of a checkout, such as `npm start`. It is read from its package.json, so that an option that
 * changes there changes here too.
 */
export async function readScript(tree: string, name: string): Promise<Script> {
  const text = await readFile(join(tree, 'package.json'), 'utf8');
  const { scripts } = JSON.parse(text) as { scripts?: Record<string, string> };
  const [program, ...args] = (scripts?.[name] ?? '').split(/\s+/);
  if (program === 'node' && args.length > 0) return { program: process.execPath, args };
  throw new Error(`${tree}: the script "${name}" does not begin with "node"`);
}
