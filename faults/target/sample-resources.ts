import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { ResourceSample } from '../journal/exchange-record.ts';
import type { Journal } from '../journal/open-journal.ts';
import { findPostmaster } from './data-folder.ts';
import { queryOnce } from './query-once.ts';
import type { TestSystem } from './test-system.ts';

const INTERVAL_MS = 400;
const BYTES_PER_KIB = 1_024;

/** Samples the services' resource use repeatedly; reads /proc, so only on Linux. */
export function startSampler(
  deps: Readonly<{ system: TestSystem; journal: Journal<ResourceSample>; now: () => Date }>,
): Readonly<{ stop(): Promise<void> }> {
  let stopping = false;
  async function sampleOn(): Promise<void> {
    while (!stopping) {
      const processes = await Promise.all(
        deps.system.services.map(({ process }, index) => readProcess(index, process.pid())),
      );
      const connections = await readConnections(deps.system.database.dataDir);
      await deps.journal.write({
        at: deps.now().toISOString(),
        processes: processes.flat(),
        connections,
      });
      await pause(INTERVAL_MS);
    }
  }
  const sampling = sampleOn();
  return {
    async stop() {
      stopping = true;
      await sampling;
    },
  };
}

async function readProcess(
  index: number,
  pid: number | undefined,
): Promise<ResourceSample['processes']> {
  if (pid === undefined) return [];
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const rssBytes = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * BYTES_PER_KIB;
    const files = (await readdir(`/proc/${pid}/fd`)).length;
    return [{ name: `service-${index}`, pid, rssBytes, files }];
  } catch {
    return [];
  }
}

async function readConnections(dataDir: string): Promise<ResourceSample['connections']> {
  const postmaster = await findPostmaster(dataDir);
  if (postmaster === undefined) return null;
  const rows = await queryOnce<{ name: string; count: number }>(
    postmaster.databaseUrl,
    CONNECTIONS,
  ).catch(() => undefined);
  return rows === undefined
    ? null
    : Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

const CONNECTIONS = `
  select application_name as name, count(*)::int as count from pg_stat_activity
  where application_name like 'kafue %' group by 1`;
