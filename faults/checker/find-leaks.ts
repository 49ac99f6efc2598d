import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOGS_FOLDER } from '../journal/exchange-record.ts';

const SHOWN_BEFORE = 80;
const SHOWN_AFTER = 80;

/** A secret or personal data where it must not be. */
export type Leak = Readonly<{ file: string; canary: string; excerpt: string }>;

/** Searches all logs and metrics for every canary. */
export async function findLeaks(
  runFolder: string,
  canaries: readonly string[],
): Promise<readonly Leak[]> {
  const folder = join(runFolder, LOGS_FOLDER);
  const leaks: Leak[] = [];
  for (const file of (await readdir(folder)).sort()) {
    const text = await readFile(join(folder, file), 'utf8');
    leaks.push(...findIn(file, text, canaries));
  }
  return leaks;
}

export function findIn(file: string, text: string, canaries: readonly string[]): readonly Leak[] {
  return canaries.flatMap((canary) => {
    const at = text.indexOf(canary);
    if (at === -1) return [];
    const end = at + canary.length;
    const excerpt = `${text.slice(Math.max(0, at - SHOWN_BEFORE), at)}…${text.slice(end, end + SHOWN_AFTER)}`;
    return [{ file, canary, excerpt }];
  });
}
