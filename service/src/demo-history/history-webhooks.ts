import type { Book } from '../domain/book.ts';
import type { EventType } from '../events/event-types.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { createEndpoint } from '../webhooks/create-endpoint.ts';
import type { Sealer } from '../webhooks/seal-secret.ts';
import { type DemoActors, SYSTEM } from './demo-actors.ts';
import type { HistoryClock } from './history-clock.ts';
import { type PlannedDelivery, planDelivery, type Receiver } from './plan-delivery.ts';
import type { SeededRandom } from './seeded-random.ts';

const HOUR_MS = 3_600_000;

type PlannedEndpoint = Readonly<{
  /** On this machine, where nothing listens. */
  url: string;
  events: readonly EventType[];
  createdAt: Date;
  receiver: Receiver;
}>;

export type WebhookScene = Readonly<{
  past: HistoryClock;
  random: SeededRandom;
  sealer: Sealer;
  now: Date;
  start: Date;
  /** Since when the second receiver is gone. */
  goneSince: Date;
  book: Book;
  actors: DemoActors;
  /** Whose events they are: transfers, files, recipients, wallets. */
  subjects: readonly string[];
}>;

/**
 * Places all events of the history in the feed, and writes what became of their deliveries. Last of all, because
 * placing events holds the lock of the feed until the transaction ends. Returns how many deliveries there are.
 */
export async function writeWebhooks(scene: WebhookScene): Promise<number> {
  const { past, book, subjects, now } = scene;
  const endpoints: (PlannedEndpoint & { id: string })[] = [];
  for (const planned of planEndpoints(scene)) {
    past.setClock(planned.createdAt);
    const request = {
      actor: scene.actors.owner ?? SYSTEM,
      book,
      url: new URL(planned.url),
      events: planned.events,
    };
    const { endpoint } = await createEndpoint({ ...past, sealer: scene.sealer }, request);
    endpoints.push({ ...planned, id: endpoint.id });
  }
  past.setClock(now);
  // What was placed for endpoints of the user's own: they must not get thousands of POSTs about the past.
  await past.database.query(FORGET, [book.id, subjects]);
  const events = await past.database.query<EventRow>(READ_EVENTS, [book.id, subjects, now]);
  let count = 0;
  for (const endpoint of endpoints) count += await writeDeliveries(scene, endpoint, events);
  return count;
}

function planEndpoints({ start, goneSince, now }: WebhookScene): readonly PlannedEndpoint[] {
  return [
    {
      url: 'http://127.0.0.1:4801/payouts',
      events: [],
      createdAt: new Date(start.getTime() - HOUR_MS),
      receiver: { goneSince: null, brokenFor: 'transfer.reversed' },
    },
    {
      url: 'http://127.0.0.1:4802/accounting',
      events: ['transfer.successful', 'transfer.failed', 'transfer.reversed'],
      createdAt: new Date(now.getTime() - 9 * 24 * HOUR_MS),
      receiver: { goneSince, brokenFor: null },
    },
  ];
}

type EventRow = { subject_id: string; seq: number; type: string; created_at: Date };
type Written = Readonly<{ id: string; event: EventRow; delivery: PlannedDelivery }>;

async function writeDeliveries(
  { past, random, book, now }: WebhookScene,
  endpoint: PlannedEndpoint & Readonly<{ id: string }>,
  events: readonly EventRow[],
): Promise<number> {
  const types: readonly string[] = endpoint.events;
  const written: readonly Written[] = events
    .filter((event) => event.created_at >= endpoint.createdAt)
    .filter(({ type }) => types.length === 0 || types.includes(type))
    .map((event) => ({
      id: past.newId(),
      event,
      delivery: planDelivery(
        random,
        { type: event.type, at: event.created_at },
        { receiver: endpoint.receiver, now },
      ),
    }));
  await insertDeliveries(past.database, { bookId: book.id, endpointId: endpoint.id, written });
  await insertAttempts(past.database, { bookId: book.id, written });
  await past.database.query(FAILING, [book.id, endpoint.id, endpoint.receiver.goneSince]);
  return written.length;
}

async function insertDeliveries(
  tx: Queryable,
  {
    bookId,
    endpointId,
    written,
  }: Readonly<{ bookId: string; endpointId: string; written: readonly Written[] }>,
): Promise<void> {
  await tx.query(INSERT_DELIVERIES, [
    bookId,
    endpointId,
    written.map(({ id }) => id),
    written.map(({ event }) => event.subject_id),
    written.map(({ event }) => event.seq),
    written.map(({ delivery }) => delivery.state),
    written.map(({ delivery }) => delivery.attempts.length),
    written.map(({ delivery }) => delivery.nextAttemptAt),
    written.map(({ event }) => event.created_at),
  ]);
}

async function insertAttempts(
  tx: Queryable,
  { bookId, written }: Readonly<{ bookId: string; written: readonly Written[] }>,
): Promise<void> {
  const attempts = written.flatMap(({ id, delivery }) =>
    delivery.attempts.map((attempt, index) => ({ id, number: index + 1, ...attempt })),
  );
  await tx.query(INSERT_ATTEMPTS, [
    bookId,
    attempts.map(({ id }) => id),
    attempts.map(({ number }) => number),
    attempts.map(({ at }) => at),
    attempts.map(({ elapsedMs }) => elapsedMs),
    attempts.map(({ status }) => status),
    attempts.map(({ error }) => error),
    attempts.map(({ answer }) => answer),
  ]);
}

const FORGET: Statement = {
  name: '',
  text: 'delete from deliveries where book_id = $1 and subject_id = any ($2::uuid[])',
};

// What begins to wait now is for the service: a delivery that was not tried yet would find no receiver.
const READ_EVENTS: Statement = {
  name: '',
  text: `
    select subject_id, seq, type, created_at from events
    where book_id = $1 and subject_id = any ($2::uuid[]) and type is not null
      and created_at < $3
    order by created_at, subject_id, seq`,
};

const INSERT_DELIVERIES: Statement = {
  name: '',
  text: `
    insert into deliveries (
      book_id, endpoint_id, id, subject_id, event_seq, state, attempts, schedule_attempts,
      next_attempt_at, created_at
    )
    select $1, $2, d.id, d.subject_id, d.event_seq, d.state, d.attempts, d.attempts,
           d.next_attempt_at, d.created_at
    from unnest(
      $3::uuid[], $4::uuid[], $5::integer[], $6::text[], $7::integer[], $8::timestamptz[],
      $9::timestamptz[]
    ) as d (id, subject_id, event_seq, state, attempts, next_attempt_at, created_at)`,
};

const INSERT_ATTEMPTS: Statement = {
  name: '',
  text: `
    insert into delivery_attempts (
      book_id, delivery_id, attempt, at, elapsed_ms, status, error, answer
    )
    select $1, a.*
    from unnest(
      $2::uuid[], $3::integer[], $4::timestamptz[], $5::integer[], $6::integer[], $7::text[],
      $8::text[]
    ) as a`,
};

const FAILING: Statement = {
  name: '',
  text: 'update webhook_endpoints set failing_since = $3 where book_id = $1 and id = $2',
};
