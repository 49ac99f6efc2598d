import { readFile } from 'node:fs/promises';
import { CsvParser } from '../src/csv/parse-csv.ts';

/** The lines of a result file, by the names of its columns. */
export async function readResult(path: string): Promise<readonly Record<string, string>[]> {
  const lines: (readonly string[])[] = [];
  const parser = new CsvParser(',', (record) => {
    if ('reason' in record) throw new Error(record.reason);
    lines.push(record.cells);
  });
  parser.read(await readFile(path, 'utf8'));
  parser.end();
  const [names = [], ...rows] = lines;
  return rows.map((cells) =>
    Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])),
  );
}
