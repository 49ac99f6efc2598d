import { KafueWebhookError } from './kafue-webhook-error.ts';
import type { WebhookPayload, WebhookSecrets } from './webhook-input.ts';

const SECRET_PREFIX = 'whsec_';
/** Less could be guessed; what Kafue makes has 24 bytes or more. */
const SECRET_BYTES_MIN = 16;
const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' } as const;

export type SignedContent = Readonly<{ id: string; timestamp: string; payload: WebhookPayload }>;

type SigningKey = Awaited<ReturnType<typeof globalThis.crypto.subtle.importKey>>;

export function importSecrets({ secret, secrets }: WebhookSecrets): Promise<SigningKey[]> {
  const all = secrets ?? [secret];
  if (all.length === 0) throw new KafueWebhookError('INVALID_SECRET', 'Give at least one secret.');
  return Promise.all(all.map(importSecret));
}

async function importSecret(secret: unknown): Promise<SigningKey> {
  const encoded =
    typeof secret === 'string' && secret.startsWith(SECRET_PREFIX)
      ? secret.slice(SECRET_PREFIX.length)
      : '';
  const bytes = decodeBase64(encoded);
  if (bytes === undefined || bytes.length < SECRET_BYTES_MIN) {
    throw new KafueWebhookError(
      'INVALID_SECRET',
      'The secret must be whsec_… as it was shown when the endpoint was made.',
    );
  }
  return globalThis.crypto.subtle.importKey('raw', bytes, ALGORITHM, false, ['sign', 'verify']);
}

/** `v1,` and the HMAC in base64, as Standard Webhooks asks for. */
export async function sign(key: SigningKey, content: SignedContent): Promise<string> {
  const signature = await globalThis.crypto.subtle.sign(ALGORITHM, key, signedBytes(content));
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`;
}

/** Whether the key made the signature. WebCrypto compares in constant time. */
export async function isSignedBy(
  key: SigningKey,
  signature: Uint8Array<ArrayBuffer>,
  content: SignedContent,
): Promise<boolean> {
  return globalThis.crypto.subtle.verify(ALGORITHM, key, signature, signedBytes(content));
}

export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

export function toBytes(payload: WebhookPayload): Uint8Array {
  if (typeof payload === 'string') return new TextEncoder().encode(payload);
  if (!ArrayBuffer.isView(payload)) return new Uint8Array(payload);
  return new Uint8Array(payload.buffer, payload.byteOffset, payload.byteLength);
}

function signedBytes({ id, timestamp, payload }: SignedContent): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const body = toBytes(payload);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}
