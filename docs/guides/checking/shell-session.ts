import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pollUntil } from '../../../service/test/poll.ts';

/** What takes longer should have had a terminal of its own. */
const RUN_TIMEOUT_MS = 60_000;

type Environment = Readonly<Record<string, string>>;
type Written = Readonly<{ code: number | null; out: string; error: string }>;
type Terminal = Readonly<{ child: ChildProcess; output: () => string }>;

/** A reader with one terminal for typing, and further ones for what runs on. */
export type ShellSession = Readonly<{
  /** Types into the first terminal; what is exported there stays. */
  run(script: string): Promise<Written>;
  /** Starts something in a terminal with a name, and ends what ran there before. */
  runOn(name: string, script: string): Promise<void>;
  /** Forgets what was exported, as a new terminal does. */
  reset(): Promise<void>;
  /** What a terminal has shown so far. */
  shownOn(name: string): string;
  close(): Promise<void>;
}>;

export function openShellSession(folder: string, given: Environment): ShellSession {
  const exported = join(folder, 'data', 'exported');
  const remembered = join(folder, 'data', 'remembered');
  const terminals = new Map<string, Terminal>();
  let env: Environment = given;

  function start(script: string): Terminal {
    const child = spawn('bash', ['-c', script], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that its end can be waited for to the last process.
      detached: true,
    });
    return { child, output: collect(child.stdout, child.stderr) };
  }

  return {
    async run(script) {
      // What is exported is for other terminals too; variables and functions are for this one alone.
      const recall = `if [ -f '${remembered}' ]; then . '${remembered}'; fi`;
      const keep = `{ declare -p | grep -v '^declare -[A-Za-z]*r'; declare -f; } > '${remembered}'`;
      const { child } = start(
        ['set -euo pipefail', recall, script, `env -0 > '${exported}'`, keep].join('\n'),
      );
      const [out, error] = [collect(child.stdout), collect(child.stderr)];
      const timer = setTimeout(() => killGroup(child), RUN_TIMEOUT_MS);
      const [code] = await once(child, 'close');
      clearTimeout(timer);
      if (code === 0) env = readExported(await readFile(exported, 'utf8'));
      return { code: code === null ? null : Number(code), out: out(), error: error() };
    },
    async runOn(name, script) {
      const before = terminals.get(name);
      if (before !== undefined) await endGroup(before.child);
      terminals.set(name, start(script));
    },
    async reset() {
      env = given;
      await rm(remembered, { force: true });
    },
    shownOn: (name) => terminals.get(name)?.output() ?? '',
    async close() {
      for (const { child } of terminals.values()) await endGroup(child);
      terminals.clear();
    },
  };
}

function collect(...streams: readonly (NodeJS.ReadableStream | null)[]): () => string {
  const chunks: string[] = [];
  for (const stream of streams) {
    stream?.setEncoding('utf8').on('data', (text: string) => chunks.push(text));
  }
  return () => chunks.join('');
}

function readExported(text: string): Environment {
  const pairs = text.split('\0').filter((pair) => pair !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name, value.join('=')];
    }),
  );
}

/**
 * Asks one process after the other, the oldest first, until all are gone: npm and its shell do not pass
 * the request on, and the processes below them must get it once.
 */
async function endGroup({ pid: group }: ChildProcess): Promise<void> {
  if (group === undefined) return;
  try {
    for (let oldest = findOldest(group); oldest !== undefined; oldest = findOldest(group)) {
      const pid = oldest;
      process.kill(pid, 'SIGTERM');
      await pollUntil(`process ${pid} ends`, () => findOldest(group) !== pid);
    }
  } catch (error) {
    killGroup({ pid: group });
    throw error;
  }
}

function killGroup({ pid }: Readonly<{ pid?: number | undefined }>): void {
  if (pid !== undefined && findOldest(pid) !== undefined) process.kill(-pid, 'SIGKILL');
}

function findOldest(group: number): number | undefined {
  const { stdout } = spawnSync('ps', ['-eo', 'pgid=,stat=,pid='], { encoding: 'utf8' });
  const pids = stdout.split('\n').flatMap((line) => {
    const [pgid, state = '', pid] = line.trim().split(/\s+/);
    return Number(pgid) === group && !state.startsWith('Z') ? [Number(pid)] : [];
  });
  return pids.sort((a, b) => a - b)[0];
}
