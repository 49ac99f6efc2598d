import { Command, InvalidArgumentError } from 'commander';
import { COUNTRIES, OPERATORS } from '../../sdk/src/index.ts';
import { CliProblem, EXIT } from './cli-problem.ts';
import { type AccessOptions, URL_DEFAULT } from './find-access.ts';
import type { PayOptions } from './pay/pay-file.ts';

const WATCH_MINUTES_DEFAULT = 60;
const WATCH_MINUTES_MAX = 7 * 24 * 60;
const BATCH_CHARS_MAX = 100;

/** How people start it. */
const CALL = 'npm run kafue --';

/** Help was asked for and given. */
export class HelpShown extends Error {}

export type CommonOptions = AccessOptions & Readonly<{ json?: boolean }>;

type Commands = Readonly<{
  pay: (path: string, options: PayOptions) => Promise<void>;
  status: (reference: string, options: CommonOptions) => Promise<void>;
  wallets: (options: CommonOptions) => Promise<void>;
}>;

const KEY_NOTE = `
The API key comes from a file or from the environment, never from the command line: others on the
machine can read command lines while they run, and the shell keeps them in its history.`;

const PAY_NOTE = `
The first line of the file names its columns: amount, phone, operator, country, reference, narration,
recipientName, walletId. Only amount and phone are required when --wallet names the wallet: operator and
country are taken from the number if neither the line nor an option names them. A CSV file is in UTF-8,
separated by commas, semicolons or tabs, with at most 100,000 lines; of a workbook, the first sheet with
these columns is read.

The command looks up which lines were sent before, and asks for confirmation of the others only. It shows
amounts, fees and balances, and stops before the first payment if a wallet is short. It uploads the other
lines as payout files, one for each wallet, which the console shows too. The service checks every row, and
nothing is sent while a row is wrong. If the policy requires approval, the command says who can approve,
and ends; run it again to follow the payouts.

Examples:
  ${CALL} pay salaries.csv --demo --dry-run
  ${CALL} pay salaries.csv --key-file ~/.kafue-key --wallet WALLET_ID --country zm --operator mtn
  ${CALL} pay salaries.csv --key-file ~/.kafue-key --watch --yes
  ${CALL} pay salaries.csv --key-file ~/.kafue-key --retry-failed

Running the command again is safe, also after it was killed: each line is paid once. A file without
references is recognised by its content; two equal lines are two payouts. To pay the same file again on
purpose, for example next month, give another --batch. A file with references takes no --batch.

The command stops, also with --yes, if lines may be paid twice or against a decision of a person:
  a person cancelled or rejected the payout file of these lines   continue with --allow-cancelled
  a payout file that waits in the console pays the same           continue with --allow-similar
  the file has no references, and the same amount was paid        give another --batch, or
  to the same number in the last 7 days                           continue with --allow-similar

--retry-failed pays again the lines that certainly failed, under references such as NAME.retry-1. Pending,
in doubt, cancelled and reversed payouts are left as they are.
${KEY_NOTE}

Exit codes: 0 all accepted; 1 some refused, failed or not known, or stopped as described above; 64 wrong
usage, or a key without the permission; 65 the file is wrong and nothing was sent; 69 the service cannot be
reached; 75 a wallet is short or frozen and nothing was sent; 77 the payouts wait for approval, and nothing
else is wrong; 130 ended by Ctrl-C: before the first payment the drafts are deleted, later the result is
written.`;

export type ProgramDeps = Readonly<{
  commands: Commands;
  writeOut: (text: string) => void;
  writeHelp: (text: string) => void;
}>;

export function createProgram(deps: ProgramDeps): Command {
  const program = new Command(CALL)
    .description('Pay people by mobile money, each payout exactly once')
    .helpCommand('help [command]', 'Show help for a command')
    .helpOption('-h, --help', 'Show help')
    .addHelpText('after', KEY_NOTE);
  addPay(program, deps.commands);
  withAccess(program.command('status'))
    .description('Show the state of a payout')
    .argument('<reference>', 'the reference of the payout')
    .action((reference: string, options: CommonOptions) =>
      deps.commands.status(reference, options),
    );
  withAccess(program.command('wallets'))
    .description('List the wallets that the key can use')
    .action((options: CommonOptions) => deps.commands.wallets(options));
  for (const command of [program, ...program.commands]) catchProblems(command, deps);
  return program;
}

function addPay(program: Command, commands: Commands): void {
  withAccess(program.command('pay'))
    .description('Pay the people in a file, each line once')
    .argument('<file>', 'a CSV file, or a workbook (XLSX)')
    .option('--pay-at <time>', 'Pay at this time, such as 2026-11-30T08:00:00+02:00')
    .option('--wallet <id>', 'Pay from this wallet where a line names none')
    .option('--country <code>', 'Use this country where a line names none', readWord(COUNTRIES))
    .option('--operator <name>', 'Use this operator where a line names none', readWord(OPERATORS))
    .option('--batch <name>', 'Put this name into references made from the content', readBatch)
    .option('--ignore-columns', 'Ignore unknown columns')
    .option('--retry-failed', 'Pay failed lines again, under new references that name the old ones')
    .option('--allow-short-balance', 'Pay the lines that the balance covers')
    .option(
      '--allow-cancelled',
      'Pay lines although a person cancelled or rejected their payout file',
    )
    .option(
      '--allow-similar',
      'Pay lines although the same amount to the same number waits or was paid',
    )
    .option('--dry-run', 'Check and show the payouts, send nothing')
    .option('--yes', 'Do not ask for confirmation')
    .option('--watch', 'Follow until every payout is final')
    .option(
      '--watch-minutes <n>',
      'Follow for this many minutes at most',
      readWhole({ min: 1, max: WATCH_MINUTES_MAX }),
      WATCH_MINUTES_DEFAULT,
    )
    .option('--result <file>', 'Write the result to this file (default: FILE.result.csv)')
    .addHelpText('after', PAY_NOTE)
    .action((path: string, options: PayOptions) => commands.pay(path, options));
}

function withAccess(command: Command): Command {
  return command
    .option('--key-file <file>', 'Read the API key from this file (else: KAFUE_API_KEY)')
    .option(
      '--url <address>',
      `Call the service at this address (else: KAFUE_URL, else ${URL_DEFAULT})`,
    )
    .option('--demo', 'Use the key of the demo that npm start made (data/demo.json)')
    .option('--allow-http', 'Send the key without https to another machine')
    .option('--json', 'Write one JSON document to standard output');
}

// By itself, commander writes errors and ends the process. Here the caller does both.
function catchProblems(command: Command, { writeOut, writeHelp }: ProgramDeps): void {
  command.configureOutput({ writeOut, writeErr: writeHelp, outputError: () => undefined });
  command.exitOverride((error) => {
    if (error.exitCode === 0) throw new HelpShown();
    const message = error.code === 'commander.help' ? 'Name a command.' : error.message;
    const path = command.parent === null ? CALL : `${CALL} ${command.name()}`;
    throw new CliProblem(EXIT.usage, message.replace(/^error: /, ''), `See: ${path} --help`);
  });
}

function readWhole({ min, max }: Readonly<{ min: number; max: number }>) {
  return (text: string): number => {
    const value = /^[0-9]{1,6}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
  };
}

function readWord(words: readonly string[]) {
  return (text: string): string => {
    const word = words.find((known) => known === text.toLowerCase());
    if (word !== undefined) return word;
    throw new InvalidArgumentError(`Give one of ${words.join(', ')}.`);
  };
}

function readBatch(text: string): string {
  if (/^[a-zA-Z0-9._-]+$/.test(text) && text.length <= BATCH_CHARS_MAX) return text;
  throw new InvalidArgumentError('1 to 100 letters, digits, dots, underscores or hyphens.');
}
