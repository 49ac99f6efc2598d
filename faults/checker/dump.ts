import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Snapshot } from './snapshot.ts';

const TABLES = [
  'books',
  'wallets',
  'postings',
  'transfers',
  'events',
  'attempts',
  'incidents',
  'callbacks',
  'deliveries',
  'publicEvents',
  'approvals',
  'files',
  'fileRows',
  'screenings',
] as const;
const MOMENT_FILE = 'moment.json';

/** Writes one file per table with one row per line, so that dumps can be compared with diff. */
export async function writeDump(folder: string, snapshot: Snapshot): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const table of TABLES) {
    const rows = snapshot[table].map((row) => JSON.stringify(row));
    await writeFile(join(folder, `${table}.json`), `[\n${rows.join(',\n')}\n]\n`);
  }
  await writeFile(join(folder, MOMENT_FILE), `${JSON.stringify({ at: snapshot.at })}\n`);
}

export async function readDump(folder: string): Promise<Snapshot> {
  const names = TABLES.map((table) => [table, `${table}.json`] as const);
  const tables = await Promise.all(
    names.map(async ([table, file]) => [table, await readJson(join(folder, file))] as const),
  );
  const moment = (await readJson(join(folder, MOMENT_FILE))) as { at: string };
  // Only writeDump writes these files.
  return { ...moment, ...Object.fromEntries(tables) } as Snapshot;
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'));
}
