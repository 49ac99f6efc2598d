import { Command } from 'commander';
import { CALL, type Perform, type PerformAlone } from './add-command.ts';
import { addAdministratorCommands } from './administrator-commands.ts';
import { addCellCommands } from './cell-commands.ts';
import { addDatabaseCommands } from './database-commands.ts';
import { addIncidentCommands } from './incident-commands.ts';
import { addKeyCommands } from './key-commands.ts';
import { addLedgerCommands } from './ledger-commands.ts';
import { addMerchantCommands } from './merchant-commands.ts';
import { addPeopleCommands } from './people-commands.ts';
import { addRouteCommands } from './route-commands.ts';
import { addTransferCommands } from './transfer-commands.ts';
import { addWalletCommands } from './wallet-commands.ts';

const NOTES = `
First steps:
  ${CALL} merchants create "Zambezi Tours"
  ${CALL} keys create --merchant "Zambezi Tours" --mode test
  ${CALL} wallets create --merchant "Zambezi Tours" --mode test --currency ZMW
  ${CALL} wallets fund WALLET_ID 1000 --reference opening

When you do not know whether a payout was made:
  ${CALL} transfers in-doubt
  ${CALL} transfers show TRANSFER_ID

Works beside a running service and without one. The database is the one of the service: DATABASE_URL,
or the embedded one in DATA_DIR (data). MIGRATION_DATABASE_URL, the URL of the owner of the tables, is used
instead of DATABASE_URL when it is set: the role of the service has too few rights for these commands.

Every act is recorded; "administrators acts" lists them. With ADMIN_KEY an act has the name of the administrator,
without it your account and this host. Decisions need ADMIN_KEY.

With --json the answer is one JSON document on standard output, also for an error: {"error": {"code",
"message", "whatToDo"}}, with a code if the service refused. Without --json errors go to standard error.
Amounts are decimal strings, times are UTC.

Exit codes: 0 done; 1 refused, or the ledger is wrong; 64 wrong usage; 78 wrong configuration.`;

/** A command line that was not understood: its command, and what is wrong with it. */
export class UsageProblem extends Error {
  readonly command: string;

  constructor(command: string, message: string) {
    super(message);
    this.name = 'UsageProblem';
    this.command = command;
  }
}

/** Help was asked for and given. */
export class HelpShown extends Error {}

type Write = (text: string) => void;
/** `writeHelp` gets the help that an empty command line shows. */
export type ProgramDeps = Readonly<{
  perform: Perform;
  performAlone: PerformAlone;
  writeOut: Write;
  writeHelp: Write;
}>;

export function createProgram(deps: ProgramDeps): Command {
  const program = new Command(CALL)
    .description(
      'Administer merchants, keys, wallets, the ledger, transfers in doubt, routes and people',
    )
    .helpCommand('help [command]', 'Show help for a command')
    .helpOption('-h, --help', 'show help')
    .configureHelp({ subcommandTerm: nameWithArguments })
    .addHelpText('after', NOTES);
  addMerchantCommands(program, deps.perform);
  addKeyCommands(program, deps.perform);
  addWalletCommands(program, deps.perform);
  addLedgerCommands(program, deps.perform);
  addTransferCommands(program, deps.perform);
  addIncidentCommands(program, deps.perform);
  addAdministratorCommands(program, deps.perform);
  addPeopleCommands(program, deps);
  addDatabaseCommands(program, deps.perform);
  addCellCommands(program, deps.perform);
  addRouteCommands(program, deps);
  for (const command of withDescendants(program)) catchProblems(command, deps);
  return program;
}

/** Without `[options]`, which every command has: each line of a list then fits 80 columns. */
function nameWithArguments(command: Command): string {
  const names = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...names].join(' ');
}

function withDescendants(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withDescendants)];
}

// By itself, commander writes errors and ends the process. Here the caller does both.
function catchProblems(command: Command, { writeOut, writeHelp }: ProgramDeps): void {
  command.configureOutput({ writeOut, writeErr: writeHelp, outputError: () => undefined });
  command.exitOverride((error) => {
    if (error.exitCode === 0) throw new HelpShown();
    const message = error.code === 'commander.help' ? 'Name a command.' : sentence(error.message);
    throw new UsageProblem(pathOf(command), message);
  });
}

function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`;
}

function sentence(message: string): string {
  const text = message
    .replace(/^error: /, '')
    .trim()
    .replaceAll('\n', '. ');
  const ended = /[.?)]$/.test(text) ? text : `${text}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}
