import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { pollUntil } from '../../test/poll.ts';
import { createTestSealer, readDeliveries, storeTestEndpoint } from '../../test/stored-delivery.ts';
import { storeTestTransfer } from '../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import {
  type Behaviour,
  type ReceiverOptions,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../test/webhook-receiver.ts';
import type { Book } from '../domain/book.ts';
import { createDueWorkFinder } from '../due-work/due-work-finder.ts';
import { createFeedKeeper } from '../events/feed-keeper.ts';
import { placeEvents } from '../events/place-events.ts';
import { isFaultOfOneCommand } from '../postgres/bad-command.ts';
import { createCommitQueue } from '../postgres/commit-queue.ts';
import { expireDeliveryLeases } from '../webhooks/claim-deliveries.ts';
import { createSecret, endpointSecretPurpose } from '../webhooks/endpoint.ts';
import {
  type DeliveryAttempt,
  type RecordedAttempt,
  recordAttempts,
} from '../webhooks/record-attempts.ts';
import { createSafePoster } from '../webhooks/safe-post/post-safely.ts';
import { createHostResolver, isOwnAddress } from '../webhooks/safe-post/resolve-host.ts';
import { createWebhookSender, type WebhookSender } from './webhook-sender.ts';

const TIME_SCALE = 0.001;
const sealer = createTestSealer();
const monotonicMs = () => performance.now();
const now = () => new Date();

let test: TestDatabase;
let book: Book;
let walletId: string;
const open: { stop(): Promise<void> }[] = [];

before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());
beforeEach(async () => {
  await test.database.query({ name: '', text: 'delete from deliveries' });
  book = await createTestBook(test.database);
  walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 100_000n });
});
afterEach(async () => {
  for (const opened of open.splice(0).toReversed()) await opened.stop();
});

type SenderOptions = Readonly<{
  timeoutMs?: number;
  drainMs?: number;
  /** Called before the attempt is recorded: an error thrown here is a crash after the POST. */
  beforeRecord?: () => void;
}>;

function startSender(options: SenderOptions = {}) {
  const { timeoutMs = 2_000, drainMs = 2_000, beforeRecord } = options;
  const leaseOwner = randomUUID();
  const delays: number[] = [];
  const results: string[] = [];
  const groups = createCommitQueue<DeliveryAttempt, RecordedAttempt>({
    ownerOf: ({ delivery }) => delivery.endpointId,
    concurrency: 1,
    groupMax: 256,
    waitingMax: 10_000,
    commit: (group) =>
      recordAttempts({ database: test.database, leaseOwner, now, timeScale: TIME_SCALE }, group),
    mayBeOneCommandsFault: isFaultOfOneCommand,
    monotonicMs,
  });
  const sender = createWebhookSender({
    database: test.database,
    attempts: {
      submit(attempt) {
        beforeRecord?.();
        return groups.submit(attempt);
      },
    },
    poster: createSafePoster({
      resolve: createHostResolver(),
      isOwn: isOwnAddress,
      now,
      monotonicMs,
      timeoutMs,
    }),
    sealer,
    toLoopback: ['test'],
    timeScale: TIME_SCALE,
    random: () => 0.5,
    now,
    monotonicMs,
    leaseOwner,
    drainMs,
    observe: {
      attempted: ({ result }) => results.push(result),
      firstAttempted: ({ delayMs }) => delays.push(delayMs),
    },
    logger: { warn: () => undefined },
  });
  const feed = createFeedKeeper({
    database: test.database,
    onDeliveries: sender.wake,
    logger: { warn: () => undefined },
  });
  const finder = createDueWorkFinder({
    database: test.database,
    loops: { events: feed },
    logger: { warn: () => undefined },
  });
  feed.start();
  finder.start();
  sender.start();
  open.push(sender, feed, finder);
  return { sender, delays, results };
}

async function startReceiver(script?: NonNullable<ReceiverOptions['script']>) {
  const receiver = await startWebhookReceiver(script === undefined ? {} : { script });
  open.push({ stop: receiver.close });
  return receiver;
}

const endpointAt = (receiver: WebhookReceiver, path = '/') =>
  storeTestEndpoint(test.database, { bookId: book.id, url: receiver.url(path), sealer });

/** Stores a transfer, and with it its first event and the deliveries. */
async function storeEvent() {
  const stored = { book, leaseOwner: randomUUID(), walletId };
  const transfer = await storeTestTransfer(test.database, stored);
  await test.database.transaction(placeEvents);
  return transfer;
}

async function statesOf(endpointId: string): Promise<string[]> {
  return (await readDeliveries(test.database, endpointId)).map(({ state }) => state);
}

const allDelivered = (endpointId: string) =>
  pollUntil('all to be delivered', async () =>
    (await statesOf(endpointId)).every((state) => state === 'delivered'),
  );

describe('the webhook sender', () => {
  it('delivers an event, signed, and records it', async () => {
    const receiver = await startReceiver();
    const endpoint = await endpointAt(receiver);
    const { delays, results } = startSender();
    const transfer = await storeEvent();
    await allDelivered(endpoint.id);
    const [got] = receiver.journal;
    assert.ok(got !== undefined);
    const event = new Webhook(endpoint.secret).verify(
      got.body,
      got.headers as Record<string, string>,
    ) as { id: string; type: string; data: { id: string; reference: string } };
    assert.equal(event.type, 'transfer.created');
    assert.equal(event.data.id, transfer.id);
    assert.equal(got.headers['webhook-id'], event.id);
    assert.equal(delays.length, 1);
    await pollUntil('the attempt to be counted', () => results.length === 1);
    assert.deepEqual(results, ['delivered']);
  });

  it('tries again with the same id and the same bytes until it is accepted', async () => {
    const answers: Behaviour[] = [{ status: 500 }, { status: 302 }, 'reset'];
    const receiver = await startReceiver(({ nth }) => answers[nth - 1] ?? { status: 200 });
    const endpoint = await endpointAt(receiver);
    startSender();
    await storeEvent();
    await allDelivered(endpoint.id);
    assert.equal(receiver.journal.length, 4);
    assert.equal(new Set(receiver.journal.map(({ body }) => body)).size, 1);
    assert.equal(new Set(receiver.journal.map(({ headers }) => headers['webhook-id'])).size, 1);
    for (const { body, headers } of receiver.journal) {
      new Webhook(endpoint.secret).verify(body, headers as Record<string, string>);
    }
  });

  it('waits as long as the receiver demands', async () => {
    const busy: Behaviour = { status: 429, headers: { 'retry-after': '1' } };
    const receiver = await startReceiver(({ nth }) => (nth === 1 ? busy : { status: 200 }));
    const endpoint = await endpointAt(receiver);
    startSender();
    await storeEvent();
    await allDelivered(endpoint.id);
    const [first, second] = receiver.journal;
    assert.ok((second?.atMs ?? 0) - (first?.atMs ?? 0) >= 990);
  });

  it('sends once more, with the same bytes, when the process dies before it has recorded', async () => {
    const receiver = await startReceiver();
    const endpoint = await endpointAt(receiver);
    const { sender } = startSender({
      beforeRecord() {
        throw new Error('killed');
      },
    });
    await storeEvent();
    await pollUntil('the POST', () => receiver.journal.length === 1);
    await sender.stop();
    assert.deepEqual(await statesOf(endpoint.id), ['pending']);
    await expireDeliveryLeases(test.database);
    startSender();
    await allDelivered(endpoint.id);
    const [first, second] = receiver.journal;
    assert.equal(second?.body, first?.body);
    assert.equal(second?.headers['webhook-id'], first?.headers['webhook-id']);
  });

  it('signs with both secrets while one is being rotated', async () => {
    const receiver = await startReceiver(({ nth }) => ({ status: nth === 1 ? 500 : 200 }));
    const endpoint = await endpointAt(receiver);
    const fresh = createSecret(randomBytes);
    await test.database.query(
      {
        name: '',
        text: `update webhook_endpoints
               set previous_secret_sealed = secret_sealed, secret_sealed = $2,
                   previous_secret_until = now() + interval '1 hour'
               where id = $1`,
      },
      [endpoint.id, sealer.seal(fresh, endpointSecretPurpose(endpoint))],
    );
    startSender();
    await storeEvent();
    await allDelivered(endpoint.id);
    for (const { body, headers } of receiver.journal) {
      for (const secret of [fresh, endpoint.secret]) {
        new Webhook(secret).verify(body, headers as Record<string, string>);
      }
    }
  });

  it('lets no endpoint wait for another one that hangs', async () => {
    const receiver = await startReceiver(({ path }) =>
      path === '/hangs' ? 'hang' : { status: 200 },
    );
    const hanging = await endpointAt(receiver, '/hangs');
    const quick = await endpointAt(receiver, '/quick');
    startSender({ timeoutMs: 5_000, drainMs: 0 });
    for (let n = 0; n < 40; n += 1) await storeEvent();
    const startedMs = performance.now();
    await allDelivered(quick.id);
    assert.ok(performance.now() - startedMs < 2_500);
    const underWay = receiver.journal.filter(({ path }) => path === '/hangs').length;
    assert.ok(underWay > 0 && underWay <= 8, `${underWay} at once`);
    assert.ok((await statesOf(hanging.id)).every((state) => state === 'pending'));
  });

  it('disables on 410, gives up what waits there, and reports it to the other endpoints', async () => {
    const receiver = await startReceiver(({ path }) => ({ status: path === '/gone' ? 410 : 200 }));
    const gone = await endpointAt(receiver, '/gone');
    const other = await endpointAt(receiver, '/other');
    for (let n = 0; n < 30; n += 1) await storeEvent();
    startSender();
    const failed = async () =>
      (await statesOf(gone.id)).every((state) => state === 'failed' || state === 'delivered');
    await pollUntil('waiting deliveries to be given up', failed);
    await pollUntil('the other endpoint to receive the event', () =>
      receiver.journal.some(
        ({ path, body }) => path === '/other' && body.includes('"webhook.disabled"'),
      ),
    );
    await allDelivered(other.id);
    const tried = receiver.journal.filter(({ path }) => path === '/gone').length;
    assert.ok(tried < 30, `${tried} were sent to an endpoint that is gone`);
  });
});

describe('stopping the webhook sender', () => {
  const idle = (): WebhookSender => startSender().sender;

  it('may be done twice, and before the start', async () => {
    const sender = idle();
    await sender.stop();
    await sender.stop();
    sender.start();
    assert.equal(sender.underWay(), 0);
  });

  it('waits for what is under way, and releases the rest', async () => {
    const receiver = await startReceiver(({ nth }) => (nth === 1 ? 'stall' : { status: 200 }));
    const endpoint = await endpointAt(receiver);
    for (let n = 0; n < 20; n += 1) await storeEvent();
    const { sender } = startSender({ timeoutMs: 600 });
    await pollUntil('POSTs under way', () => receiver.journal.length >= 8);
    await sender.stop();
    const rows = await readDeliveries(test.database, endpoint.id);
    const delivered = rows.filter(({ state }) => state === 'delivered').length;
    assert.equal(delivered, receiver.journal.length, 'each POST is recorded');
    const waiting = rows.filter(({ state }) => state === 'pending');
    assert.ok(waiting.length > 0);
    assert.ok(
      waiting.every(({ leaseOwner, dueInMs }) => leaseOwner === null && (dueInMs ?? 1) <= 0),
    );
  });

  it('does not count a POST that we aborted against the receiver', async () => {
    const receiver = await startReceiver(() => 'hang');
    const endpoint = await endpointAt(receiver);
    await storeEvent();
    const { sender } = startSender({ timeoutMs: 10_000, drainMs: 0 });
    await pollUntil('the POST', () => receiver.journal.length === 1);
    await sender.stop();
    const [row] = await readDeliveries(test.database, endpoint.id);
    assert.deepEqual([row?.state, row?.attempts, row?.leaseOwner], ['pending', 0, null]);
  });
});
