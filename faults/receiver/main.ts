/**
 * A merchant's webhook receiver as a separate program, which is its screener too. It writes every delivery to its
 * journal, flushed to disk, before it answers. It misbehaves as the plan says, by the event's id and the number of
 * earlier deliveries.
 *
 *   node faults/receiver/main.ts JOURNAL PORT SEED PLAN-AS-JSON
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type ReceivedRecord, SCREENER_PATH } from '../journal/exchange-record.ts';
import type { ReceiverPlan } from '../plan/plan.ts';

const PER_MILLE = 1_000;
const SLOW_MS = 300;
/** Shorter than the sender's timeout. Otherwise one delivery would last longer than a run. */
const HANG_MS = 3_000;
const BODY_BYTES_MAX = 1024 * 1024;

type Manner = ReceivedRecord['manner'];

async function main([path = '', port = '0', seed = '', planText = '{}']: readonly string[]) {
  const plan = JSON.parse(planText) as ReceiverPlan;
  const seen = await countEarlier(path);
  const journal = await open(path, 'a');
  const server = createServer((request, response) => {
    // An incomplete request is not a delivery.
    receive({ request, response, journal, seen, seed, plan }).catch(() => response.destroy());
  });
  server.listen(Number(port), '127.0.0.1');
  await once(server, 'listening');
  const ready = { ready: (server.address() as AddressInfo).port };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
  process.once('SIGTERM', () => process.exit(0));
}

type Delivery = Readonly<{
  request: IncomingMessage;
  response: ServerResponse;
  journal: FileHandle;
  seen: Map<string, number>;
  seed: string;
  plan: ReceiverPlan;
}>;

async function receive(delivery: Delivery): Promise<void> {
  const { request, response, journal, seen, seed, plan } = delivery;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return void response.destroy();
    chunks.push(chunk);
  }
  const id = headerOf(request, 'webhook-id');
  const nth = (seen.get(id) ?? 0) + 1;
  seen.set(id, nth);
  const manner = chooseManner(plan, `${seed}/${id}/${nth}`);
  const isScreening = request.url === SCREENER_PATH;
  const record: ReceivedRecord = {
    at: new Date().toISOString(),
    path: request.url ?? '',
    id,
    timestamp: headerOf(request, 'webhook-timestamp'),
    signature: headerOf(request, 'webhook-signature'),
    body: Buffer.concat(chunks).toString('utf8'),
    nth,
    manner,
    waitMs: waitOf(plan, { manner, isScreening }),
  };
  await journal.appendFile(`${JSON.stringify(record)}\n`);
  await journal.datasync();
  await behave(response, record, isScreening ? screen(record.body) : '');
}

/** The payout itself says what this screener answers about it. */
function screen(body: string): string {
  const { transfer } = JSON.parse(body) as {
    transfer: { metadata: Readonly<Record<string, string>> | null };
  };
  const word = transfer.metadata?.['screened'];
  return word === 'garbage' ? '<html>' : JSON.stringify({ decision: word });
}

function headerOf(request: IncomingMessage, name: string): string {
  return String(request.headers[name] ?? '');
}

function chooseManner({ http500, slow, hang, reset }: ReceiverPlan, purpose: string): Manner {
  let left = createHash('sha256').update(purpose).digest().readUInt32BE(0) % PER_MILLE;
  for (const [manner, perMille] of [
    ['http500', http500],
    ['slow', slow],
    ['hang', hang],
    ['reset', reset],
  ] as const) {
    left -= perMille;
    if (left < 0) return manner;
  }
  return 'taken';
}

function waitOf(
  plan: ReceiverPlan,
  { manner, isScreening }: Readonly<{ manner: Manner; isScreening: boolean }>,
): number {
  if (manner === 'hang') return HANG_MS;
  if (manner !== 'slow') return 0;
  return isScreening ? (plan.slowScreeningMs ?? SLOW_MS) : SLOW_MS;
}

async function behave(
  response: ServerResponse,
  { manner, waitMs }: Pick<ReceivedRecord, 'manner' | 'waitMs'>,
  answer: string,
): Promise<void> {
  if (manner === 'reset') return void response.socket?.resetAndDestroy();
  if (waitMs > 0) await pause(waitMs);
  if (manner === 'hang') return void response.destroy();
  if (manner === 'http500') return void response.writeHead(500).end();
  response.writeHead(answer === '' ? 204 : 200).end(answer);
}

/** Counts the deliveries of each event in the journal, so that a restart continues the count. */
async function countEarlier(path: string): Promise<Map<string, number>> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const seen = new Map<string, number>();
  for (const line of text.split('\n')) {
    const id = /"id":"([^"]*)"/.exec(line)?.[1];
    if (id !== undefined) seen.set(id, (seen.get(id) ?? 0) + 1);
  }
  return seen;
}

await main(process.argv.slice(2));
