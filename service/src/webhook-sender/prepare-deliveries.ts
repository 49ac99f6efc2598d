import { eventKey } from '../events/recorded-event.ts';
import type { Queryable } from '../postgres/database.ts';
import { type RenderedEvent, renderEvents } from '../views/render-event.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  DELIVERY_LEASE_MS,
  releaseDeliveries,
} from '../webhooks/claim-deliveries.ts';
import { POST_TIMEOUT_MS } from '../webhooks/safe-post/post-safely.ts';
import type { PreparedDelivery } from './deliver.ts';

/** Time for recording the attempt, after the POST and before the lease ends. */
const LEASE_MARGIN_MS = 15_000;

export type PreparedDeliveries = Readonly<{
  prepared: readonly PreparedDelivery[];
  /** Deliveries whose endpoint is disabled or deleted, by endpoint. */
  nowhere: Iterable<readonly ClaimedDelivery[]>;
  nextEndpoint: string;
}>;

/** Claims what is due and reads the events: two statements for many deliveries. */
export async function prepareDeliveries(
  { database, monotonicMs }: Readonly<{ database: Queryable; monotonicMs: () => number }>,
  claim: Parameters<typeof claimDeliveries>[1],
): Promise<PreparedDeliveries> {
  // Taken before the claim: the lease cannot have begun earlier.
  const beginBeforeMs = monotonicMs() + DELIVERY_LEASE_MS - POST_TIMEOUT_MS - LEASE_MARGIN_MS;
  const { deliveries, nextEndpoint } = await claimDeliveries(database, claim);
  const reachable = deliveries.filter(({ endpoint }) => endpoint !== undefined);
  const nowhere = deliveries.filter(({ endpoint }) => endpoint === undefined);
  const events = await readEvents(database, reachable).catch(async (error: unknown) => {
    await releaseDeliveries(database, { leaseOwner: claim.leaseOwner, deliveries });
    throw error;
  });
  return {
    prepared: reachable.map((delivery) => ({
      delivery,
      event: events.get(eventKey(keyOf(delivery))),
      beginBeforeMs,
    })),
    nowhere: Map.groupBy(nowhere, ({ endpointId }) => endpointId).values(),
    nextEndpoint,
  };
}

function readEvents(
  database: Queryable,
  deliveries: readonly ClaimedDelivery[],
): Promise<ReadonlyMap<string, RenderedEvent>> {
  return renderEvents(database, deliveries.map(keyOf));
}

function keyOf({ bookId, subjectId, eventSeq }: ClaimedDelivery) {
  return { bookId, subjectId, seq: eventSeq };
}
