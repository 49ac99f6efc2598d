import { parentPort, workerData } from 'node:worker_threads';
import { findRed } from './find-red.ts';
import { PLANTED_BUGS } from './planted-bugs.ts';
import type { FromWorker, Job, Search } from './run-in-worker.ts';
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
  const seeds: (number | null)[] = [];
  for (const search of job.searches) seeds.push(await searchRed(search));
  return { kind: 'red', seeds };
}

function searchRed({ bug: wanted, extremes, ...seeds }: Search): Promise<number | null> {
  const bug = PLANTED_BUGS.find(({ name }) => name === wanted);
  const world = {
    ...(bug === undefined ? {} : { deviation: bug.deviation }),
    ...(extremes === undefined ? {} : { extremes }),
  };
  return findRed(world, seeds);
}

const job: Job = workerData;
post(await work(job));
port.close();
