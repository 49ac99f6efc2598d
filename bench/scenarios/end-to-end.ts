import { randomBytes } from 'node:crypto';
import { findFreePort } from '../../service/src/postgres/embedded/free-port.ts';
import { withBenchDatabase } from '../database/bench-database.ts';
import { createTarget } from '../database/create-targets.ts';
import { settleLatencies } from '../database/settle-latencies.ts';
import { waitUntilSettled } from '../database/wait-until-settled.ts';
import type { LoadReport } from '../load/load-plan.ts';
import type { Target } from '../load/transfer-request.ts';
import type { Scenario, ScenarioContext, Turn } from '../scenario.ts';
import { type EmulatedOperator, startEmulatedOperator } from '../sides/emulated-operator.ts';
import type { RunningSide } from '../sides/running-side.ts';
import { QUIET, serviceSide } from '../sides/side-spec.ts';
import { startWebhookInbox, type WebhookInbox } from '../sides/webhook-inbox.ts';
import { MANY_CONNECTIONS } from './connections.ts';
import { toTurn } from './load-runner.ts';
import { subscribe } from './subscribe.ts';

/** Of MTN in Zambia; its emulator pays every number. */
const PAID_PHONE = '0961234567';
/**
 * Transfers in one turn, for each second that it may last: more than can be finished, so that the end has little
 * weight.
 */
const TRANSFERS_PER_SECOND = 2_000;
/** Code on so long a path is compiled only after several runs. */
const WARM_UPS = 2;
const SEALING_KEY_BYTES = 32;

/**
 * The whole path of a live transfer: accepted, submitted over HTTP to an operator, called back, inquired about,
 * settled, and delivered to the merchant. The service, PostgreSQL, the operator, the merchant's server and the load are
 * one process each.
 */
export const endToEnd: Scenario = {
  name: 'end-to-end',
  group: 'side by side',
  async open(context) {
    const pipeline = await openPipeline(context);
    return [
      {
        name: 'end-to-end',
        what: 'one wallet, accepted to webhook received; latency: until success',
        connections: MANY_CONNECTIONS,
        async warmUp() {
          for (let n = 0; n < WARM_UPS; n += 1) await runPipeline(context, pipeline);
        },
        run: () => runPipeline(context, pipeline),
      },
    ];
  },
};

type Pipeline = Readonly<{
  side: RunningSide;
  databaseUrl: string;
  operator: EmulatedOperator;
  inbox: WebhookInbox;
  target: Target;
  count: { accepted: number };
}>;

export async function openPipeline(
  context: Pick<ScenarioContext, 'signal' | 'server' | 'side' | 'afterwards'>,
): Promise<Pipeline> {
  const { signal, server } = context;
  const port = await findFreePort();
  const callbackBaseUrl = `http://localhost:${port}`;
  const operator = await startEmulatedOperator({ folder: server.folder, callbackBaseUrl, signal });
  context.afterwards(operator.kill);
  const inbox = await startWebhookInbox(signal);
  context.afterwards(inbox.kill);
  const side = await context.side(
    serviceSide('end-to-end', {
      port,
      env: {
        ...QUIET,
        ROUTES_FILE: operator.routesFile,
        WEBHOOKS_TO_LOOPBACK: 'live',
        WEBHOOK_SECRET_KEYS: `bench:${randomBytes(SEALING_KEY_BYTES).toString('base64')}`,
      },
      settles: true,
    }),
  );
  const { databaseUrl } = side;
  if (databaseUrl === undefined) throw new Error('nothing is settled without a database');
  const target = await withBenchDatabase(databaseUrl, (database) =>
    createTarget(database, { name: 'Live merchant', mode: 'live' }),
  );
  await subscribe(side, { target, url: inbox.url });
  return { side, databaseUrl, operator, inbox, target, count: { accepted: 0 } };
}

type PipelineRun = Pick<ScenarioContext, 'measureMs' | 'signal'> &
  Readonly<{ connections?: number }>;

/** From the first request until the merchant has received the event of the last payment. */
export async function runPipeline(
  { measureMs, signal, connections = MANY_CONNECTIONS }: PipelineRun,
  pipeline: Pipeline,
): Promise<Turn> {
  const { side, operator, inbox, target, count } = pipeline;
  const acceptedIn = ({ statuses }: LoadReport) => statuses['201'] ?? 0;
  const report = await side.measure(
    {
      connections,
      workload: { kind: 'transfers', targets: [target], phone: PAID_PHONE },
      warmUpMs: 0,
      measureMs,
      requestsMax: Math.ceil((TRANSFERS_PER_SECOND * measureMs) / 1_000),
      ratePerSecond: null,
    },
    { done: (load) => inbox.waitFor(count.accepted + acceptedIn(load)) },
  );
  const accepted = acceptedIn(report);
  count.accepted += accepted;
  const { events, latestAtMs } = await inbox.waitFor(count.accepted);
  const latencyMs = await withBenchDatabase(pipeline.databaseUrl, async (database) => {
    await waitUntilSettled({ database, signal });
    return settleLatencies(database, new Date(report.startedAtMs));
  });
  expectAll(count.accepted, {
    'events received': events,
    'payouts executed': await operator.executed(),
  });
  return {
    ...toTurn(report),
    perSecond: (1_000 * accepted) / (latestAtMs - report.startedAtMs),
    latencyMs,
    figures: figuresOf(report, latestAtMs),
  };
}

function figuresOf({ result, endedAtMs }: LoadReport, latestAtMs: number) {
  return { acceptedPerSecond: result.perSecond, lastToldAfterMs: latestAtMs - endedAtMs };
}

function expectAll(accepted: number, found: Readonly<Record<string, number>>): void {
  for (const [what, count] of Object.entries(found)) {
    if (count !== accepted) throw new Error(`${what}: ${count}, but ${accepted} were accepted`);
  }
}
