import { setTimeout as pause } from 'node:timers/promises';
import { type Found, report } from './checker/violation.ts';
import type { SteadyClient, SteadyMerchant } from './clients/run-steady.ts';
import type { IdleCall, WindowRecord } from './journal/exchange-record.ts';
import type { Journal } from './journal/open-journal.ts';
import { breakCellServer, type InjectedFault } from './target/inject-faults.ts';
import type { TestSystem } from './target/test-system.ts';
import { waitForCells, waitUntilQuiet } from './target/wait-for-quiet.ts';

/** The first orders after a rest are over in this time. */
const SETTLE_MS = 2_500;
const NORMAL_MS = 3_000;
/** How long to wait until the first payout of the burst is accepted, and again for the group after it. */
const ACCEPTED_WITHIN_MS = 2_000;
const NEXT_GROUP_MS = 150;
/** This long after the server went down more payouts are ordered, which must not wait for it. */
const AFTER_MS = 100;
/** More at once than a route has slots. */
const BURST = 4;
/**
 * The bursts of the second server's cells take slots from all, as they may while it works. Operators answer them within
 * 0.5 s and a scan comes every 0.6 s, so 1.5 s later nothing may wait because of them.
 */
const BURST_OVER_MS = 1_500;
const IDLE_INTERVAL_MS = 50;
const IDLE_TIMEOUT_MS = 10_000;

type MeasureDeps = Readonly<{
  system: TestSystem;
  steady: readonly Readonly<{ merchant: SteadyMerchant; client: SteadyClient }>[];
  faults: Journal<InjectedFault>;
  windows: Journal<WindowRecord>;
  idleCalls: Journal<IdleCall>;
  signal: AbortSignal;
  violations: Found;
}>;

/**
 * Takes the second server down without another fault, and records the window before it and the window of the outage.
 */
export async function measureOutage(deps: MeasureDeps): Promise<readonly InjectedFault[]> {
  const { system, steady, signal } = deps;
  const plan = system.plan.cells?.away ?? null;
  if (plan === null) return [];
  await waitForAllCells(deps);
  // Payouts that earlier faults left in doubt would use slots of the route in only one of the two windows.
  for (const { client } of steady) client.rest();
  await waitUntilQuiet(system, signal);
  for (const { merchant, client } of steady) client.goOn(merchant.isFar ? 'seldom' : 'often');
  const idle = callIdly(deps);
  try {
    await pause(SETTLE_MS, undefined, { signal });
    const from = new Date();
    await pause(NORMAL_MS, undefined, { signal });
    await deps.windows.write(windowOf('nothing broken', from, new Date()));
    // Their operator answers after half a second, so these are with it when the server dies.
    await Promise.race([
      Promise.any(burst(steady)).catch(() => undefined),
      pause(ACCEPTED_WITHIN_MS),
    ]);
    await pause(NEXT_GROUP_MS);
    const breaking = breakCellServer(system, plan);
    const at = new Date();
    await pause(AFTER_MS);
    void Promise.allSettled(burst(steady));
    const endsMs = at.getTime() + plan.awayMs;
    const away = await breaking;
    const result = away === undefined ? 'missed' : 'done';
    const injected = { at: at.toISOString(), fault: plan, result } as const;
    await deps.faults.write(injected);
    if (away !== undefined) {
      const first = new Date(at.getTime() + BURST_OVER_MS);
      // A killed server starts again after the window, because its start takes processor time from all.
      await deps.windows.write(windowOf('server away', first, new Date(endsMs)));
    }
    return [injected];
  } finally {
    await idle.stop();
    await Promise.all(steady.map(({ client }) => client.stop()));
    await waitForAllCells(deps);
  }
}

function burst(steady: MeasureDeps['steady']): readonly Promise<void>[] {
  return steady.flatMap(({ merchant, client }) => (merchant.isFar ? client.burst(BURST) : []));
}

function windowOf(kind: WindowRecord['kind'], from: Date, to: Date): WindowRecord {
  return { kind, from: from.toISOString(), to: to.toISOString(), walletId: null };
}

async function waitForAllCells({ system, signal, violations }: MeasureDeps): Promise<void> {
  for (const { process } of system.services) {
    if (await waitForCells(process.ready, signal)) continue;
    report(violations, 'I13', {}, 'a service did not find a cell again');
  }
}

/** Measures calls that need no cell, which shows how busy the machine is. */
function callIdly({ system, idleCalls }: MeasureDeps): Readonly<{ stop(): Promise<void> }> {
  let isStopping = false;
  async function callOn(): Promise<void> {
    while (!isStopping) {
      const at = new Date().toISOString();
      const startedMs = performance.now();
      await fetch(`http://127.0.0.1:${system.servicePort()}/health/live`, {
        signal: AbortSignal.timeout(IDLE_TIMEOUT_MS),
      })
        .then((response) => response.arrayBuffer())
        .catch(() => undefined);
      await idleCalls.write({ at, ms: Math.round(performance.now() - startedMs) });
      await pause(IDLE_INTERVAL_MS);
    }
  }
  const calling = callOn();
  return {
    async stop() {
      isStopping = true;
      await calling;
    },
  };
}
