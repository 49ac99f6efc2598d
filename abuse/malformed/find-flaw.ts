import type { Answer } from '../attacker/answer-reader.ts';

const SERVER_ERROR_MIN = 500;
const REFUSED_MIN = 400;
/** A refusal for lack of capacity is not an error; it is counted separately. */
const UNAVAILABLE = 503;

/** What is wrong with the answer to a malformed request; undefined: nothing. */
export function findFlaw({
  request,
  answer,
}: Readonly<{ request: Buffer; answer: Answer }>): string | undefined {
  const { status, headers, body } = answer;
  if (status >= SERVER_ERROR_MIN && status !== UNAVAILABLE) return `answered ${status}`;
  if (!headers.has('x-request-id')) return `${status} without X-Request-Id`;
  if (body.length === 0 || !isForApi(request)) return undefined;
  return findEnvelopeFlaw(status, body);
}

function isForApi(request: Buffer): boolean {
  const line = request.subarray(0, 200).toString('latin1');
  return / (?:https?:\/\/[^/ ]*)?\/api\//i.test(line);
}

function findEnvelopeFlaw(status: number, body: Buffer): string | undefined {
  let envelope: Readonly<{ status?: unknown; message?: unknown; data?: unknown }>;
  try {
    envelope = JSON.parse(body.toString()) as typeof envelope;
  } catch {
    return `${status} without the envelope: ${body.subarray(0, 60).toString()}`;
  }
  if (typeof envelope?.status !== 'boolean' || typeof envelope.message !== 'string') {
    return `${status} without the envelope's status and message`;
  }
  if (status < REFUSED_MIN) return undefined;
  const { error } = (envelope.data ?? {}) as { error?: Readonly<Record<string, unknown>> };
  if (envelope.status || typeof error?.code !== 'string' || typeof error.requestId !== 'string') {
    return `${status} without the envelope's error`;
  }
  return undefined;
}
