import type { PersonActor } from '../domain/actor.ts';
import { refuse } from '../domain/refusal.ts';
import { parseUuid } from '../domain/uuid.ts';
import type { Statement } from '../postgres/database.ts';
import { type ReplayDeps, type ReplayedDeliveries, replayDeliveries } from './replay-deliveries.ts';

/** Sends once more what an endpoint of any book missed, for the merchant. */
export async function replayByStaff(
  deps: ReplayDeps,
  request: Readonly<{ actor: PersonActor; endpointId: string; from: Date | null; to: Date | null }>,
): Promise<ReplayedDeliveries> {
  const { actor, from, to } = request;
  const values = [parseUuid(request.endpointId) ?? null];
  const [row] = await deps.database.query<EndpointRow>(FIND, values);
  if (row === undefined) throw refuse('WEBHOOK_NOT_FOUND');
  const { id, book_id: bookId, merchant_id: merchantId } = row;
  const range = { from, to, state: 'failed' } as const;
  return replayDeliveries(deps, { actor, merchantId, bookId, id, range });
}

type EndpointRow = { id: string; book_id: string; merchant_id: string };

const FIND: Statement = {
  name: '',
  text: `
    select e.id, e.book_id, b.merchant_id
    from webhook_endpoints e
    join books b on b.id = e.book_id
    where e.id = $1`,
};
