import { readFile } from 'node:fs/promises';
import { parseCsv } from '../src/csv/parse-csv.ts';

/** The lines of a result file, by the names of its columns. */
export async function readResult(path: string): Promise<readonly Record<string, string>[]> {
  const lines: (readonly string[])[] = [];
  parseCsv(await readFile(path, 'utf8'), (record) => {
    if ('reason' in record) throw new Error(record.reason);
    return lines.push(record.cells) > 0;
  });
  const [names = [], ...rows] = lines;
  return rows.map((cells) =>
    Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])),
  );
}
