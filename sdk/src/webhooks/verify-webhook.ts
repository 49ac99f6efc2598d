import type { ScreeningQuestion } from '../model/control.ts';
import type { KafueEvent } from '../model/event.ts';
import { KafueWebhookError } from './kafue-webhook-error.ts';
import {
  decodeBase64,
  importSecrets,
  isSignedBy,
  type SignedContent,
  toBytes,
} from './signature.ts';
import type { WebhookPayload, WebhookSecrets } from './webhook-input.ts';

const TOLERANCE_DEFAULT_SECONDS = 300;
/** Two are sent while a secret is rotated. The bound keeps a forged request with thousands from costing time. */
const SIGNATURES_MAX = 10;

/** Headers of fetch, of Node.js, of Express or Fastify, or a plain object. */
export type WebhookHeaders =
  | Readonly<{ get(name: string): string | null }>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type WebhookToVerify = WebhookSecrets &
  Readonly<{
    payload: WebhookPayload;
    headers: WebhookHeaders;
    /** How far its time may differ from ours, in seconds: 300 by default. */
    toleranceSeconds?: number | undefined;
    /** For tests: the current time. */
    now?: Date | undefined;
  }>;

/** Returns the event of a delivery after checking that Kafue signed exactly this body, recently. */
export async function verifyWebhook(delivery: WebhookToVerify): Promise<KafueEvent> {
  const value = await readSigned(delivery);
  if (isEvent(value)) return value;
  throw new KafueWebhookError('INVALID_PAYLOAD', 'The body is signed, but is no event.');
}

/**
 * Returns the question to a screener after checking that Kafue signed exactly this body, recently. Answer within the
 * deadline: 200 with `{"decision": "allow" | "hold" | "refuse", "reason": "…"}`.
 */
export async function verifyScreening(question: WebhookToVerify): Promise<ScreeningQuestion> {
  const value = await readSigned(question);
  if (isQuestion(value)) return value;
  throw new KafueWebhookError('INVALID_PAYLOAD', 'The body is signed, but is no question.');
}

/** The signed body as JSON; undefined: it is not JSON. */
async function readSigned(delivery: WebhookToVerify): Promise<unknown> {
  const content: SignedContent = {
    id: readHeader(delivery.headers, 'webhook-id'),
    timestamp: readHeader(delivery.headers, 'webhook-timestamp'),
    payload: checkedPayload(delivery.payload),
  };
  const signatures = readSignatures(readHeader(delivery.headers, 'webhook-signature'));
  checkTime(content.timestamp, delivery);
  await checkSignature(content, { signatures, secrets: delivery });
  return parseJson(content.payload);
}

function readHeader(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : findHeader(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new KafueWebhookError('MISSING_HEADER', `The header ${name} is missing.`);
}

function isHeaders(headers: WebhookHeaders): headers is Extract<WebhookHeaders, { get: unknown }> {
  return typeof headers.get === 'function';
}

function findHeader(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  wanted: string,
): unknown {
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted) ?? [];
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/** Most frameworks parse JSON. Written again, it has other bytes, and the signature would not match. */
function checkedPayload(payload: unknown): WebhookPayload {
  if (typeof payload === 'string') return payload;
  if (ArrayBuffer.isView(payload) || payload instanceof ArrayBuffer) return payload;
  throw new KafueWebhookError(
    'INVALID_PAYLOAD',
    'The payload must be the raw body, a text or bytes; keep the framework from parsing it.',
  );
}

/** `v1,<base64>` each, separated by blanks. Other versions are ignored. */
function readSignatures(header: string): readonly Uint8Array<ArrayBuffer>[] {
  return header
    .split(' ')
    .filter((text) => text.startsWith('v1,'))
    .slice(0, SIGNATURES_MAX)
    .flatMap((text) => decodeBase64(text.slice('v1,'.length)) ?? []);
}

function checkTime(
  timestamp: string,
  { toleranceSeconds = TOLERANCE_DEFAULT_SECONDS, now = new Date() }: WebhookToVerify,
): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new KafueWebhookError('INVALID_TIMESTAMP', 'The header webhook-timestamp is no time.');
  }
  const awayMs = Math.abs(now.getTime() - Number(timestamp) * 1_000);
  // Written so that a tolerance or a time that is NaN fails the check.
  if (awayMs <= toleranceSeconds * 1_000) return;
  throw new KafueWebhookError(
    'OUTSIDE_TOLERANCE',
    `It was signed more than ${toleranceSeconds} seconds from now. Check this machine's clock.`,
  );
}

async function checkSignature(
  content: SignedContent,
  given: Readonly<{ signatures: readonly Uint8Array<ArrayBuffer>[]; secrets: WebhookSecrets }>,
): Promise<void> {
  const keys = await importSecrets(given.secrets);
  for (const key of keys) {
    for (const signature of given.signatures) {
      if (await isSignedBy(key, signature, content)) return;
    }
  }
  throw new KafueWebhookError(
    'INVALID_SIGNATURE',
    'No signature fits. Check that the secret is the one of this endpoint, and the body raw.',
  );
}

function parseJson(payload: WebhookPayload): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(toBytes(payload)));
  } catch {
    return undefined;
  }
}

/** Checks the fields that every event has. The others are trusted, because the body is signed. */
function isEvent(value: unknown): value is KafueEvent {
  if (typeof value !== 'object' || value === null) return false;
  const hasWords = 'id' in value && typeof value.id === 'string' && 'type' in value;
  return hasWords && typeof value.type === 'string' && 'data' in value;
}

function isQuestion(value: unknown): value is ScreeningQuestion {
  if (typeof value !== 'object' || value === null) return false;
  const hasWords = 'id' in value && typeof value.id === 'string' && 'rule' in value;
  return hasWords && typeof value.rule === 'string' && 'transfer' in value;
}
