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
/** Two while a secret is being rotated; a stranger's thousand shall not keep us busy. */
const SIGNATURES_MAX = 10;

/** Headers of fetch, of Node.js, of Express or Fastify, or a plain object. */
export type WebhookHeaders =
  | Readonly<{ get(name: string): string | null }>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type WebhookToVerify = WebhookSecrets &
  Readonly<{
    payload: WebhookPayload;
    headers: WebhookHeaders;
    /** How far its time may be from ours: 300 by itself. */
    toleranceSeconds?: number | undefined;
    /** For tests: the time that it is held against. */
    now?: Date | undefined;
  }>;

/** The event of a delivery, once it is certain that Kafue sent it, lately, and exactly so. */
export async function verifyWebhook(delivery: WebhookToVerify): Promise<KafueEvent> {
  const value = await readSigned(delivery);
  if (isEvent(value)) return value;
  throw new KafueWebhookError('INVALID_PAYLOAD', 'The body is signed, but is no event.');
}

/**
 * The question to a screener, once it is certain that Kafue asks it, lately, and exactly so. Answer it within the
 * deadline: 200 with `{"decision": "allow" | "hold" | "refuse", "reason": "…"}`.
 */
export async function verifyScreening(question: WebhookToVerify): Promise<ScreeningQuestion> {
  const value = await readSigned(question);
  if (isQuestion(value)) return value;
  throw new KafueWebhookError('INVALID_PAYLOAD', 'The body is signed, but is no question.');
}

/** What was signed, as JSON; undefined: it is none. */
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

/** Most frameworks parse JSON by themselves, and what they write anew has other bytes. */
function checkedPayload(payload: unknown): WebhookPayload {
  if (typeof payload === 'string') return payload;
  if (ArrayBuffer.isView(payload) || payload instanceof ArrayBuffer) return payload;
  throw new KafueWebhookError(
    'INVALID_PAYLOAD',
    'The payload must be the raw body, a text or bytes; keep the framework from parsing it.',
  );
}

/** `v1,<base64>` each, with blanks between; other versions are not ours to judge. */
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
  // Written so that a tolerance or a time that is NaN lets nothing pass.
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

/** What every event has; the rest is the promise of the holder of the secret. */
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
