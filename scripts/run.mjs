/**
 * Runs a program of the project on Node.js 24, whichever Node.js started this script: installs what is
 * missing, and passes on standard input and output, signals and the exit code.
 *
 *   node scripts/run.mjs [--fit-memory] [option of Node.js …] service/src/main.ts …
 *
 * With --fit-memory the program gets a heap that fits the machine.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
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

await import('./ensure-installed.mjs');
const [first, ...others] = process.argv.slice(2);
const fits = first === '--fit-memory';
const childArguments = fits ? [...heapOptions(availableBytes()), ...others] : process.argv.slice(2);
const own = join(ROOT, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
const child = spawn(existsSync(own) ? own : process.execPath, childArguments, {
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
