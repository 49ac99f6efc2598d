import { causeOf } from '../domain/cause.ts';
import { refuse } from '../domain/refusal.ts';
import type { EventType } from '../events/event-types.ts';
import { placeEvents } from '../events/place-events.ts';
import type { Database, Statement } from '../postgres/database.ts';
import type { Endpoint } from './endpoint.ts';
import { ENDPOINT_COLUMNS, type EndpointRow, toEndpoint } from './endpoint-row.ts';
import { KEEP_VERSION, LOCK_ENDPOINT } from './keep-version.ts';
import type { EndpointKey } from './list-endpoints.ts';

/** Null: unchanged. */
export type EndpointChange = Readonly<{
  url: URL | null;
  events: readonly EventType[] | null;
  status: 'enabled' | 'disabled' | null;
}>;

const DISABLED_BY_MERCHANT = causeOf('DISABLED_BY_MERCHANT');

/**
 * Changes an endpoint. A new URL, or enabling it again, clears earlier failures. Events that committed before the
 * change are delivered by the old settings, later ones by the new.
 */
export async function updateEndpoint(
  database: Database,
  { bookId, id, change }: EndpointKey & Readonly<{ change: EndpointChange }>,
): Promise<Endpoint> {
  const url = change.url?.href ?? null;
  const values = [bookId, id, url, change.events, change.status, DISABLED_BY_MERCHANT];
  const [row] = await database.transaction(async (tx) => {
    // Before the feed's lock: a process that holds that lock must not wait for another.
    const found = await tx.query(LOCK, [bookId, id]);
    if (found.length === 0) throw refuse('WEBHOOK_NOT_FOUND');
    await placeEvents(tx);
    return tx.query<EndpointRow>(UPDATE, values);
  });
  if (row === undefined) throw refuse('WEBHOOK_NOT_FOUND');
  return toEndpoint(row);
}

const LOCK: Statement = {
  name: '',
  text: 'select id from webhook_endpoints where book_id = $1 and id = $2 for update',
};

const UPDATE: Statement = {
  name: '',
  text: `
    with ${LOCK_ENDPOINT},
    ${KEEP_VERSION}
    update webhook_endpoints e
    set url = coalesce($3, e.url),
        events = coalesce($4::text[], e.events),
        status = coalesce($5, e.status),
        disabled_reason = case coalesce($5, e.status)
          when 'disabled' then coalesce(e.disabled_reason, $6)
        end,
        failing_since = case
          when $3 <> e.url or ($5 = 'enabled' and e.status = 'disabled') then null
          else e.failing_since
        end
    from was w
    where e.book_id = w.book_id and e.id = w.id
    returning ${ENDPOINT_COLUMNS}`,
};
