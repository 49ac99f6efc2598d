import { setTimeout as pause } from 'node:timers/promises';
import type {
  AttackRecord,
  LateEndpoint,
  RunFacts,
  WindowRecord,
} from '../journal/exchange-record.ts';
import type { Journal } from '../journal/open-journal.ts';
import type { FaultPlan, Mode, OutagePlan } from '../plan/plan.ts';
import { addEndpoint } from './add-endpoint.ts';
import { forgeCallbacks, repeatCallbacks, sendHugeCallbacks } from './attack-callbacks.ts';
import { keepIdle, sendInvalidRequests } from './attack-clients.ts';
import {
  holdWallet,
  holdWallets,
  killBackend,
  killPostmaster,
  pausePostgres,
  turnDay,
  useUpConnections,
} from './break-database.ts';
import type { Away } from './cell-server.ts';
import { changeRoutes } from './change-routes.ts';
import { failNextSync } from './fail-sync.ts';
import { loseStandby } from './lose-standby.ts';
import { passTime } from './pass-time.ts';
import type { TestSystem } from './test-system.ts';

/**
 * `missed`: there was nothing to break, such as a backend of a server that is down. `skipped`: this machine
 * does not allow the fault.
 */
export type InjectedFault = Readonly<{
  at: string;
  fault: FaultPlan;
  result: 'done' | 'missed' | 'skipped';
}>;

export type InjectDeps = Readonly<{
  system: TestSystem;
  journal: Journal<InjectedFault>;
  attacks: Journal<AttackRecord>;
  windows: Journal<WindowRecord>;
  endpoints: Journal<LateEndpoint>;
  facts: RunFacts;
  keys: Readonly<Record<Mode, string>>;
  now: () => Date;
  signal: AbortSignal;
}>;

/** Injects the planned faults at their times. Resolves to the result of each fault. */
export async function injectFaults(
  deps: InjectDeps,
  faults: readonly FaultPlan[],
): Promise<readonly InjectedFault[]> {
  const startedMs = performance.now();
  return Promise.all(
    faults.map(async (fault) => {
      await pause(fault.atMs - (performance.now() - startedMs));
      const at = deps.now().toISOString();
      const injected = { at, fault, result: await tryOne(deps, fault) };
      await deps.journal.write(injected);
      return injected;
    }),
  );
}

async function tryOne(deps: InjectDeps, fault: FaultPlan): Promise<InjectedFault['result']> {
  if (deps.signal.aborted) return 'missed';
  if (fault.kind === 'fill disk' && !deps.system.database.hasSmallDisk) return 'skipped';
  try {
    if (fault.kind === 'disk error') {
      return await failNextSync(deps.system.database.dataDir, fault.withinMs);
    }
    return (await injectOne(deps, fault)) ? 'done' : 'missed';
  } catch {
    // Another fault made this one impossible.
    return 'missed';
  }
}

type Sure = Exclude<FaultPlan, { kind: 'disk error' }>;

async function injectOne(deps: InjectDeps, fault: Sure): Promise<boolean> {
  const { system } = deps;
  const { database } = system;
  switch (fault.kind) {
    case 'kill service':
    case 'stop service':
    case 'pause service':
    case 'pause service past its leases':
    case 'move clock':
      return breakService(system, fault);
    case 'pause everything':
      return pauseEverything(system, fault.pauseMs);
    case 'kill postmaster':
      return killPostmaster(database.dataDir);
    case 'kill backend':
      return killBackend(database.dataDir, fault.perMille);
    case 'pause postgres':
      return pausePostgres(database.dataDir, fault.pauseMs);
    case 'hold wallets':
      return holdWallets(database.dataDir, fault.holdMs);
    case 'hold wallet':
      return holdOne(deps, fault);
    case 'turn day':
      return turnDay(database.dataDir);
    case 'lose standby':
      return loseStandby({ ...deps, dataDir: database.dataDir }, fault.forMs);
    case 'change routes':
      return changeRoutes(deps, fault);
    case 'create endpoint':
      return addEndpoint(
        { ...deps, books: deps.facts.books },
        { mode: fault.mode, path: pathOf(fault) },
      );
    case 'use up connections':
      return useUpConnections(database.dataDir, fault.holdMs);
    case 'fill disk':
      return database.fillDisk(fault.fullMs);
    case 'database link':
      await database.link?.applyFault(fault.condition, fault.forMs);
      return database.link !== undefined;
    case 'operator link':
    case 'kill operator':
    case 'pause operator':
    case 'operator condition':
      return breakOperator(system, fault);
    case 'kill receiver':
      return system.receiver.kill(fault.downMs);
    case 'repeat callbacks':
      return repeatCallbacks(deps, fault);
    case 'forge callbacks':
      return forgeCallbacks(deps, fault.perMille);
    case 'huge callbacks':
      return sendHugeCallbacks(deps);
    case 'idle clients':
      return keepIdle(deps, fault);
    case 'rude clients':
      return sendInvalidRequests(deps);
    case 'kill cell server':
    case 'pause cell server':
      return (await breakCellServer(system, fault)) !== undefined;
    default: {
      const unhandled: never = fault;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
}

/** Resolves to the time when the second server was away; undefined: it already was, or there is none. */
export async function breakCellServer(
  { cellServer }: TestSystem,
  { kind, awayMs }: OutagePlan,
): Promise<Away> {
  return kind === 'kill cell server' ? cellServer?.kill(awayMs) : cellServer?.pause(awayMs);
}

/** Unique for each endpoint of a run. */
function pathOf({ atMs, mode }: Extract<FaultPlan, { kind: 'create endpoint' }>): string {
  return `/late/${mode}/${atMs}`;
}

async function holdOne(
  { system, facts, windows }: InjectDeps,
  { wallet, holdMs }: Extract<FaultPlan, { kind: 'hold wallet' }>,
): Promise<boolean> {
  const walletId = facts.walletIds[wallet];
  if (walletId === undefined) return false;
  const held = await holdWallet(system.database.dataDir, { walletId, holdMs });
  if (held === undefined) return false;
  const [from, to] = [held.fromMs, held.toMs].map((ms) => new Date(ms).toISOString());
  await windows.write({ kind: 'wallet locked', from: from ?? '', to: to ?? '', walletId });
  return true;
}

async function pauseEverything(system: TestSystem, pauseMs: number): Promise<boolean> {
  const processes = [
    system.receiver,
    ...system.services.map(({ process }) => process),
    ...[...system.operators.values()].map(({ process }) => process),
  ];
  const paused = await Promise.all([
    pausePostgres(system.database.dataDir, pauseMs),
    ...processes.map((process) => process.pause(pauseMs)),
  ]);
  return paused.includes(true);
}

type ServiceFault = Exclude<Extract<FaultPlan, { service: number }>, { kind: 'change routes' }>;

async function breakService(system: TestSystem, fault: ServiceFault): Promise<boolean> {
  const service = system.services[fault.service];
  if (service === undefined) return false;
  switch (fault.kind) {
    case 'kill service': {
      const killed = service.process.kill(fault.downMs);
      // Lets the leases expire, so that the other process can take over the killed one's transfers.
      if (killed && system.services.length > 1) await passTime(system);
      return killed;
    }
    case 'stop service':
      return service.process.terminate();
    case 'pause service':
      return service.process.pause(fault.pauseMs);
    case 'pause service past its leases':
      return service.process.pause(fault.pauseMs, async () => {
        await passTime(system);
        // The other process takes over meanwhile, where there is one.
        await pause(fault.pauseMs);
      });
    case 'move clock':
      await service.clock.moveWallBy(fault.byMs);
      return true;
    default: {
      const unhandled: never = fault;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
}

type OperatorFault = Extract<FaultPlan, { operator: string }>;

async function breakOperator(system: TestSystem, fault: OperatorFault): Promise<boolean> {
  const operator = system.operators.get(fault.operator);
  if (operator === undefined) return false;
  switch (fault.kind) {
    case 'operator link':
      await operator.link.applyFault(fault.condition, fault.forMs);
      return true;
    case 'kill operator':
      return operator.process.kill(fault.downMs);
    case 'pause operator':
      return operator.process.pause(fault.pauseMs);
    case 'operator condition':
      await operator.control('PUT condition', conditionOf(fault.condition));
      await pause(fault.forMs);
      await operator.control('PUT condition', { kind: 'clear' }).catch(() => undefined);
      return true;
    default: {
      const unhandled: never = fault;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
}

/** Multiplied by the operators' time scale; longer than the service's timeout. */
const SLOW_MS = 60_000;

function conditionOf(kind: 'down' | 'hang' | 'slow') {
  return kind === 'slow' ? { kind, delayMs: SLOW_MS } : { kind };
}
