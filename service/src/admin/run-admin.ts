import { AdminRefused } from '../domain/admin-refused.ts';
import { Refusal } from '../domain/refusal.ts';
import { findMisspelt } from '../environment/find-misspelt.ts';
import { BadRouteFile } from '../operators/route-file/load-routes.ts';
import { OutcomeUnknown, sqlState } from '../postgres/database.ts';
import type { AdminDeps, Answer, PerformAlone } from './add-command.ts';
import { CommandRefused } from './command-refused.ts';
import { createProgram, HelpShown, UsageProblem } from './create-program.ts';
import { explainRefusal } from './explain-refusal.ts';
import { type AdminDatabase, BadEnvironment } from './open-admin-database.ts';

const INSUFFICIENT_PRIVILEGE = '42501';
/** From sysexits, except 1. */
const EXIT = { done: 0, refused: 1, usage: 64, configuration: 78 } as const;

export type AdminProcess = Readonly<{
  /** Without the program's own name. */
  argv: readonly string[];
  writeOut: (text: string) => void;
  writeError: (text: string) => void;
  openDatabase: () => Promise<AdminDatabase>;
}> &
  Omit<AdminDeps, 'directory' | 'cells'>;

/** `code` names what a use case refused, for programs. */
type Complaint = Readonly<{ code?: string; message: string; whatToDo: string; exitCode: number }>;

/** Runs one command and returns the exit code. */
export async function runAdmin(admin: AdminProcess): Promise<number> {
  // Read by hand, since a command line that is not understood must be answered in JSON too.
  const asJson = admin.argv.includes('--json');
  for (const { name, meant } of findMisspelt(admin.env)) {
    admin.warn(`WARNING: ${name} is not read. Did you mean ${meant}?`);
  }
  let exitCode: number = EXIT.done;
  const perform = async (work: (deps: AdminDeps) => Promise<Answer>): Promise<void> => {
    show(await withDatabase(admin, work));
  };
  const show = ({ json, text, failed }: Answer): void => {
    admin.writeOut(asJson ? `${JSON.stringify(json, null, 2)}\n` : `${text}\n`);
    if (failed === true) exitCode = EXIT.refused;
  };
  try {
    const writeHelp = asJson ? () => undefined : admin.writeError;
    const performAlone: PerformAlone = async (work) => show(await work(admin));
    const { writeOut } = admin;
    const program = createProgram({ perform, performAlone, writeOut, writeHelp });
    await program.parseAsync(admin.argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof HelpShown) return EXIT.done;
    const { exitCode: ended, ...complaint } = toComplaint(error);
    if (asJson) admin.writeOut(`${JSON.stringify({ error: complaint }, null, 2)}\n`);
    else admin.writeError(`${complaint.message}\n${complaint.whatToDo}\n`);
    return ended;
  }
}

async function withDatabase(
  admin: AdminProcess,
  work: (deps: AdminDeps) => Promise<Answer>,
): Promise<Answer> {
  const opened = await admin.openDatabase();
  try {
    return await work({ ...admin, directory: opened.directory, cells: opened.cells });
  } finally {
    await opened.close();
  }
}

function toComplaint(error: unknown): Complaint {
  if (error instanceof UsageProblem) {
    const whatToDo = `See: ${error.command} --help`;
    return { message: error.message, whatToDo, exitCode: EXIT.usage };
  }
  if (error instanceof AdminRefused) {
    const { message, advice: whatToDo } = explainRefusal(error);
    return { code: error.code, message, whatToDo, exitCode: EXIT.refused };
  }
  if (error instanceof Refusal) {
    const fields = error.detail.fields?.map(({ field, message }) => ` ${field}: ${message}`) ?? [];
    const message = error.message + fields.join('');
    return { code: error.code, message, whatToDo: 'Nothing was changed.', exitCode: EXIT.refused };
  }
  if (error instanceof CommandRefused) {
    return { message: error.message, whatToDo: error.advice, exitCode: EXIT.refused };
  }
  if (error instanceof BadEnvironment) {
    return { message: error.message, whatToDo: error.advice, exitCode: EXIT.configuration };
  }
  if (error instanceof BadRouteFile) {
    const whatToDo = 'Mend the file; the README of each connector lists its settings.';
    return { message: error.message, whatToDo, exitCode: EXIT.configuration };
  }
  if (error instanceof OutcomeUnknown) {
    return {
      message:
        'The connection to the database broke, so it is not known whether the command was done.',
      whatToDo: 'List what it should have changed before repeating it; funding may be repeated.',
      exitCode: EXIT.refused,
    };
  }
  if (sqlState(error) === INSUFFICIENT_PRIVILEGE) {
    return {
      message: 'The database role may not do this.',
      whatToDo: 'Set MIGRATION_DATABASE_URL to the URL of the owner of the tables.',
      exitCode: EXIT.refused,
    };
  }
  return {
    message: error instanceof Error ? error.message : String(error),
    whatToDo: 'This was not expected. Nothing more was done.',
    exitCode: EXIT.refused,
  };
}
