import { importSecrets, sign } from './signature.ts';
import type { WebhookPayload, WebhookSecrets } from './webhook-input.ts';

export type WebhookToSign = WebhookSecrets &
  Readonly<{
    /** The body that the test will send. */
    payload: WebhookPayload;
    /** `webhook-id`; a new one by itself. */
    id?: string | undefined;
    /** When it was signed; now by itself. */
    now?: Date | undefined;
  }>;

export type SignedWebhookHeaders = Readonly<{
  'content-type': 'application/json';
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}>;

/** The headers of a delivery, for the tests of your receiver. */
export async function signWebhookForTests(webhook: WebhookToSign): Promise<SignedWebhookHeaders> {
  const { payload, id = globalThis.crypto.randomUUID(), now = new Date() } = webhook;
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const keys = await importSecrets(webhook);
  const signatures = await Promise.all(keys.map((key) => sign(key, { id, timestamp, payload })));
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
