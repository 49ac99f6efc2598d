import { parseArgs } from 'node:util';
import { EXIT_INTERRUPTED, stopOnSignal } from '../scripts/stop-on-signal.ts';
import { encodeCursor } from '../service/src/http/merchant-api/read-page.ts';
import { openBenchServer, withBenchDatabase } from './database/bench-database.ts';
import { createTargets } from './database/create-targets.ts';
import { type PastTransfer, samplePast } from './database/sample-past.ts';
import { median } from './load/latencies.ts';
import type { LoadReport, Workload } from './load/load-plan.ts';
import { PAYING_PHONE, type Target, WAITING_PHONE } from './load/transfer-request.ts';
import type { Turn } from './scenario.ts';
import { MANY_CONNECTIONS } from './scenarios/connections.ts';
import { loadRunner, toTurn } from './scenarios/load-runner.ts';
import { subscribe } from './scenarios/subscribe.ts';
import { type RunningSide, startSide } from './sides/running-side.ts';
import { SETTLING, WAITING } from './sides/side-spec.ts';
import { startWebhookInbox, type WebhookInbox } from './sides/webhook-inbox.ts';

/**
 * Measures what history costs: the same load, alternately, for a service without a past and for one with millions of
 * finished transfers. What costs the second more CPU time grows with history.
 *
 *     node scripts/run.mjs bench/measure-growth.ts [--transfers 20000000] [--rounds 5] [--seconds 2]
 *
 * 20,000,000 transfers need about 60 GB below TMPDIR, and an hour to be loaded.
 */
const { values } = parseArgs({
  options: {
    transfers: { type: 'string', default: '20000000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
  },
});

const WALLETS = 1_000;
const READERS = 64;
const API = '/api/v1/payments';
const NAMES = ['young', 'grown'] as const;

const historyPerWallet = Math.ceil(Number(values.transfers) / WALLETS);
const rounds = Number(values.rounds);
const measureMs = 1_000 * Number(values.seconds);
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const signal = stopOnSignal(say, EXIT_INTERRUPTED);

type Subject = Readonly<{
  name: (typeof NAMES)[number];
  side: RunningSide;
  inbox: WebhookInbox;
  /** Events that the first merchant must have received by now. */
  expected: { events: number };
}>;

type Measure = (subject: Subject) => Promise<Turn>;

const server = await openBenchServer({ say: () => undefined });
const tidyUps: (() => Promise<void>)[] = [];
try {
  const targets = await server.prepare((database) => createTargets({ database, signal }, WALLETS));
  const [first, ...others] = targets;
  if (first === undefined) throw new Error('no merchant was made');
  const subjects: Subject[] = [];
  for (const name of NAMES) subjects.push(await open(name, first));

  say('settling some transfers of the other merchants');
  for (const { side } of subjects) {
    await side.measure(loadOf({ kind: 'transfers', targets: others, phone: PAYING_PHONE }));
  }
  await measureAll('accepted, paid and delivered by webhook', async ({ side, inbox, expected }) => {
    const acceptedIn = ({ statuses }: LoadReport) => statuses['201'] ?? 0;
    const report = await side.measure(
      loadOf({ kind: 'transfers', targets: [first], phone: PAYING_PHONE }),
      {
        done: (load) => {
          expected.events += acceptedIn(load);
          return inbox.waitFor(expected.events);
        },
      },
    );
    return toTurn(report);
  });

  const keys = new Map(targets.map(({ walletId, apiKey }) => [walletId, apiKey]));
  const samples = new Map<string, readonly PastTransfer[]>();
  for (const { name, side } of subjects) {
    const { databaseUrl = '' } = side;
    samples.set(name, await withBenchDatabase(databaseUrl, samplePast));
  }
  const lookUp = (pathOf: (past: PastTransfer) => string): Measure => {
    return ({ name, side }) => {
      const lookups = (samples.get(name) ?? []).map((past) => {
        return { apiKey: keys.get(past.walletId) ?? '', path: `${API}/${pathOf(past)}` };
      });
      const workload = { kind: 'lookups', lookups } as const;
      return loadRunner({ measureMs }, runnerOf(side, READERS, workload)).run();
    };
  };
  await measureAll(
    'read by reference',
    lookUp(({ reference }) => `transfers/status/${reference}`),
  );
  await measureAll(
    'a page of the list, from anywhere',
    lookUp(({ id }) => `transfers?limit=50&cursor=${encodeCursor('transfers', id)}`),
  );
  await measureAll(
    'a page of the events, from anywhere',
    lookUp(({ batch }) => `events?limit=50&cursor=${encodeCursor('events', `${batch}.0`)}`),
  );

  // Restarted with an operator that is down, so that only acceptance is measured.
  for (const { side } of subjects) await side.restart(WAITING);
  await measureAll('accepted', ({ side }) => {
    const workload = { kind: 'transfers', targets, phone: WAITING_PHONE } as const;
    return loadRunner({ measureMs }, runnerOf(side, MANY_CONNECTIONS, workload)).run();
  });

  async function open(name: Subject['name'], target: Target): Promise<Subject> {
    const inbox = await startWebhookInbox(signal);
    tidyUps.push(inbox.kill);
    const side = await startSide(
      { server, walletsTotal: WALLETS, signal, say },
      {
        ...SETTLING,
        name,
        env: { ...SETTLING.env, WEBHOOKS_TO_LOOPBACK: '1' },
        historyPerWallet: name === 'grown' ? historyPerWallet : 0,
        hasWholeHistory: true,
      },
    );
    tidyUps.push(side.end);
    await subscribe(side, { target, url: inbox.url });
    return { name, side, inbox, expected: { events: 0 } };
  }

  /** A first round warms up and does not count. */
  async function measureAll(what: string, measure: Measure): Promise<void> {
    const turns = { young: [] as Turn[], grown: [] as Turn[] };
    for (let round = 0; round <= rounds; round += 1) {
      for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
        const turn = await measure(subject);
        if (round > 0) turns[subject.name].push(turn);
      }
    }
    process.stdout.write(`${what}\n`);
    for (const name of NAMES) process.stdout.write(`  ${name}  ${describe(turns[name])}\n`);
    const ratio = cpuUsOf(turns.grown) / cpuUsOf(turns.young);
    process.stdout.write(`  grown ÷ young, by CPU time: ${ratio.toFixed(2)}\n`);
  }
} finally {
  for (const tidyUp of tidyUps.toReversed()) await tidyUp();
  await server.close();
}

function loadOf(workload: Workload) {
  const load = { workload, measureMs, ratePerSecond: null };
  return { ...load, connections: MANY_CONNECTIONS, warmUpMs: 0 };
}

function runnerOf(side: RunningSide, connections: number, workload: Workload) {
  return { name: '', what: '', side, connections, workload, isPaced: false };
}

function describe(turns: readonly Turn[]): string {
  const middle = (pick: (turn: Turn) => number) => median(turns.map(pick)).toFixed(0);
  return (
    `service ${middle(({ cost }) => cost?.serverUs ?? Number.NaN)} µs, ` +
    `PostgreSQL ${middle(({ cost }) => cost?.postgresUs ?? Number.NaN)} µs, ` +
    `${middle(({ perSecond }) => perSecond)}/s, p50 ${median(turns.map(({ latencyMs }) => latencyMs.p50)).toFixed(2)} ms`
  );
}

function cpuUsOf(turns: readonly Turn[]): number {
  return median(turns.map(({ cost }) => (cost?.serverUs ?? 0) + (cost?.postgresUs ?? 0)));
}
