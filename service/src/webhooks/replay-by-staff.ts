import type { ActDeps } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
import { refuse } from '../domain/refusal.ts';
import { parseUuid } from '../domain/uuid.ts';
import type { Database, Statement } from '../postgres/database.ts';
import { type ReplayResult, replayDeliveries } from './replay-deliveries.ts';

/** Sends once more what an endpoint of any book missed, for the merchant. */
export async function replayByStaff(
  deps: ActDeps & Readonly<{ database: Database }>,
  request: Readonly<{ actor: PersonActor; endpointId: string; from: Date | null; to: Date | null }>,
): Promise<ReplayResult> {
  const { actor, from, to } = request;
  return actAs(deps, actor, async (tx) => {
    const values = [parseUuid(request.endpointId) ?? null];
    const [row] = await tx.query<EndpointRow>(FIND, values);
    if (row === undefined) throw refuse('WEBHOOK_NOT_FOUND');
    const { id, book_id: bookId, merchant_id: merchantId } = row;
    const range = { from, to, state: 'failed' } as const;
    const result = await replayDeliveries(tx, { bookId, id, range });
    await recordAct(tx, deps, {
      actor,
      kind: 'WEBHOOK_REPLAYED',
      subject: id,
      merchantId,
      bookId,
      reason: null,
      before: null,
      after: {
        replayed: result.replayed,
        from: from?.toISOString() ?? null,
        to: to?.toISOString() ?? null,
      },
    });
    return result;
  });
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
