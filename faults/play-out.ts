import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Found, report } from './checker/violation.ts';
import type { ExchangeDeps } from './clients/exchange.ts';
import { listEverything } from './clients/list-everything.ts';
import { runClient } from './clients/run-client.ts';
import type { Access } from './clients/write-body.ts';
import {
  BANK_READS_FILE,
  type BankRead,
  type ExchangeRecord,
  JOURNALS_FOLDER,
} from './journal/exchange-record.ts';
import { openJournal } from './journal/open-journal.ts';
import type { Plan } from './plan/plan.ts';
import { startFaultProxy } from './proxy/fault-proxy.ts';
import { type InjectedFault, injectFaults } from './target/inject-faults.ts';
import { startBankReader } from './target/read-bank.ts';
import type { ServiceProcess } from './target/service-process.ts';
import { waitUntilQuiet, waitUntilReady } from './target/wait-for-quiet.ts';

const now = (): Date => new Date();

export type PlayOptions = Readonly<{
  plan: Plan;
  folder: string;
  dataDir: string;
  service: ServiceProcess;
  access: Access;
  signal: AbortSignal;
  say: (phase: string) => void;
}>;

export type Played = Readonly<{ violations: Found; faultsDone: number }>;

/** Clients and faults at once; then everything heals, comes to rest, and is listed through the API. */
export async function playOut(options: PlayOptions): Promise<Played> {
  const { plan, folder, dataDir, service, signal, say } = options;
  const proxy = await startFaultProxy({ targetPort: () => service.port() });
  const faultJournal = await openJournal<InjectedFault>(join(folder, 'faults.jsonl'));
  const bankJournal = await openJournal<BankRead>(join(folder, BANK_READS_FILE));
  const reader = startBankReader({ dataDir, journal: bankJournal, now });
  const healed = Promise.withResolvers<void>();
  const violations: Found = [];
  try {
    await mkdir(join(folder, JOURNALS_FOLDER));
    say('breaking');
    const clients = runClients(options, { proxyPort: proxy.port, healed: healed.promise });
    const deps = { service, dataDir, journal: faultJournal, now, signal };
    const faultsDone = await injectFaults(deps, plan.faults);
    say('healing');
    if (!(await waitUntilReady(service, signal))) {
      report(violations, 'I13', {}, 'the service did not come back by itself');
    }
    healed.resolve();
    await clients;
    say('coming to rest');
    // What is still moving then, the checker names one by one.
    await waitUntilQuiet(dataDir, signal);
    await withJournal(options, proxy.port, 'final', (deps) => listEverything(deps, options.access));
    return { violations, faultsDone };
  } finally {
    healed.resolve();
    await reader.stop();
    await proxy.close();
    await Promise.all([faultJournal.close(), bankJournal.close()]);
  }
}

async function runClients(
  options: PlayOptions,
  place: Readonly<{ proxyPort: number; healed: Promise<void> }>,
): Promise<void> {
  const { access, signal, plan } = options;
  await Promise.all(
    plan.clients.map((client) =>
      withJournal(options, place.proxyPort, client.name, (deps) =>
        runClient({ ...deps, access, healed: place.healed, signal }, client),
      ),
    ),
  );
}

async function withJournal(
  { folder }: PlayOptions,
  proxyPort: number,
  name: string,
  work: (deps: ExchangeDeps) => Promise<void>,
): Promise<void> {
  const journal = await openJournal<ExchangeRecord>(join(folder, JOURNALS_FOLDER, `${name}.jsonl`));
  let exchanges = 0;
  const nextExchange = () => (exchanges += 1);
  try {
    await work({ journal, proxyPort, now, nextExchange });
  } finally {
    await journal.close();
  }
}
