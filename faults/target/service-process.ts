import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

const MAIN = new URL('../../service/src/main.ts', import.meta.url).pathname;
const STOP_TIMEOUT_MS = 30_000;
/** What a supervisor waits before it starts a service again that ended by itself. */
const RESTART_PAUSE_MS = 200;

export type ServiceProcess = Readonly<{
  /** Where it listens; undefined while it does not. */
  port(): number | undefined;
  /** kill -9; it is started again after so long. False: there was no process to kill. */
  kill(downMs: number): boolean;
  /** SIGSTOP, and SIGCONT after so long. False: there was no process to stop. */
  pause(pauseMs: number): Promise<boolean>;
  /** How it ended when nobody killed it: a code for each time. */
  ownEnds(): readonly (number | null)[];
  /** Ends it for good: asks first, resolves to its code. */
  stop(): Promise<number | null>;
}>;

type Watched = { child: ChildProcess; port: number | undefined; killed: boolean };

/** Runs the service as a supervisor would: whenever it ends, it is started again. */
export function superviseService(
  options: Readonly<{ env: Readonly<Record<string, string>>; logFile: string }>,
): ServiceProcess {
  const log = createWriteStream(options.logFile, { flags: 'a' });
  const ownEnds: (number | null)[] = [];
  let current: Watched | undefined;
  let downMs = RESTART_PAUSE_MS;
  let stopping = false;

  async function keepRunning(): Promise<void> {
    while (!stopping) {
      const watched = startOnce(options.env, log);
      current = watched;
      await once(watched.child, 'exit');
      watched.port = undefined;
      current = undefined;
      if (stopping) return;
      if (!watched.killed) ownEnds.push(watched.child.exitCode);
      await pause(watched.killed ? downMs : RESTART_PAUSE_MS);
    }
  }
  const running = keepRunning();

  return {
    port: () => current?.port,
    ownEnds: () => ownEnds,
    kill(ms) {
      if (current === undefined) return false;
      current.killed = true;
      downMs = ms;
      return current.child.kill('SIGKILL');
    },
    async pause(pauseMs) {
      const paused = current?.child;
      if (paused?.kill('SIGSTOP') !== true) return false;
      await pause(pauseMs);
      paused.kill('SIGCONT');
      return true;
    },
    async stop() {
      stopping = true;
      const last = current?.child;
      last?.kill('SIGCONT');
      last?.kill('SIGTERM');
      const timer = setTimeout(() => last?.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await running;
      clearTimeout(timer);
      log.end();
      return last?.exitCode ?? null;
    },
  };
}

function startOnce(env: Readonly<Record<string, string>>, log: NodeJS.WritableStream): Watched {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const watched: Watched = { child, port: undefined, killed: false };
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      log.write(`${line}\n`);
      watched.port ??= readPort(line);
    });
  }
  return watched;
}

function readPort(line: string): number | undefined {
  if (!line.startsWith('{')) return undefined;
  const entry = JSON.parse(line) as { msg?: string; port?: number };
  return entry.msg === 'listening' ? entry.port : undefined;
}
