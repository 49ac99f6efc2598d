import { RECEIVER_PATH } from '../journal/exchange-record.ts';

const CALL_TIMEOUT_MS = 10_000;

export type CreatedEndpoint = Readonly<{ id: string; secret: string }>;

/** Uses the API, because only its answer contains the secret. */
export async function createEndpoint(
  place: Readonly<{ port: number | undefined; receiverUrl: string; apiKey: string }>,
  path = RECEIVER_PATH,
): Promise<CreatedEndpoint> {
  const answer = await fetch(`http://127.0.0.1:${place.port}/api/v1/payments/webhooks`, {
    method: 'POST',
    headers: { 'x-api-key': place.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ url: new URL(path, place.receiverUrl).href }),
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  const body = (await answer.json()) as { data: CreatedEndpoint };
  if (!answer.ok) throw new Error(`no webhook endpoint: ${JSON.stringify(body)}`);
  return { id: body.data.id, secret: body.data.secret };
}
