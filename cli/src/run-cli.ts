import { resolve } from 'node:path';
import { type CliProblem, EXIT, type ExitCode } from './cli-problem.ts';
import type { CliProcess } from './cli-process.ts';
import { type CommonOptions, createProgram, HelpShown } from './create-program.ts';
import { explainError } from './explain-error.ts';
import { type Access, findAccess, keyMissing } from './find-access.ts';
import { payFile } from './pay/pay-file.ts';
import { showTransfer } from './show-transfer.ts';
import { showWallets } from './show-wallets.ts';

/** Runs one command and returns the exit code. */
export async function runCli(cli: CliProcess): Promise<ExitCode> {
  // Read without the parser, because an invalid command line must be answered in JSON too.
  const asJson = cli.argv.includes('--json');
  try {
    return await runCommand(cli, asJson);
  } catch (error) {
    if (error instanceof HelpShown) return EXIT.done;
    const problem = explainError(error);
    complain(cli, problem, asJson);
    return problem.exitCode;
  }
}

async function runCommand(cli: CliProcess, asJson: boolean): Promise<ExitCode> {
  const { writeOut, writeError, folder } = cli;
  const resolvePath = (path: string): string => resolve(folder, path);
  const say = asJson ? writeError : writeOut;
  let exitCode: ExitCode = EXIT.done;
  const open = (options: CommonOptions) => openAccess(cli, options, resolvePath);
  const program = createProgram({
    writeOut,
    writeHelp: asJson ? () => undefined : writeError,
    commands: {
      async pay(path, options) {
        exitCode = await payFile({ ...cli, say, resolvePath }, path, options);
      },
      async status(reference, options) {
        exitCode = await showTransfer(
          { writeOut, json: options.json === true },
          await open(options),
          reference,
        );
      },
      async wallets(options) {
        exitCode = await showWallets(
          { writeOut, json: options.json === true },
          await open(options),
        );
      },
    },
  });
  await program.parseAsync(cli.argv, { from: 'user' });
  return exitCode;
}

async function openAccess(
  { env, writeError }: CliProcess,
  options: CommonOptions,
  resolvePath: (path: string) => string,
): Promise<Access> {
  const warn = (line: string): void => writeError(`${line}\n`);
  const access = await findAccess({ env, resolvePath, warn }, options);
  if (access === undefined) throw keyMissing();
  return access;
}

function complain(cli: CliProcess, { message, advice }: CliProblem, asJson: boolean): void {
  if (!asJson) cli.writeError(`${message}\n${advice}\n`);
  else cli.writeOut(`${JSON.stringify({ error: { message, whatToDo: advice } }, null, 2)}\n`);
}
