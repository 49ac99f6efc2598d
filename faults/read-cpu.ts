import { readFile } from 'node:fs/promises';

/** The kernel counts in hundredths of a second. */
const MS_PER_TICK = 10;
/** The fields of the state, counted from the one after the name: user and system, own and of ended children. */
const TIMES = [11, 12, 13, 14] as const;

/** The CPU time of this process and its ended children; undefined: this system does not tell. */
export async function readCpuMs(): Promise<number | undefined> {
  const stat = await readFile('/proc/self/stat', 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // The name is in parentheses and may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return TIMES.reduce((sum, index) => sum + Number(fields[index]), 0) * MS_PER_TICK;
}
