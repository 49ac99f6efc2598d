/**
 * Runs a program of the project on a Node.js that is new enough, whichever started this script: installs what is
 * missing, and passes on standard input and output, signals and the exit code.
 *
 *   node scripts/run.mjs [--with-console] [--fit-memory] [option of Node.js …] service/src/main.ts …
 *
 * With --with-console the console is built first, if it is not or its sources have changed. With --fit-memory the
 * program gets a heap that fits the machine.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isConsoleBuilt } from './console-sources.mjs';
import { availableBytes, heapOptions, MALLOC_ENVIRONMENT } from './fit-memory.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const COMPILE_CACHE = join(ROOT, 'node_modules', '.cache', 'kafue-compile');
/** The exit code of a shell for a program that a signal ended. */
const EXIT_SIGNALLED = 128;
const LINEAGE_CHECK_MS = 250;

/** Our parent and, if it can be read, its parent: npm's shell and npm. */
function lineage() {
  try {
    // After the name, which is in parentheses and may contain anything: state and parent.
    const line = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
    const [, parent] = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return `${process.ppid} ${parent}`;
  } catch {
    return String(process.ppid);
  }
}

/** Without the console payouts go on: a failed build is said, and the start continues. */
function buildConsole() {
  if (process.env.CONSOLE === 'off' || isConsoleBuilt()) return;
  process.stderr.write('Building the console…\n');
  const built = spawnSync(node, ['console/scripts/build.ts', '--if-needed'], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (built.status === 0) return;
  process.stderr.write('The console could not be built; the service starts without it.\n');
}

const { node } = await import('./ensure-installed.mjs');
const given = process.argv.slice(2);
const withConsole = given[0] === '--with-console';
if (withConsole) given.shift();
const fits = given[0] === '--fit-memory';
if (fits) given.shift();
if (withConsole) buildConsole();
const childArguments = fits ? [...heapOptions(availableBytes()), ...given] : given;
const child = spawn(node, childArguments, {
  cwd: ROOT,
  stdio: 'inherit',
  // Compiled code is cached, with types already stripped: later starts take half the time.
  env: {
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    ...(fits ? MALLOC_ENVIRONMENT : {}),
    ...process.env,
  },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // A terminal sends Ctrl-C to both processes: the program decides when to end, and this one waits for it.
  process.on(signal, () => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
// npm passes a signal to its shell only, which ends and leaves this process running: the signal was then meant for us.
if (process.env.npm_lifecycle_event !== undefined) {
  const started = lineage();
  const check = setInterval(() => {
    if (lineage() === started) return;
    clearInterval(check);
    child.kill('SIGTERM');
  }, LINEAGE_CHECK_MS);
  check.unref();
}
child.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
child.on('exit', (code, signal) => {
  process.exitCode = code ?? EXIT_SIGNALLED + (constants.signals[signal] ?? 0);
});
