import type { Command } from 'commander';
import type { Cells } from '../cells/cell.ts';
import type { MachineActor } from '../domain/actor.ts';
import type { Database } from '../postgres/database.ts';

/** How the program is called, for help and advice. */
export const CALL = 'npm run admin --';

/** What a command works with. Time, randomness and ids come in from outside. */
export type AdminDeps = Readonly<{
  /** People, keys, routes, and where merchants are. */
  directory: Database;
  /** All cells, reachable or not. */
  cells: Cells;
  now: () => Date;
  newId: () => string;
  randomBytes: (size: number) => Uint8Array;
  env: Readonly<Record<string, string | undefined>>;
  /** The user of the machine and its host: who acts where no key is shown. */
  machine: MachineActor;
  /** Writes warnings that must be seen, also when the command's answer goes to a file. */
  warn: (line: string) => void;
  /** Shows people who wait how far it is, on a terminal only. */
  showProgress: (line: string) => void;
}>;

/** What a command has to say: to programs, and to people. */
export type Answer = Readonly<{
  json: Readonly<Record<string, unknown>>;
  text: string;
  /** Something is wrong, although the command did its work. */
  failed?: boolean;
}>;

/** Opens the database, does the work, and gives out the answer. */
export type Perform = (work: (deps: AdminDeps) => Promise<Answer>) => Promise<void>;

/** The same for work that needs no database. */
export type PerformAlone = (
  work: (deps: Omit<AdminDeps, 'directory' | 'cells'>) => Promise<Answer>,
) => Promise<void>;

type CommandText = Readonly<{
  name: string;
  description: string;
  /** What follows `npm run admin --`. */
  examples: readonly string[];
  notes?: string;
}>;

export function addCommand(parent: Command, text: CommandText): Command {
  const examples = text.examples.map((example) => `  ${CALL} ${example}`).join('\n');
  const notes = text.notes === undefined ? '' : `\n${text.notes}\n`;
  return parent
    .command(text.name)
    .description(text.description)
    .option('--json', 'answer with one JSON document')
    .addHelpText('after', `${notes}\nExamples:\n${examples}`);
}

/** A command that only holds others. */
export function addGroup(
  parent: Command,
  { name, description }: Readonly<{ name: string; description: string }>,
): Command {
  return parent.command(name).description(description);
}
