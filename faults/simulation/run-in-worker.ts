import { Worker } from 'node:worker_threads';
import type { Extreme } from './extremes.ts';
import type { SeedsToTry } from './find-red.ts';
import type { Progress, SeedRange, Tally } from './simulate-seeds.ts';

export type Job =
  | Readonly<{ kind: 'simulate'; range: SeedRange }>
  | Readonly<{ kind: 'find red'; searches: readonly Search[] }>;

export type Search = SeedsToTry &
  Readonly<{
    /** The name of a planted bug; none when left out. */
    bug?: string;
    extremes?: readonly Extreme[];
  }>;

export type FromWorker =
  | Readonly<{ kind: 'progress'; progress: Progress }>
  | Readonly<{ kind: 'tally'; tally: Tally }>
  /** A seed for each search, in their order; null: none. */
  | Readonly<{ kind: 'red'; seeds: readonly (number | null)[] }>;

type Result<J extends Job> = Extract<
  FromWorker,
  { kind: J['kind'] extends 'simulate' ? 'tally' : 'red' }
>;

/**
 * Runs a job in its own thread, so that several use all cores, and this thread does not slow the simulation down,
 * for example by a test runner that tracks every promise.
 */
export function runInWorker<J extends Job>(
  job: J,
  {
    onProgress,
    signal,
  }: Readonly<{
    onProgress?: (progress: Progress) => void;
    signal?: AbortSignal | undefined;
  }> = {},
): Promise<Result<J>> {
  const worker = new Worker(new URL('./simulation-worker.ts', import.meta.url), {
    workerData: job,
    execArgv: [],
  });
  const stop = (): void => worker.postMessage('stop', []);
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  return new Promise<Result<J>>((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'progress') onProgress?.(message.progress);
      else resolve(message as Result<J>);
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('the worker ended without a result')));
  }).finally(() => signal?.removeEventListener('abort', stop));
}
