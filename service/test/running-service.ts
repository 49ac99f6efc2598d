import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { programFile } from '../../scripts/program-file.ts';
import { findFreePort } from '../src/postgres/embedded/free-port.ts';
import { childEnvironment } from './child-environment.ts';
import { pollUntil } from './poll.ts';

/** Long, because a busy machine is slow and waiting costs nothing when all is well. */
const START_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 30_000;

/** The key that the service encrypts with, unless a test gives it others. */
export const TEST_SEALING_KEY = { id: 'test', key: Buffer.alloc(32, 1) } as const;

export type RunningService = Readonly<{
  baseUrl: string;
  port: number;
  /** Undefined: there is no console. */
  consoleUrl: string | undefined;
  pid: number;
  /** Everything it has written so far. */
  output(): string;
  /** Sends a signal and waits for the end; resolves with the exit code, null after a signal. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}>;

/** A cloned test database, or the embedded server in a folder. */
export type ServiceOptions = Readonly<
  ({ databaseUrl: string; dataDir?: never } | { dataDir: string; databaseUrl?: never }) & {
    env?: Readonly<Record<string, string>>;
  }
>;

/** Starts the service as a process on its own port. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const child = spawnService(options);
  const lines: string[] = [];
  const { port, consolePort } = await waitForPorts(child, lines);
  return describeService(child, { port, consolePort, lines });
}

/** The same where nothing reads what it writes, as after `npm start | head -1`. */
export async function startWithoutOutput(dataDir: string): Promise<RunningService> {
  const port = await findFreePort();
  const child = spawnService({ dataDir, env: { PORT: String(port) } });
  child.stdout.destroy();
  child.stderr.destroy();
  const service = describeService(child, { port, lines: [] });
  await pollUntil(
    'the service to be ready',
    async () => {
      if (child.exitCode !== null) throw new ServiceEnded(child.exitCode, 'not read');
      const response = await fetch(`${service.baseUrl}/health/ready`).catch(() => undefined);
      return response?.ok === true;
    },
    START_TIMEOUT_MS,
  );
  return service;
}

function spawnService(options: ServiceOptions): ChildProcessByStdio<null, Readable, Readable> {
  // With a database of its own it writes nothing there.
  const dataDir = options.dataDir ?? join(tmpdir(), 'kafue-unused');
  const child = spawn(process.execPath, [programFile('service')], {
    env: {
      ...childEnvironment(),
      PORT: '0',
      DATA_DIR: dataDir,
      SANDBOX_DELAY_MS: '50',
      RATE_LIMIT_PER_SECOND: '0',
      WEBHOOK_SECRET_KEYS: `${TEST_SEALING_KEY.id}:${TEST_SEALING_KEY.key.toString('base64')}`,
      ...(options.databaseUrl === undefined ? {} : { DATABASE_URL: options.databaseUrl }),
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const endWithTest = () => child.kill('SIGKILL');
  process.once('exit', endWithTest);
  child.once('exit', () => process.removeListener('exit', endWithTest));
  return child;
}

function describeService(
  child: ChildProcess,
  { port, consolePort, lines }: Listening & Readonly<{ lines: readonly string[] }>,
): RunningService {
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    port,
    consoleUrl: consolePort === undefined ? undefined : `http://127.0.0.1:${consolePort}`,
    pid: child.pid ?? 0,
    output: () => lines.join('\n'),
    end: (signal = 'SIGTERM') => endProcess(child, signal),
  };
}

type Listening = Readonly<{ port: number; consolePort?: number | undefined }>;

function waitForPorts(child: ChildProcess, lines: string[]): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`the service did not start in time:\n${lines.join('\n')}`));
    }, START_TIMEOUT_MS);
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        const listening = readListening(line);
        if (listening === undefined) return;
        clearTimeout(timer);
        resolve(listening);
      });
    }
    child.once('exit', (code) => {
      clearTimeout(timer);
      // The last lines may still be in the pipe.
      setImmediate(() => reject(new ServiceEnded(code, lines.join('\n'))));
    });
  });
}

/** The service ended before it listened. */
export class ServiceEnded extends Error {
  readonly code: number | null;
  readonly output: string;

  constructor(code: number | null, output: string) {
    super(`the service ended with ${code}:\n${output}`);
    this.name = 'ServiceEnded';
    this.code = code;
    this.output = output;
  }
}

function readListening(line: string): Listening | undefined {
  if (!line.startsWith('{')) return undefined;
  const entry = JSON.parse(line) as Listening & { msg?: string };
  return entry.msg === 'listening' ? entry : undefined;
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
  return child.exitCode;
}
