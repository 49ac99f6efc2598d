import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const START_TIMEOUT_MS = 30_000;

export type JsonProcess<Ready> = Readonly<{ ready: Ready; kill(): Promise<void> }>;

/** Starts a program of ours that reports by one line of JSON that it is ready, and where. */
export async function startJsonProcess<Ready>(
  signal: AbortSignal,
  args: readonly string[],
): Promise<JsonProcess<Ready>> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, [...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = () => killProcess(child);
  try {
    const lines = createInterface({ input: child.stdout });
    const enough = AbortSignal.any([signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
    const [line] = (await Promise.race([
      once(lines, 'line', { signal: enough }),
      once(child, 'exit', { signal: enough }).then(([code]) => {
        throw new Error(`${args.join(' ')} ended with ${code}`);
      }),
    ])) as [string];
    return { ready: JSON.parse(line) as Ready, kill };
  } catch (error) {
    await kill();
    throw error;
  }
}

export async function killProcess(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
