/**
 * Checks one run of the harness, whose folder is the only argument:
 *
 *   CHECKER_DATABASE_URL=postgres://… node faults/checker/main.ts faults/runs/7
 *
 * CHECKER_SECOND_DATABASE_URL is the second server, where there is one.
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

async function readDatabases(first: string, second: string | undefined): Promise<Snapshot> {
  const clients = [first, ...(second === undefined ? [] : [second])].map(
    (connectionString) => new Client({ connectionString, application_name: 'checker' }),
  );
  try {
    for (const client of clients) {
      await client.connect();
      await client.query('begin transaction isolation level repeatable read, read only');
    }
    const [here, there] = clients;
    if (here === undefined) throw new Error('there is no server');
    return await readCells(here, there);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

async function main(runFolder: string): Promise<number> {
  const databaseUrl = process.env['CHECKER_DATABASE_URL'];
  const dumpFolder = join(runFolder, DUMP_FOLDER);
  if (databaseUrl !== undefined) {
    const second = process.env['CHECKER_SECOND_DATABASE_URL'];
    await writeDump(dumpFolder, await readDatabases(databaseUrl, second));
  }
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
