/**
 * Checks one run of the harness, whose folder is the only argument:
 *
 *   CHECKER_DATABASE_URL=postgres://… node faults/checker/main.ts faults/runs/7
 *
 * Reads the database and dumps it into that folder; without the variable it reads an earlier dump.
 * Prints the report as JSON, and exits with 1 when an invariant was violated.
 */
import { join } from 'node:path';
import { Client } from 'pg';
import { DUMP_FOLDER } from '../journal/exchange-record.ts';
import { checkRun } from './check-run.ts';
import { readDump, writeDump } from './dump.ts';
import { readJournals } from './read-journals.ts';
import { readCells } from './read-snapshot.ts';
import type { Snapshot } from './snapshot.ts';

const EXIT_VIOLATED = 1;
/** EX_USAGE of sysexits. */
const EXIT_USAGE = 64;

async function readDatabase(databaseUrl: string): Promise<Snapshot> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'checker' });
  await client.connect();
  try {
    await client.query('begin transaction isolation level repeatable read, read only');
    return await readCells(client);
  } finally {
    await client.end();
  }
}

async function main(runFolder: string): Promise<number> {
  const databaseUrl = process.env['CHECKER_DATABASE_URL'];
  const dumpFolder = join(runFolder, DUMP_FOLDER);
  if (databaseUrl !== undefined) await writeDump(dumpFolder, await readDatabase(databaseUrl));
  const runReport = checkRun(await readDump(dumpFolder), await readJournals(runFolder));
  process.stdout.write(`${JSON.stringify(runReport, null, 2)}\n`);
  return runReport.violations.length === 0 ? 0 : EXIT_VIOLATED;
}

const [runFolder] = process.argv.slice(2);
if (runFolder === undefined) {
  process.stderr.write('Usage: node faults/checker/main.ts FOLDER-OF-A-RUN\n');
  process.exitCode = EXIT_USAGE;
} else {
  process.exitCode = await main(runFolder);
}
