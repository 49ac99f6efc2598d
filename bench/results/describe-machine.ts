import { arch, cpus, platform, totalmem } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

const SAMPLE_MS = 400;

export type Machine = Readonly<{
  cores: number;
  cpu: string;
  memoryGib: number;
  platform: string;
  node: string;
  postgres: string;
}>;

export function describeMachine(postgres: string): Machine {
  const cores = cpus();
  return {
    cores: cores.length,
    // Some systems say nothing.
    cpu: cores[0]?.model.trim() || 'unknown',
    memoryGib: Math.round(totalmem() / 2 ** 30),
    platform: `${platform()} ${arch()}`,
    node: process.version,
    postgres,
  };
}

/** The share of all cores that is in use now, while the bench itself is idle. */
export async function othersCpuShare(): Promise<number> {
  const before = readTimes();
  await wait(SAMPLE_MS);
  const after = readTimes();
  const total = after.total - before.total;
  return total === 0 ? 0 : 1 - (after.idle - before.idle) / total;
}

function readTimes(): Readonly<{ idle: number; total: number }> {
  let idle = 0;
  let total = 0;
  for (const { times } of cpus()) {
    idle += times.idle;
    total += times.user + times.nice + times.sys + times.idle + times.irq;
  }
  return { idle, total };
}
