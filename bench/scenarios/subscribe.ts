import type { Target } from '../load/transfer-request.ts';
import type { RunningSide } from '../sides/running-side.ts';

/** Creates a webhook endpoint of the merchant for every success. */
export async function subscribe(
  side: RunningSide,
  { target, url }: Readonly<{ target: Target; url: string }>,
): Promise<void> {
  const answer = await fetch(`${side.url()}/api/v1/payments/webhooks`, {
    method: 'POST',
    headers: { 'x-api-key': target.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ url, events: ['transfer.successful'] }),
  });
  if (answer.status !== 201) throw new Error(`no webhook endpoint: ${await answer.text()}`);
}
