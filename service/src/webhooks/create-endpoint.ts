import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { Actor } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import { refuse } from '../domain/refusal.ts';
import type { EventType } from '../events/event-types.ts';
import { placeEvents } from '../events/place-events.ts';
import { lockBook } from '../merchants/lock-book.ts';
import type { Database, Statement } from '../postgres/database.ts';
import { createSecret, ENDPOINTS_MAX, type Endpoint, endpointSecretPurpose } from './endpoint.ts';
import { endpointFacts } from './endpoint-act.ts';
import type { Sealer } from './seal-secret.ts';

export type EndpointDeps = Readonly<{
  database: Database;
  sealer: Sealer;
  now: () => Date;
  newId: () => string;
  randomBytes: (size: number) => Uint8Array;
}>;

/** The only time that the secret is shown. */
export type EndpointWithSecret = Readonly<{ endpoint: Endpoint; secret: string }>;

/**
 * Creates an endpoint. It receives every event that commits after it, including those whose statement had begun before,
 * and none that committed before.
 */
export async function createEndpoint(
  deps: EndpointDeps,
  request: Readonly<{ actor: Actor; book: Book; url: URL; events: readonly EventType[] }>,
): Promise<EndpointWithSecret> {
  const endpoint: Endpoint = {
    bookId: request.book.id,
    id: deps.newId(),
    url: request.url.href,
    events: request.events,
    status: 'enabled',
    disabledReason: null,
    createdAt: deps.now(),
  };
  const secret = createSecret(deps.randomBytes);
  const sealed = deps.sealer.seal(secret, endpointSecretPurpose(endpoint));
  const { bookId, id, url, events, createdAt } = endpoint;
  const { actor, book } = request;
  const isStored = await actAs(deps, actor, async (tx) => {
    await lockBook(tx, bookId);
    await placeEvents(tx);
    const values = [bookId, id, url, events, sealed, createdAt, ENDPOINTS_MAX];
    if ((await tx.query(INSERT, values)).length === 0) return false;
    await recordAct(tx, deps, {
      actor,
      kind: 'WEBHOOK_CREATED',
      subject: id,
      merchantId: book.merchantId,
      bookId,
      reason: null,
      before: null,
      after: endpointFacts(endpoint),
    });
    return true;
  });
  if (isStored) return { endpoint, secret };
  throw refuse('LIMIT_EXCEEDED', {
    message: `A book has at most ${ENDPOINTS_MAX} webhooks. Delete one first. Nothing was stored.`,
  });
}

const INSERT: Statement = {
  name: '',
  text: `
    insert into webhook_endpoints (book_id, id, url, events, secret_sealed, created_at)
    select $1::uuid, $2::uuid, $3, $4::text[], $5::bytea, $6::timestamptz
    where (select count(*) from webhook_endpoints where book_id = $1) < $7::integer
    returning id`,
};
