import { randomBytes, randomUUID } from 'node:crypto';
import type { Queryable } from '../src/postgres/database.ts';
import { createSecret, endpointSecretPurpose } from '../src/webhooks/endpoint.ts';
import { createSealer, type Sealer } from '../src/webhooks/seal-secret.ts';

/** A sealer with its own key. */
export function createTestSealer(): Sealer {
  return createSealer([{ id: 'test', key: randomBytes(32) }]);
}

export type StoredEndpoint = Readonly<{ bookId: string; id: string; secret: string }>;

/** Stores an enabled endpoint for every type of event. */
export async function storeTestEndpoint(
  database: Queryable,
  endpoint: Readonly<{ bookId: string; url?: string; sealer?: Sealer; failingSince?: Date }>,
): Promise<StoredEndpoint> {
  const { bookId, url = 'https://hooks.example.com/', sealer = createTestSealer() } = endpoint;
  const id = randomUUID();
  const secret = createSecret(randomBytes);
  await database.query(
    {
      name: '',
      text: `
        insert into webhook_endpoints (book_id, id, url, secret_sealed, failing_since, created_at)
        values ($1, $2, $3, $4, $5, now())`,
    },
    [
      bookId,
      id,
      url,
      sealer.seal(secret, endpointSecretPurpose({ bookId, id })),
      endpoint.failingSince ?? null,
    ],
  );
  return { bookId, id, secret };
}

/** Stores deliveries of events that do not exist, due now; the first returned id is due first. */
export async function storeTestDeliveries(
  database: Queryable,
  endpoint: Readonly<{ bookId: string; id: string }>,
  { count, attempts = 0, dueInMs = 0 }: { count: number; attempts?: number; dueInMs?: number },
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    {
      name: '',
      text: `
        insert into deliveries (
          book_id, id, endpoint_id, subject_id, event_seq, attempts, schedule_attempts,
          next_attempt_at, created_at
        )
        select $1, gen_random_uuid(), $2, gen_random_uuid(), 1, $4, $4,
               now() + $5::integer * interval '1 ms' + (n - $3 - 1) * interval '1 ms', now()
        from generate_series(1, $3) n
        order by n
        returning id`,
    },
    [endpoint.bookId, endpoint.id, count, attempts, dueInMs],
  );
  return rows.map(({ id }) => id);
}

export type DeliveryState = Readonly<{
  id: string;
  state: string;
  attempts: number;
  scheduleAttempts: number;
  leaseOwner: string | null;
  dueInMs: number | null;
}>;

export async function readDeliveries(
  database: Queryable,
  endpointId: string,
): Promise<DeliveryState[]> {
  return database.query<DeliveryState>(
    {
      name: '',
      text: `
        select id, state, attempts, schedule_attempts as "scheduleAttempts",
               lease_owner as "leaseOwner",
               (extract(epoch from next_attempt_at - now()) * 1000)::float8 as "dueInMs"
        from deliveries where endpoint_id = $1 order by created_at, id`,
    },
    [endpointId],
  );
}
