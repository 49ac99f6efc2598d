import { setTimeout as pause } from 'node:timers/promises';
import type { Journal } from '../journal/open-journal.ts';
import type { FaultPlan } from '../plan/plan.ts';
import { findPostmaster } from './data-folder.ts';
import { queryOnce } from './query-once.ts';
import type { ServiceProcess } from './service-process.ts';

const PER_MILLE = 1_000;

/** Missed: there was nothing to break just then, such as a backend of a server that is down. */
export type InjectedFault = Readonly<{ at: string; fault: FaultPlan; result: 'done' | 'missed' }>;

export type InjectDeps = Readonly<{
  service: ServiceProcess;
  dataDir: string;
  journal: Journal<InjectedFault>;
  now: () => Date;
  signal: AbortSignal;
}>;

/** Breaks what the plan says, when it says so. Resolves to how many faults were done. */
export async function injectFaults(
  deps: InjectDeps,
  faults: readonly FaultPlan[],
): Promise<number> {
  const startedMs = deps.now().getTime();
  const results = await Promise.all(
    faults.map(async (fault) => {
      await pause(fault.atMs - (deps.now().getTime() - startedMs));
      if (deps.signal.aborted) return false;
      const at = deps.now().toISOString();
      const done = await injectOne(deps, fault);
      await deps.journal.write({ at, fault, result: done ? 'done' : 'missed' });
      return done;
    }),
  );
  return results.filter(Boolean).length;
}

async function injectOne(deps: InjectDeps, fault: FaultPlan): Promise<boolean> {
  switch (fault.kind) {
    case 'kill service':
      return deps.service.kill(fault.downMs);
    case 'pause service':
      return deps.service.pause(fault.pauseMs);
    case 'kill postmaster': {
      const postmaster = await findPostmaster(deps.dataDir);
      return postmaster !== undefined && killHard(postmaster.pid);
    }
    case 'kill backend':
      return killBackend(deps, fault.perMille);
    default: {
      const unhandled: never = fault;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
}

/** One of the service's connections dies; PostgreSQL then restarts all of itself. */
async function killBackend({ dataDir }: InjectDeps, perMille: number): Promise<boolean> {
  const postmaster = await findPostmaster(dataDir);
  if (postmaster === undefined) return false;
  const backends = await queryOnce<{ pid: number }>(postmaster.databaseUrl, BACKENDS).catch(
    () => [],
  );
  const chosen = backends[Math.floor((backends.length * perMille) / PER_MILLE)];
  return chosen !== undefined && killHard(chosen.pid);
}

function killHard(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

const BACKENDS = `
  select pid from pg_stat_activity
  where datname = current_database() and application_name like 'kafue %'
  order by backend_start, pid`;
