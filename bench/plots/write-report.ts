import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderReport } from './render-report.ts';

const FOLDER = fileURLToPath(new URL('../report', import.meta.url));

/** Resolves with the path of the page. */
export async function writeReport(report: Parameters<typeof renderReport>[0]): Promise<string> {
  await mkdir(FOLDER, { recursive: true });
  const path = join(FOLDER, 'index.html');
  await writeFile(path, renderReport(report));
  return path;
}
