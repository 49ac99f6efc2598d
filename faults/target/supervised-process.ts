import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

const STOP_TIMEOUT_MS = 30_000;
/** How long the supervisor waits before it restarts a program that ended by itself. */
const RESTART_PAUSE_MS = 200;

export type Supervised<Ready> = Readonly<{
  /** What it reported when it was ready; undefined while it is not ready. */
  ready(): Ready | undefined;
  pid(): number | undefined;
  /** The number of starts. */
  starts(): number;
  /** Sends SIGKILL; it is restarted after `downMs`. False: there was no process to kill. */
  kill(downMs: number): boolean;
  /** Sends SIGTERM; it is restarted when it has ended. */
  terminate(): Promise<boolean>;
  /** Sends SIGHUP, so that it reloads its routes. False: no process is ready for it. */
  reload(): boolean;
  /** Sends SIGSTOP, and SIGCONT after `pauseMs`. False: there was no process to stop. */
  pause(pauseMs: number, beforeResuming?: () => Promise<void>): Promise<boolean>;
  /** Whether it stopped at a failpoint and waits for SIGCONT. */
  isStopped(): Promise<boolean>;
  /** Sends SIGCONT, also to a process that stopped itself; not while it is kept stopped. */
  resume(): void;
  /** Keeps a process that stopped at a failpoint stopped, until the returned function is called. */
  keepStopped(): () => void;
  /** The exit codes of all times that it ended by itself after it was ready. */
  ownEnds(): readonly (number | null)[];
  /** Stops it without a restart, with SIGTERM first; resolves to its exit code. */
  stop(): Promise<number | null>;
}>;

export type SuperviseOptions<Ready> = Readonly<{
  /** The arguments of Node.js and the environment of the n-th start, from 0. */
  command: (
    starts: number,
  ) => Readonly<{ args: readonly string[]; env: Readonly<Record<string, string>> }>;
  logFile: string;
  /** Recognises the line of output that reports readiness. */
  readReady: (line: string) => Ready | undefined;
  /** Runs before it counts as ready. */
  prepare?: (ready: Ready) => Promise<void>;
}>;

type Watched<Ready> = {
  child: ChildProcess;
  ready: Ready | undefined;
  wasReady: boolean;
  killed: boolean;
  stopRequested: boolean;
};

/** Runs a program like a supervisor: restarts it whenever it ends. */
export function supervise<Ready>(options: SuperviseOptions<Ready>): Supervised<Ready> {
  const log = createWriteStream(options.logFile, { flags: 'a' });
  const ownEnds: (number | null)[] = [];
  let current: Watched<Ready> | undefined;
  let downMs = RESTART_PAUSE_MS;
  let stopping = false;
  let startsMade = 0;
  /** Stopped by the harness, which resumes it. */
  let held = false;

  async function keepRunning(): Promise<void> {
    for (let starts = 0; !stopping; starts += 1) {
      const watched = startOnce(options, starts, log);
      startsMade += 1;
      current = watched;
      await once(watched.child, 'exit');
      watched.ready = undefined;
      current = undefined;
      if (stopping) return;
      // A failpoint may kill it too.
      const killed = watched.killed || watched.child.signalCode === 'SIGKILL';
      if (!killed && !watched.stopRequested && watched.wasReady)
        ownEnds.push(watched.child.exitCode);
      await pause(watched.killed ? downMs : RESTART_PAUSE_MS);
    }
  }
  const running = keepRunning();

  return {
    ready: () => current?.ready,
    pid: () => current?.child.pid,
    starts: () => startsMade,
    ownEnds: () => ownEnds,
    kill(ms) {
      if (current === undefined) return false;
      current.killed = true;
      downMs = ms;
      return current.child.kill('SIGKILL');
    },
    async terminate() {
      if (current === undefined) return false;
      current.stopRequested = true;
      await endGently(current.child, once(current.child, 'exit'));
      return true;
    },
    reload() {
      // Before it is ready, SIGHUP would end the process.
      return current?.ready !== undefined && current.child.kill('SIGHUP');
    },
    async isStopped() {
      if (held || current?.child.pid === undefined) return false;
      const stat = await readFile(`/proc/${current.child.pid}/stat`, 'utf8').catch(() => '');
      // The state follows the name, which is in parentheses.
      return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
    },
    resume() {
      if (!held) current?.child.kill('SIGCONT');
    },
    keepStopped() {
      const stopped = current?.child;
      held = true;
      return () => {
        held = false;
        stopped?.kill('SIGCONT');
      };
    },
    async pause(pauseMs, beforeResuming) {
      const paused = current?.child;
      if (paused?.kill('SIGSTOP') !== true) return false;
      held = true;
      try {
        await pause(pauseMs);
        await beforeResuming?.();
      } finally {
        held = false;
        paused.kill('SIGCONT');
      }
      return true;
    },
    async stop() {
      stopping = true;
      const last = current?.child;
      if (last !== undefined) await endGently(last, running);
      await running;
      log.end();
      return last?.exitCode ?? null;
    },
  };
}

/** Sends SIGTERM, also to a paused process, and SIGKILL when it does not end. */
async function endGently(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGCONT');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}

const PREPARE_AGAIN_MS = 200;

async function isPrepared<Ready>(
  { prepare }: Pick<SuperviseOptions<Ready>, 'prepare'>,
  ready: Ready,
): Promise<boolean> {
  try {
    await prepare?.(ready);
    return true;
  } catch {
    return false;
  }
}

function startOnce<Ready>(
  options: SuperviseOptions<Ready>,
  starts: number,
  log: NodeJS.WritableStream,
): Watched<Ready> {
  const { args, env } = options.command(starts);
  const child = spawn(process.execPath, [...args], {
    env: { ...inherited(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const watched: Watched<Ready> = {
    child,
    ready: undefined,
    wasReady: false,
    killed: false,
    stopRequested: false,
  };
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const onReady = async (ready: Ready): Promise<void> => {
    // A busy machine may not answer in time: one that is not prepared would never count as ready.
    while (!hasEnded() && !(await isPrepared(options, ready))) await pause(PREPARE_AGAIN_MS);
    // It may have been killed in the meantime; the next start is prepared again.
    if (hasEnded()) return;
    watched.ready = ready;
    watched.wasReady = true;
  };
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      log.write(`${line}\n`);
      const ready = options.readReady(line);
      if (ready !== undefined) void onReady(ready);
    });
  }
  return watched;
}

function inherited(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ['PATH', 'HOME', 'NODE_COMPILE_CACHE', 'TMPDIR'].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
