import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadPlan, LoadReport } from './load-plan.ts';

const PROGRAM = fileURLToPath(new URL('./load-process.ts', import.meta.url));

export type LoadDeps = Readonly<{
  signal: AbortSignal;
  /** Ends the phase early, in good order, when it resolves. */
  enough?: Promise<unknown>;
}>;

/** Makes load from its own process, so that it takes no time from any other event loop. */
export async function runLoad({ signal, enough }: LoadDeps, plan: LoadPlan): Promise<LoadReport> {
  signal.throwIfAborted();
  const child = fork(PROGRAM, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // JSON would lose NaN, such as the percentiles of an empty phase.
    serialization: 'advanced',
  });
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  enough?.then(
    () => child.connected && child.send('enough'),
    () => undefined,
  );
  try {
    return await askFor(child, plan);
  } finally {
    signal.removeEventListener('abort', kill);
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      kill();
      await ended;
    }
  }
}

function askFor(child: ChildProcess, plan: LoadPlan): Promise<LoadReport> {
  return new Promise((resolve, reject) => {
    child.once('message', (message: { report: LoadReport } | { error: string }) => {
      if ('report' in message) resolve(message.report);
      else reject(new Error(`the load broke off: ${message.error}`));
    });
    child.once('exit', (code) => reject(new Error(`the load ended with ${code}`)));
    child.once('error', reject);
    child.send(plan);
  });
}
