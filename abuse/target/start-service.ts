import { type ChildProcess, spawn } from 'node:child_process';
import { readScript } from './read-script.ts';

/** A first start creates the database, which takes a few seconds on an idle machine. */
const START_TIMEOUT_MS = 120_000;
/** The service itself aborts a stop after 20 seconds. */
const STOP_TIMEOUT_MS = 30_000;
const TAIL_LENGTH = 2_000;
const NEWLINE = 10;

/** A signal is reported as shells do, by a code above 128: 134 is SIGABRT, which ends a process with a full heap. */
export type ServiceEnd = Readonly<{ code: number | null; signal: NodeJS.Signals | null }>;

export type Service = Readonly<{
  pid: number;
  port: number;
  /** How it ended; undefined while it runs. */
  ended(): ServiceEnd | undefined;
  /** Lines on standard output and standard error so far. */
  logLines(): number;
  /** The last of its output, for reports. */
  tail(): string;
  stop(): Promise<void>;
}>;

type StartOptions = Readonly<{
  /** The checkout whose service is started. */
  tree: string;
  env: Readonly<Record<string, string>>;
}>;

/**
 * Starts the service as `npm start` does. The child is the script that runs it, which passes on signals and the exit
 * code; the service reports its own process id when it listens.
 */
export async function startService({ tree, env }: StartOptions): Promise<Service> {
  const { program, args } = await readScript(tree, 'start');
  const child = spawn(program, [...args], {
    cwd: tree,
    env: serviceEnvironment({ HOST: '127.0.0.1', PORT: '0', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = readOutput(child);
  const ended = watchEnd(child);
  try {
    const { pid, port } = await output.listening;
    return {
      pid,
      port,
      ended: ended.find,
      logLines: output.lines,
      tail: output.tail,
      stop: () => stop(child, ended.wait, pid),
    };
  } catch (error) {
    await stop(child, ended.wait, undefined);
    throw error;
  }
}

/** Nothing of our own environment but what programs need to run at all. */
export function serviceEnvironment(
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const inherited = ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(inherited), ...own };
}

type Listening = Readonly<{ pid: number; port: number }>;

function readOutput(child: ChildProcess) {
  let lines = 0;
  let tail = '';
  const { promise: listening, resolve, reject } = Promise.withResolvers<Listening>();
  const timer = setTimeout(() => reject(new Error(`no start in time:\n${tail}`)), START_TIMEOUT_MS);
  const onChunk = (chunk: Buffer): void => {
    // A flood of lines must cost this process little, because it measures.
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
    tail = (tail + chunk.subarray(-TAIL_LENGTH).toString()).slice(-TAIL_LENGTH);
    const found =
      /^\{[^\n]*"port":(\d+),(?:"consolePort":\d+,)?"pid":(\d+),"msg":"listening"\}/m.exec(tail);
    if (found !== null) resolve({ port: Number(found[1]), pid: Number(found[2]) });
  };
  child.stdout?.on('data', onChunk);
  child.stderr?.on('data', onChunk);
  child.once('exit', () => reject(new Error(`the service did not start:\n${tail}`)));
  child.once('error', reject);
  const cleared = listening.finally(() => clearTimeout(timer));
  return { listening: cleared, lines: () => lines, tail: () => tail };
}

function watchEnd(child: ChildProcess) {
  let end: ServiceEnd | undefined;
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', (code, signal) => {
    end = { code, signal };
    resolve();
  });
  child.once('error', () => resolve());
  return { find: () => end, wait: promise };
}

async function stop(
  child: ChildProcess,
  ended: Promise<void>,
  pid: number | undefined,
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => {
    if (pid !== undefined) killIfRunning(pid);
    child.kill('SIGKILL');
  }, STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended at this very moment.
  }
}
