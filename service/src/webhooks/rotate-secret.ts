import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import { refuse } from '../domain/refusal.ts';
import type { Statement } from '../postgres/database.ts';
import type { EndpointDeps, EndpointWithSecret } from './create-endpoint.ts';
import { createSecret, endpointSecretPurpose, SECRET_OVERLAP_MS } from './endpoint.ts';
import type { WebhookActor } from './endpoint-act.ts';
import { ENDPOINT_COLUMNS, type EndpointRow, toEndpoint } from './endpoint-row.ts';
import type { EndpointKey } from './list-endpoints.ts';

export type RotatedSecret = EndpointWithSecret & Readonly<{ previousSecretUntil: Date }>;

/** Creates a new secret. The previous one also signs for a while; an older one no longer does. */
export async function rotateSecret(
  deps: EndpointDeps,
  { actor, merchantId, ...key }: EndpointKey & WebhookActor,
): Promise<RotatedSecret> {
  const secret = createSecret(deps.randomBytes);
  const previousSecretUntil = new Date(deps.now().getTime() + SECRET_OVERLAP_MS);
  const sealed = deps.sealer.seal(secret, endpointSecretPurpose(key));
  const values = [key.bookId, key.id, sealed, previousSecretUntil];
  return actAs(deps, actor, async (tx) => {
    const [row] = await tx.query<EndpointRow>(ROTATE, values);
    if (row === undefined) throw refuse('WEBHOOK_NOT_FOUND');
    await recordAct(tx, deps, {
      actor,
      kind: 'WEBHOOK_SECRET_ROTATED',
      subject: key.id,
      merchantId,
      bookId: key.bookId,
      reason: null,
      before: null,
      after: { previousSecretUntil: previousSecretUntil.toISOString() },
    });
    return { endpoint: toEndpoint(row), secret, previousSecretUntil };
  });
}

const ROTATE: Statement = {
  name: '',
  text: `
    update webhook_endpoints e
    set secret_sealed = $3, previous_secret_sealed = e.secret_sealed, previous_secret_until = $4
    where e.book_id = $1 and e.id = $2
    returning ${ENDPOINT_COLUMNS}`,
};
