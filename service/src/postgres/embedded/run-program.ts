import { spawn } from 'node:child_process';
import type { SystemUser } from './system-users.ts';

/** The system user that PostgreSQL runs as when the service itself is root. */
export type ServerAccount = SystemUser;

export type ProgramResult = Readonly<{ exitCode: number; output: string }>;

/** The exit code that shells use for a program that could not be started. */
const EXIT_CODE_NOT_STARTED = 127;

/**
 * Only what the programs need: variables such as PGDATA or PGOPTIONS would change what they do, and they must not see
 * the secrets in the service's environment.
 */
export function programEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
}

/** The options of spawn that make the child run as another user; empty without an account. */
export function accountOptions(account: ServerAccount | undefined): { uid?: number; gid?: number } {
  return account === undefined ? {} : { uid: account.uid, gid: account.gid };
}

/** Runs a program to its end. One that cannot be started is a result too, not an exception. */
export async function runProgram(command: {
  path: string;
  args: readonly string[];
  account: ServerAccount | undefined;
  input?: string;
  timeoutMs: number;
}): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(command.path, command.args, {
      ...accountOptions(command.account),
      // The other user may not be able to enter the current folder, and PostgreSQL complains about that.
      cwd: '/',
      env: programEnvironment(),
      stdio: 'pipe',
      timeout: command.timeoutMs,
      killSignal: 'SIGKILL',
    });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    // A program that ends before it has read its input breaks the pipe; its exit code shows the reason.
    child.stdin.on('error', () => undefined);
    child.stdin.end(command.input ?? '');
    child.once('error', (error) =>
      resolve({ exitCode: EXIT_CODE_NOT_STARTED, output: error.message }),
    );
    child.once('close', (code, signal) =>
      resolve({ exitCode: code ?? 1, output: signal === null ? output : `${output}\n${signal}` }),
    );
  });
}
