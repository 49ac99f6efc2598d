import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { volume } from '../../../scripts/test-volume.ts';
import type { DemoFile } from '../../src/demo.ts';
import { eventId } from '../../src/events/event-types.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { openEmbeddedPostgres } from '../../src/postgres/embedded/open-embedded-postgres.ts';
import { createDataDir, removeDataDir } from '../data-dir.ts';
import { pollUntil } from '../poll.ts';
import { type RunningService, startService } from '../running-service.ts';
import {
  type Behaviour,
  type Received,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../webhook-receiver.ts';

const TRANSFERS = volume({ usual: 600, full: 1_500 });
const PER_CALL = 100;
const KILLS = volume({ usual: 2, full: 5 });
const RECEIVER_RESTARTS = volume({ usual: 1, full: 2 });
const RECEIVER_DOWN_MS = 1_000;
/** Each keeps one of the endpoint's connections busy for 15 seconds. */
const HANGS_MAX = 12;
/** A delivery that failed this often is accepted the next time: ten failures in a row would exhaust its attempts. */
const FAILURES_PER_EVENT_MAX = 4;
const FAILURE_RATE = 0.3;
const RETRY_MS = 50;
const ENV = { WEBHOOKS_TO_LOOPBACK: '1', WEBHOOK_TIME_SCALE: '0.0005' };

let dataDir: string;
let service: RunningService | undefined;
let receiver: WebhookReceiver;

before(async () => {
  dataDir = await createDataDir();
  receiver = await startWebhookReceiver({ script: createUnreliableScript() });
});
after(async () => {
  await service?.end('SIGKILL');
  await receiver.close();
  await removeDataDir(dataDir);
});

/** Fails three times in ten, in every possible way. */
function createUnreliableScript(): (request: Omit<Received, 'behaviour'>) => Behaviour {
  const failures: Behaviour[] = [
    { status: 500, body: 'out of order' },
    { status: 503, headers: { 'retry-after': '0' } },
    { status: 302, headers: { location: 'http://169.254.169.254/' } },
    'reset',
    'garbage',
  ];
  let requests = 0;
  let hangs = 0;
  return ({ nth }) => {
    requests += 1;
    if (nth > FAILURES_PER_EVENT_MAX) return { status: 200 };
    if (requests % 150 === 0 && hangs < HANGS_MAX) {
      hangs += 1;
      return 'hang';
    }
    if (Math.random() >= FAILURE_RATE) return { status: 204 };
    return failures[requests % failures.length] ?? 'reset';
  };
}

async function restartService(): Promise<RunningService> {
  await service?.end('SIGKILL');
  service = await startService({ dataDir, env: ENV });
  return service;
}

async function post(path: string, key: string, body: object) {
  const response = await fetch(`${service?.baseUrl}/api/v1/payments/${path}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  return { status: response.status, body: (await response.json()) as { data: unknown } };
}

/** Repeats the same call until it is answered, as a merchant should: references make that safe. */
async function payUntilAnswered(key: string, transfers: readonly object[]): Promise<void> {
  for (;;) {
    const answer = await post('transfers/mobile-money/bulk', key, { transfers }).catch(
      () => undefined,
    );
    if (answer?.status === 200) return;
    await pause(RETRY_MS);
  }
}

/** Reads the database directly, whether the service runs or not. */
async function query<R extends Record<string, unknown>>(text: string): Promise<R[]> {
  const say = () => undefined;
  const options = { dataDir, role: 'admin', description: 'kafue test' } as const;
  const server = await openEmbeddedPostgres({ say }, options);
  const database = openDatabase({
    connectionString: server.connectionString,
    applicationName: 'kafue-test',
    connectionsMax: 1,
    onError: say,
  });
  try {
    return await database.query<R>({ name: '', text });
  } finally {
    await database.close();
    await server.close();
  }
}

/** The ids of what was accepted and verified; every request must verify, accepted or not. */
function verifyJournal(secret: string): ReadonlySet<string> {
  const webhook = new Webhook(secret);
  const taken = new Set<string>();
  const bodies = new Map<string, string>();
  for (const { headers, body, behaviour } of receiver.journal) {
    const id = String(headers['webhook-id']);
    webhook.verify(body, headers as Record<string, string>);
    assert.equal(bodies.get(id) ?? body, body, `${id} came with other bytes`);
    bodies.set(id, body);
    if (typeof behaviour === 'object' && behaviour.status < 300) taken.add(id);
  }
  return taken;
}

describe(`${TRANSFERS} transfers, an unreliable receiver, and ${KILLS} times kill -9`, () => {
  it('delivers every event, and every delivery verifies', async (t) => {
    service = await startService({ dataDir, env: ENV });
    const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as DemoFile;
    const created = await post('webhooks', demo.testKey, { url: receiver.url('/hooks') });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    const { secret } = created.body.data as { secret: string };

    const calls = TRANSFERS / PER_CALL;
    for (let call = 0; call < calls; call += 1) {
      const transfers = Array.from({ length: PER_CALL }, (_, n) => ({
        amount: 1,
        reference: `hook-${call}-${n}`,
        phone: '0977433571',
        operator: 'airtel',
        country: 'zm',
        walletId: demo.wallets.test.ZMW,
      }));
      const paid = payUntilAnswered(demo.testKey, transfers);
      await pause(Math.random() * 300);
      if (call % Math.floor(calls / KILLS) === 1) await restartService();
      if (call % Math.floor(calls / RECEIVER_RESTARTS) === 2) {
        await receiver.shut();
        await pause(RECEIVER_DOWN_MS);
        await receiver.open();
      }
      await paid;
    }
    const open = async () => {
      const [row] = await query<{ open: number }>(`
        select (select count(*) from deliveries where state = 'pending')
             + (select count(*) from transfers where state <> 'succeeded') as open`);
      return Number(row?.open);
    };
    await pollUntil('every delivery to come to its end', async () => (await open()) === 0, 150_000);

    const events = await query<{ subject_id: string; seq: number }>(`
      select e.subject_id, e.seq from events e join transfers t on t.id = e.subject_id
      where e.type is not null`);
    const taken = verifyJournal(secret);
    const missing = events
      .map(({ subject_id, seq }) => eventId({ subjectId: subject_id, seq }))
      .filter((id) => !taken.has(id));
    t.diagnostic(`${events.length} events, ${receiver.journal.length} requests`);
    assert.ok(events.length >= 2 * TRANSFERS);
    assert.deepEqual(missing, []);
    const failed = receiver.journal.length - taken.size;
    assert.ok(failed > 0.2 * receiver.journal.length, 'the receiver was too reliable');
    assert.equal(await service?.end('SIGTERM'), 0);
  });
});
