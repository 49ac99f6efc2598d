import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Found, report } from './checker/violation.ts';
import { createBarrier } from './clients/barrier.ts';
import type { ControlAccess } from './clients/controls/control-access.ts';
import { decideAll, runControls } from './clients/controls/run-controls.ts';
import type { ExchangeDeps } from './clients/exchange.ts';
import { listEverything } from './clients/list-everything.ts';
import { probeTenancy } from './clients/probe-tenancy.ts';
import { startFeedReader } from './clients/read-feed.ts';
import { runClient } from './clients/run-client.ts';
import type { SteadyMerchant } from './clients/run-steady.ts';
import type { Access } from './clients/write-body.ts';
import {
  ATTACKS_FILE,
  type AttackRecord,
  BANK_READS_FILE,
  type BankRead,
  CONTROLS_FOLDER,
  type ExchangeRecord,
  IDLE_CALLS_FILE,
  type IdleCall,
  JOURNALS_FOLDER,
  LATE_ENDPOINTS_FILE,
  type LateEndpoint,
  type ResourceSample,
  type RunFacts,
  SAMPLES_FILE,
  STEADY_FOLDER,
  TENANCY_FILE,
  type TenancyProbe,
  WINDOWS_FILE,
  type WindowRecord,
} from './journal/exchange-record.ts';
import { type Journal, openJournal } from './journal/open-journal.ts';
import { keepMetrics, keepPublicEvents, keepRequests } from './keep-evidence.ts';
import { measureOutage } from './measure-outage.ts';
import { startFaultProxy } from './proxy/fault-proxy.ts';
import { startAllSteady } from './start-all-steady.ts';
import { findCellUrls } from './target/cell-urls.ts';
import { type InjectedFault, injectFaults } from './target/inject-faults.ts';
import { passTime } from './target/pass-time.ts';
import { startBankReader } from './target/read-bank.ts';
import { startResumer } from './target/resume-stopped.ts';
import { startSampler } from './target/sample-resources.ts';
import type { TestSystem } from './target/test-system.ts';
import { pollUntil, waitUntilQuiet, waitUntilReady } from './target/wait-for-quiet.ts';

const HEAL_TIMEOUT_MS = 240_000;

/** What people approve may be late, and wait for them once more. */
const PASSES_MAX = 3;

const now = (): Date => new Date();

export type WorkloadOptions = Readonly<{
  system: TestSystem;
  access: Access;
  /** Null: no merchant has a policy. */
  controlAccess: ControlAccess | null;
  /** Merchants that order payouts in each cell. With one cell there are none. */
  steady: readonly SteadyMerchant[];
  facts: RunFacts;
  signal: AbortSignal;
  say: (phase: string) => void;
}>;

export type WorkloadResult = Readonly<{ violations: Found; faults: readonly InjectedFault[] }>;

/** Runs clients and faults at once; then ends the faults, waits until nothing changes, and lists all transfers. */
export async function runWorkload(options: WorkloadOptions): Promise<WorkloadResult> {
  const { folder } = options.system;
  await mkdir(join(folder, JOURNALS_FOLDER));
  await mkdir(join(folder, CONTROLS_FOLDER));
  await mkdir(join(folder, STEADY_FOLDER));
  const journals: Journal<never>[] = [];
  const open = async <Line>(file: string): Promise<Journal<Line>> => {
    const journal = await openJournal<Line>(join(folder, file));
    journals.push(journal);
    return journal;
  };
  const bankJournal = await open<BankRead>(BANK_READS_FILE);
  const sampleJournal = await open<ResourceSample>(SAMPLES_FILE);
  // Each server has a reader: one that does not answer holds up no other.
  const readers = [false, true].map((isFar) =>
    startBankReader({
      findUrls: () => findCellUrls(options.system, (cell) => cell.isFar === isFar),
      journal: bankJournal,
      now,
    }),
  );
  const sampler = startSampler({ system: options.system, journal: sampleJournal, now });
  const resumer = startResumer(options.system);
  const proxy = await startFaultProxy({ targetPort: options.system.servicePort });
  try {
    return await runWith(options, {
      proxyPort: proxy.port,
      faults: await open<InjectedFault>('faults.jsonl'),
      attacks: await open<AttackRecord>(ATTACKS_FILE),
      tenancy: await open<TenancyProbe>(TENANCY_FILE),
      windows: await open<WindowRecord>(WINDOWS_FILE),
      endpoints: await open<LateEndpoint>(LATE_ENDPOINTS_FILE),
      idleCalls: await open<IdleCall>(IDLE_CALLS_FILE),
    });
  } finally {
    await Promise.all([...readers, sampler, resumer].map((one) => one.stop()));
    await proxy.close();
    await Promise.all(journals.map((journal) => journal.close()));
  }
}

type Equipment = Readonly<{
  proxyPort: number;
  faults: Journal<InjectedFault>;
  attacks: Journal<AttackRecord>;
  tenancy: Journal<TenancyProbe>;
  windows: Journal<WindowRecord>;
  endpoints: Journal<LateEndpoint>;
  idleCalls: Journal<IdleCall>;
}>;

async function runWith(options: WorkloadOptions, equipment: Equipment): Promise<WorkloadResult> {
  const { system, access, signal, say, facts } = options;
  const { proxyPort, attacks, windows, endpoints } = equipment;
  const healed = Promise.withResolvers<void>();
  const rested = Promise.withResolvers<void>();
  const violations: Found = [];
  const steady = await startAllSteady(options, { proxyPort, now });
  try {
    say('breaking');
    const clients = runClients(options, { proxyPort, healed: healed.promise });
    const controls = runControlled(options, { proxyPort, healed: healed.promise });
    const feeds = readFeeds(options, { proxyPort, rested: rested.promise });
    const { keys } = access;
    const journals = { journal: equipment.faults, attacks, windows, endpoints };
    const deps = { system, ...journals, facts, keys, now, signal };
    const faults = await injectFaults(deps, system.plan.faults);
    say('healing');
    await heal(system, signal, violations);
    healed.resolve();
    await Promise.all([clients, controls]);
    say('losing the second server');
    if (system.cellServer !== undefined) await restartArmed(system, signal, violations);
    const { idleCalls, faults: journal } = equipment;
    const measuring = { system, steady, faults: journal, windows, idleCalls, signal, violations };
    const away = await measureOutage(measuring);
    say('waiting until nothing changes');
    await comeToRest(system, signal, violations);
    for (let pass = 1; pass <= PASSES_MAX; pass += 1) {
      if ((await decideRest(options, { proxyPort, pass })) === 0) break;
      await comeToRest(system, signal, violations);
    }
    await restartArmed(system, signal, violations);
    say('looking');
    await keepPublicEvents(system);
    await keepRequests(system);
    rested.resolve();
    await feeds;
    await withJournal(options, proxyPort, 'final', (final) => listEverything(final, access));
    const prober = { port: system.servicePort, journal: equipment.tenancy };
    await probeTenancy(prober, access, facts.endpoints);
    await keepMetrics(system);
    return { violations, faults: [...faults, ...away] };
  } finally {
    healed.resolve();
    rested.resolve();
    await Promise.all(steady.map(({ client, journal }) => client.stop().then(journal.close)));
  }
}

/** One reader per book, from the first event to the last. */
async function readFeeds(
  options: WorkloadOptions,
  place: Readonly<{ proxyPort: number; rested: Promise<void> }>,
): Promise<void> {
  const { access, signal } = options;
  await Promise.all(
    (['test', 'live'] as const).map((mode) =>
      withJournal(options, place.proxyPort, `feed-${mode}`, async (deps) => {
        const reader = startFeedReader(deps, { access, mode, signal });
        await place.rested;
        await reader.finish();
      }),
    ),
  );
}

async function heal(system: TestSystem, signal: AbortSignal, violations: Found): Promise<void> {
  system.disarm();
  await agreeOnTime(system);
  const others = [system.receiver, ...[...system.operators.values()].map(({ process }) => process)];
  await pollUntil(signal, HEAL_TIMEOUT_MS, async () =>
    others.every(({ ready }) => ready() !== undefined),
  );
  await waitForServices(system, signal, violations);
}

async function waitForServices(
  system: TestSystem,
  signal: AbortSignal,
  found: Found,
): Promise<void> {
  for (const { process } of system.services) {
    if (await waitUntilReady(process.ready, signal)) continue;
    report(found, 'I13', {}, 'the service did not recover by itself');
  }
}

/** Restarts processes that still have failpoints, so that they do not die during the final reads. */
async function restartArmed(
  system: TestSystem,
  signal: AbortSignal,
  violations: Found,
): Promise<void> {
  if (system.plan.system.failpoints === null) return;
  await Promise.all(system.services.map(({ process }) => process.terminate()));
  await waitForServices(system, signal, violations);
}

/**
 * Sets all clocks to the latest of them: the sandbox decides by the age of a payout, and a payout created in
 * the future would not progress until then.
 */
async function agreeOnTime({ services }: TestSystem): Promise<void> {
  const latestMs = Math.max(...services.map(({ clock }) => clock.latestMs()));
  await Promise.all(services.map(({ clock }) => clock.moveWallTo(latestMs)));
}

/** Waits until nothing changes. The checker reports each transfer that still changes afterwards. */
async function comeToRest(
  system: TestSystem,
  signal: AbortSignal,
  violations: Found,
): Promise<void> {
  for (const operator of system.operators.values()) {
    // An operator that does not answer here would not answer the service either.
    await operator.control('POST flush').catch((error: unknown) => {
      report(violations, 'evidence', {}, `${operator.plan.name} does not answer`, {
        error: String(error),
      });
    });
  }
  await passTime(system);
  await waitUntilQuiet(system, signal);
}

async function runClients(
  options: WorkloadOptions,
  place: Readonly<{ proxyPort: number; healed: Promise<void> }>,
): Promise<void> {
  const { access, signal, system } = options;
  const waitForPartner = createBarrier();
  await Promise.all(
    system.plan.clients.map((client) =>
      withJournal(options, place.proxyPort, client.name, (deps) =>
        runClient({ ...deps, access, healed: place.healed, signal, waitForPartner }, client),
      ),
    ),
  );
}

/** The merchant with a policy. Its journal is apart: the checks of plain orders do not know approvals. */
async function runControlled(
  options: WorkloadOptions,
  { proxyPort, healed }: Readonly<{ proxyPort: number; healed: Promise<void> }>,
): Promise<void> {
  const { controlAccess: access, signal, system } = options;
  const plan = system.plan.controls;
  if (access === null || plan === null) return;
  await withJournal(
    options,
    proxyPort,
    'controls',
    (deps) => runControls({ ...deps, access, healed, signal }, plan),
    CONTROLS_FOLDER,
  );
}

/** What came to wait for people only now, because it was late or its screener did not answer. Returns how many. */
async function decideRest(
  options: WorkloadOptions,
  { proxyPort, pass }: Readonly<{ proxyPort: number; pass: number }>,
): Promise<number> {
  const { controlAccess: access, signal, system } = options;
  const plan = system.plan.controls;
  if (access === null || plan === null) return 0;
  let decided = 0;
  const decide = async (deps: ExchangeDeps) => {
    const healed = Promise.resolve();
    decided = await decideAll({ ...deps, access, healed, signal }, plan.lastDeciders);
  };
  await withJournal(options, proxyPort, `controls-${pass}`, decide, CONTROLS_FOLDER);
  return decided;
}

async function withJournal(
  { system }: WorkloadOptions,
  proxyPort: number,
  name: string,
  work: (deps: ExchangeDeps) => Promise<void>,
  folder = JOURNALS_FOLDER,
): Promise<void> {
  const path = join(system.folder, folder, `${name}.jsonl`);
  const journal = await openJournal<ExchangeRecord>(path);
  let exchanges = 0;
  const nextExchange = () => (exchanges += 1);
  try {
    await work({ journal, proxyPort, now, nextExchange });
  } finally {
    await journal.close();
  }
}
