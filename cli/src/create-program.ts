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
recipientName, walletId. Only amount and phone must be there, when --wallet gives the wallet: the number
tells operator and country where nothing else does. Separated by commas, semicolons or tabs, in UTF-8, at
most 100,000 lines; or the first sheet of a workbook that has such columns.

First it looks up which lines were sent before, and asks only about the rest. It shows amounts, fees and
balances, and stops before the first payment when a wallet is short. The rest is uploaded as payout files,
one for each wallet, which the console shows too: the service checks every row, and nothing is sent while
one of them is bad. Where the policy asks for approval it says who can approve, and ends; run the same
command again to follow.

Examples:
  ${CALL} pay salaries.csv --demo --dry-run
  ${CALL} pay salaries.csv --key-file ~/.kafue-key --wallet WALLET_ID --country zm --operator mtn
  ${CALL} pay salaries.csv --key-file ~/.kafue-key --watch --yes
  ${CALL} pay salaries.csv --key-file ~/.kafue-key --retry-failed

Safe to run again, also after it was killed: each line is paid once. A file without references is
known by its content; two equal lines are two payouts. To pay the same file again on purpose, next
month say, give another --batch. A file with references takes no --batch.

It stops, also with --yes, where lines may be paid twice or against a decision: a person cancelled or
rejected their payout file (go on with --allow-cancelled), a file of the console that waits pays the same
(--allow-similar), or the file has no references and the same amount was paid to the same number in the
last 7 days (another --batch, or --allow-similar).

--retry-failed pays again what is certain to have failed, under references such as NAME.retry-1; what is
pending, in doubt, cancelled or reversed is left as it is.
${KEY_NOTE}

Exit codes: 0 all accepted; 1 some refused, failed or not known, or it stopped as said above; 64 wrong
usage, or a key that may not; 65 the file is bad and nothing was sent; 69 the service cannot be reached;
75 a wallet is short or frozen and nothing was sent; 77 it waits for approval, and nothing else is wrong;
130 ended by Ctrl-C: before the first payment its drafts are deleted, later the result is written.`;

export type ProgramDeps = Readonly<{
  commands: Commands;
  writeOut: (text: string) => void;
  writeHelp: (text: string) => void;
}>;

export function createProgram(deps: ProgramDeps): Command {
  const program = new Command(CALL)
    .description('Mobile money payouts, each paid exactly once.')
    .helpCommand('help [command]', 'Show help for a command')
    .addHelpText('after', KEY_NOTE);
  addPay(program, deps.commands);
  withAccess(program.command('status'))
    .description('Show what became of a payout')
    .argument('<reference>', 'of the payout')
    .action((reference: string, options: CommonOptions) =>
      deps.commands.status(reference, options),
    );
  withAccess(program.command('wallets'))
    .description('List the wallets that the key opens')
    .action((options: CommonOptions) => deps.commands.wallets(options));
  for (const command of [program, ...program.commands]) catchProblems(command, deps);
  return program;
}

function addPay(program: Command, commands: Commands): void {
  withAccess(program.command('pay'))
    .description('Pay the people in a file, each once')
    .argument('<file>', 'a CSV file, or a workbook (XLSX)')
    .option('--pay-at <time>', 'Pay it at this time: 2026-11-30T08:00:00+02:00')
    .option('--wallet <id>', 'Pay from this wallet where the line names none')
    .option('--country <code>', 'Country of lines that name none', readWord(COUNTRIES))
    .option('--operator <name>', 'Operator of lines that name none', readWord(OPERATORS))
    .option('--batch <name>', 'Name that goes into references made from the content', readBatch)
    .option('--ignore-columns', 'Pass over columns that are not known')
    .option('--retry-failed', 'Pay failed lines again, under new references that name the old ones')
    .option('--allow-short-balance', 'Pay as far as the balance goes')
    .option(
      '--allow-cancelled',
      'Pay lines although a person cancelled or rejected their payout file',
    )
    .option(
      '--allow-similar',
      'Pay lines although the same amount to the same number waits or was paid',
    )
    .option('--dry-run', 'Check and show, send nothing')
    .option('--yes', 'Do not ask')
    .option('--watch', 'Follow until every payout is final')
    .option(
      '--watch-minutes <n>',
      'Follow no longer than this',
      readWhole({ min: 1, max: WATCH_MINUTES_MAX }),
      WATCH_MINUTES_DEFAULT,
    )
    .option('--result <file>', 'Write the result there (default: FILE.result.csv)')
    .addHelpText('after', PAY_NOTE)
    .action((path: string, options: PayOptions) => commands.pay(path, options));
}

function withAccess(command: Command): Command {
  return command
    .option(
      '--key-file <file>',
      'Read the API key from this file (else: environment KAFUE_API_KEY)',
    )
    .option('--url <address>', `Call the service there (else: KAFUE_URL, else ${URL_DEFAULT})`)
    .option('--demo', 'Use the demo that npm start made: data/demo.json')
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
