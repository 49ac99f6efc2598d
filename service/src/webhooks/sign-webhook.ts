import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** The secret as merchants see it: this prefix, then base64. */
const SECRET_PREFIX = 'whsec_';

export type WebhookHeaders = Readonly<{
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}>;

/**
 * The headers of Standard Webhooks. Every secret signs: during a rotation there are two, and the receiver may have
 * either.
 */
export function signWebhook(
  message: Readonly<{ id: string; at: Date; body: string; secrets: readonly string[] }>,
): WebhookHeaders {
  const timestamp = String(Math.floor(message.at.getTime() / 1_000));
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const signatures = message.secrets.map((secret) => `v1,${sign(secret, signed)}`);
  if (signatures.length === 0) throw new Error('a webhook needs a secret to be signed with');
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

function sign(secret: string, signed: string): string {
  return createHmac('sha256', keyOf(secret)).update(signed, 'utf8').digest('base64');
}

/** As many as there are opened secrets (seal-secret.ts). */
const KEYS_KEPT_MAX = 1_000;
/** Node.js takes 37 µs to make a key, and 12 µs to sign with it. */
const keyBySecret = new Map<string, KeyObject>();

function keyOf(secret: string): KeyObject {
  const known = keyBySecret.get(secret);
  if (known !== undefined) return known;
  if (!secret.startsWith(SECRET_PREFIX)) throw new Error('this is not a webhook secret');
  const key = createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'));
  if (keyBySecret.size >= KEYS_KEPT_MAX) keyBySecret.clear();
  keyBySecret.set(secret, key);
  return key;
}
