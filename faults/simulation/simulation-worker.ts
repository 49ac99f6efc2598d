import { parentPort, workerData } from 'node:worker_threads';
import { findFirstRed } from './find-first-red.ts';
import { PLANTED_BUGS } from './planted-bugs.ts';
import type { FromWorker, Job } from './run-in-worker.ts';
import { simulateSeeds } from './simulate-seeds.ts';

const port = parentPort;
if (port === null) throw new Error('this runs as a worker');
const post = (message: FromWorker): void => port.postMessage(message);

let isStopped = false;
port.on('message', () => {
  isStopped = true;
});

async function work(job: Job): Promise<FromWorker> {
  if (job.kind === 'simulate') {
    const onProgress = (progress: { done: number; redSchedules: number }) =>
      post({ kind: 'progress', progress });
    const tally = await simulateSeeds(job.range, { onProgress, isStopped: () => isStopped });
    return { kind: 'tally', tally };
  }
  const bug = PLANTED_BUGS.find(({ name }) => name === job.bug);
  const world = {
    ...(bug === undefined ? {} : { deviation: bug.deviation }),
    ...(job.extremes === undefined ? {} : { extremes: job.extremes }),
  };
  return { kind: 'first red', seed: await findFirstRed(world, job.within) };
}

const job: Job = workerData;
post(await work(job));
port.close();
