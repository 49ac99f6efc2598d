import { constants } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { runCli } from './run-cli.ts';

/** What a shell says of a program that a signal ended. */
const EXIT_SIGNALLED = 128;

const controller = new AbortController();
let endedBy: NodeJS.Signals | undefined;

// The first signal lets the call that is under way finish, so that the result can say how it ended.
// The second ends the process as it is, which loses nothing but the result.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    endedBy = signal;
    controller.abort();
  });
}
// `… | head` closes the pipe early, which is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

async function ask(question: string, signal: AbortSignal): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // An input that is closed instead of answered is not a yes.
    const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
    return await Promise.race([terminal.question(question, { signal }).catch(() => ''), closed]);
  } finally {
    terminal.close();
  }
}

/** npm changes into the project's folder; paths are meant from where its user stands. */
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
