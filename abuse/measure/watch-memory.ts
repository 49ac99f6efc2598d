import { readFile } from 'node:fs/promises';

const INTERVAL_MS = 100;
const BYTES_PER_KIB = 1_024;

type MemorySample = Readonly<{ atMs: number; rssBytes: number }>;

export type MemoryMonitor = Readonly<{ samples(): readonly MemorySample[]; stop(): void }>;

/** Reads the resident memory of the service ten times a second; Linux only. */
export function watchMemory(pid: () => number): MemoryMonitor {
  const samples: MemorySample[] = [];
  const sample = async (): Promise<void> => {
    const rssBytes = await readRss(pid());
    if (rssBytes !== undefined) samples.push({ atMs: performance.now(), rssBytes });
  };
  const timer = setInterval(() => void sample(), INTERVAL_MS);
  return { samples: () => samples, stop: () => clearInterval(timer) };
}

/** Undefined if there is no such process, or no /proc. */
export async function readRss(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kib = /VmRSS:\s+(\d+) kB/.exec(status)?.[1];
  return kib === undefined ? undefined : Number(kib) * BYTES_PER_KIB;
}
