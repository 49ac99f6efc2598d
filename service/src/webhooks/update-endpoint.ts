import type { ActDeps } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import { causeOf } from '../domain/cause.ts';
import { refuse } from '../domain/refusal.ts';
import type { EventType } from '../events/event-types.ts';
import { placeEvents } from '../events/place-events.ts';
import type { Database, Statement } from '../postgres/database.ts';
import type { Endpoint } from './endpoint.ts';
import { endpointFacts, type WebhookActor } from './endpoint-act.ts';
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
  deps: ActDeps & Readonly<{ database: Database }>,
  {
    actor,
    merchantId,
    bookId,
    id,
    change,
  }: EndpointKey & WebhookActor & Readonly<{ change: EndpointChange }>,
): Promise<Endpoint> {
  const url = change.url?.href ?? null;
  const values = [bookId, id, url, change.events, change.status, DISABLED_BY_MERCHANT];
  return actAs(deps, actor, async (tx) => {
    // Before the feed's lock: a process that holds that lock must not wait for another.
    const [before] = await tx.query<EndpointRow>(LOCK, [bookId, id]);
    if (before === undefined) throw refuse('WEBHOOK_NOT_FOUND');
    await placeEvents(tx);
    const [row] = await tx.query<EndpointRow>(UPDATE, values);
    if (row === undefined) throw refuse('WEBHOOK_NOT_FOUND');
    const endpoint = toEndpoint(row);
    await recordAct(tx, deps, {
      actor,
      kind: 'WEBHOOK_CHANGED',
      subject: id,
      merchantId,
      bookId,
      reason: null,
      before: endpointFacts(toEndpoint(before)),
      after: endpointFacts(endpoint),
    });
    return endpoint;
  });
}

const LOCK: Statement = {
  name: '',
  text: `
    select ${ENDPOINT_COLUMNS} from webhook_endpoints e
    where e.book_id = $1 and e.id = $2
    for update`,
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
