import { KafueError } from '../../sdk/src/index.ts';
import { CliProblem, EXIT } from './cli-problem.ts';

const KEY_CODES: readonly string[] = ['UNAUTHORIZED', 'FORBIDDEN'];
const NO_ANSWER_CODES: readonly string[] = ['CONNECTION_FAILED', 'TIMEOUT', 'UNEXPECTED_ANSWER'];
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR_FIRST = 500;

/** What an error of a call means for a person at a terminal. */
export function explainError(error: unknown): CliProblem {
  if (error instanceof CliProblem) return error;
  if (!(error instanceof KafueError)) throw error;
  if (KEY_CODES.includes(error.code)) {
    const advice = 'Give a key that may do this: --key-file, or KAFUE_API_KEY.';
    return new CliProblem(EXIT.usage, error.message, advice);
  }
  if (isUnreachable(error)) {
    const message = error.message.replace('baseUrl', '--url');
    return new CliProblem(EXIT.unreachable, message, 'Then run the same command again.');
  }
  const exitCode = error.code === 'INVALID_ARGUMENT' ? EXIT.usage : EXIT.incomplete;
  return new CliProblem(exitCode, error.message.replace('baseUrl', '--url'), `(${error.code})`);
}

function isUnreachable({ code, status }: KafueError): boolean {
  if (NO_ANSWER_CODES.includes(code)) return true;
  return status !== null && (status === TOO_MANY_REQUESTS || status >= SERVER_ERROR_FIRST);
}
