import { randomBytes, randomFillSync } from 'node:crypto';
import { constants, hostname } from 'node:os';
import { createUuidV7Source } from '../domain/uuid.ts';
import { type AdminDatabase, openAdminDatabase } from './open-admin-database.ts';
import { readMachineUser } from './read-machine-user.ts';
import { runAdmin } from './run-admin.ts';

/** What a shell says of a program that a signal ended. */
const EXIT_SIGNALLED = 128;

let opened: AdminDatabase | undefined;
const writeError = (text: string): void => void process.stderr.write(text);

async function openDatabase(): Promise<AdminDatabase> {
  const say = (line: string): void => writeError(`${line}\n`);
  opened = await openAdminDatabase({ say }, process.env);
  return opened;
}

// One line that overwrites itself, on a terminal only.
function showProgress(line: string): void {
  if (process.stderr.isTTY) writeError(`\r\u001b[K${line}`);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    const end = (): never => process.exit(EXIT_SIGNALLED + constants.signals[signal]);
    (opened?.abandon() ?? Promise.resolve()).then(end, end);
  });
}
// `… | head` closes the pipe early, which is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runAdmin({
  argv: process.argv.slice(2),
  writeOut: (text) => void process.stdout.write(text),
  writeError,
  openDatabase,
  now: () => new Date(),
  newId: createUuidV7Source(Date.now, (bytes) => randomFillSync(bytes)),
  randomBytes,
  env: process.env,
  machine: { kind: 'machine', user: readMachineUser(), host: hostname() },
  warn: (line) => writeError(`${line}\n`),
  showProgress,
});
