import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { availableBytes, heapOptions, MALLOC_ENVIRONMENT } from '../../scripts/fit-memory.mjs';
import { findFreePort } from '../../service/src/postgres/embedded/free-port.ts';
import { hasEnded, killProcess } from './json-process.ts';

const START_TIMEOUT_MS = 30_000;
const POLL_EVERY_MS = 50;
const OUTPUT_LENGTH_MAX = 4_000;

export type ServerProcess = Readonly<{
  port: number;
  pid: number;
  /** The end of what it printed. */
  lastOutput(): string;
  /** Kills it at once: everything that matters is in the database. */
  kill(): Promise<void>;
}>;

export type ServerOptions = Readonly<{
  /** The program, as an absolute path. */
  script: string;
  /** Undefined: any free port. */
  port: number | undefined;
  env: Readonly<Record<string, string>>;
  signal: AbortSignal;
}>;

/** Starts a server in its own process and waits until it is ready. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const port = options.port ?? (await findFreePort());
  const child = spawn(process.execPath, [...heapOptions(availableBytes()), options.script], {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      ...MALLOC_ENVIRONMENT,
      HOST: '127.0.0.1',
      PORT: String(port),
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-OUTPUT_LENGTH_MAX);
    });
  }
  const kill = () => killProcess(child);
  try {
    await waitUntilReady(child, { port, signal: options.signal });
  } catch (error) {
    await kill();
    throw new Error(`${options.script} did not start:\n${output}`, { cause: error });
  }
  return { port, pid: child.pid ?? 0, lastOutput: () => output, kill };
}

async function waitUntilReady(
  child: ChildProcess,
  { port, signal }: Readonly<{ port: number; signal: AbortSignal }>,
): Promise<void> {
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadlineMs) {
    signal.throwIfAborted();
    if (hasEnded(child)) throw new Error(`it ended with ${child.exitCode}`);
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`, {
      signal: AbortSignal.timeout(START_TIMEOUT_MS),
    }).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await wait(POLL_EVERY_MS, undefined, { signal });
  }
  throw new Error(`it was not ready after ${START_TIMEOUT_MS} ms`);
}
