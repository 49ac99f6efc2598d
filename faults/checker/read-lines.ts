import { readFile } from 'node:fs/promises';

/** The lines of a journal. */
export async function readLines<Line>(path: string): Promise<readonly Line[]> {
  const text = await readFile(path, 'utf8');
  // A last line without its end was being written when the process died, so it does not count.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
