import type { ActDeps } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import { refuse } from '../domain/refusal.ts';
import type { Database, Statement } from '../postgres/database.ts';
import { endpointFacts, type WebhookActor } from './endpoint-act.ts';
import { ENDPOINT_COLUMNS, type EndpointRow, toEndpoint } from './endpoint-row.ts';
import { KEEP_VERSION, LOCK_ENDPOINT } from './keep-version.ts';
import type { EndpointKey } from './list-endpoints.ts';

/** Deliveries that still wait for it cannot be sent any more, and the sender gives them up. */
export async function deleteEndpoint(
  deps: ActDeps & Readonly<{ database: Database }>,
  { actor, merchantId, bookId, id }: EndpointKey & WebhookActor,
): Promise<void> {
  await actAs(deps, actor, async (tx) => {
    const [row] = await tx.query<EndpointRow>(DELETE, [bookId, id]);
    if (row === undefined) throw refuse('WEBHOOK_NOT_FOUND');
    await recordAct(tx, deps, {
      actor,
      kind: 'WEBHOOK_DELETED',
      subject: id,
      merchantId,
      bookId,
      reason: null,
      before: endpointFacts(toEndpoint(row)),
      after: null,
    });
  });
}

const DELETE: Statement = {
  name: '',
  text: `
    with ${LOCK_ENDPOINT},
    ${KEEP_VERSION}
    delete from webhook_endpoints e
    using was w
    where e.book_id = w.book_id and e.id = w.id
    returning ${ENDPOINT_COLUMNS}`,
};
