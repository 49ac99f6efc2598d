import { constants } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { askQuestion } from './ask-question.ts';
import { runCli } from './run-cli.ts';

/** The exit code that shells use for a program that a signal ended. */
const EXIT_SIGNALLED = 128;

const controller = new AbortController();
let endedBy: NodeJS.Signals | undefined;

// After the first signal the current call finishes, so that the result is known. The second signal ends the process at
// once, which loses only the result file.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    endedBy = signal;
    controller.abort();
  });
}
// `… | head` and `… 2>&1 | head` close the pipe early, which is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

function ask(question: string, signal: AbortSignal): Promise<string> {
  const terminal = {
    input: process.stdin,
    output: process.stderr,
    isTerminal: process.stdin.isTTY,
    onInterrupt: () => void process.emit('SIGINT', 'SIGINT'),
  };
  return askQuestion(terminal, question, signal);
}

/** npm changes into the folder of the project. Paths are relative to the folder in which its user called it. */
function startFolder(): string {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env;
  return script === 'kafue' && folder !== undefined ? folder : process.cwd();
}

const exitCode = await runCli({
  argv: process.argv.slice(2),
  env: process.env,
  folder: startFolder(),
  writeOut: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  isTerminal: { input: process.stdin.isTTY, error: process.stderr.isTTY },
  ask,
  now: () => performance.now(),
  pause: (ms, signal) => wait(ms, undefined, { signal }).catch(() => undefined),
  stop: controller.signal,
});
process.exitCode = endedBy === undefined ? exitCode : EXIT_SIGNALLED + constants.signals[endedBy];
