import type { Arrived, ExchangeEnd, LineRequest } from '../../wire/exchange.ts';
import type { WebhookHeaders } from '../sign-webhook.ts';
import { checkWebhookUrl, type WebhookUrlRules } from '../webhook-url.ts';
import { describeFailure } from './describe-failure.ts';
import { createMerchantLines } from './merchant-lines.ts';
import { readRetryAfter, toShowableText } from './read-answer.ts';
import type { ResolveHost } from './resolve-host.ts';

/** For everything together: resolving, connecting, the request and the response. */
export const POST_TIMEOUT_MS = 15_000;

/** A response of up to this size is read to its end, to reuse the connection; for a longer one it is closed. */
const ANSWER_READ_MAX_BYTES = 64 * 1_024;
const ANSWER_KEPT_MAX_BYTES = 1_024;

export type PostResult =
  | Readonly<{
      kind: 'answered';
      status: number;
      /** The beginning of the response, as text that can be stored and shown. */
      answer: string;
      retryAfterSeconds: number | undefined;
      elapsedMs: number;
    }>
  | Readonly<{ kind: 'unanswered'; error: string; elapsedMs: number }>;

type SignedMessage = Readonly<{
  url: string;
  rules: WebhookUrlRules;
  headers: WebhookHeaders;
  body: string;
  /** For everything together. Left out: the default of the poster. */
  timeoutMs?: number;
  /** An answer counts only if it arrives whole and is at most this long. Left out: its status is enough. */
  wholeBytesMax?: number;
}>;

export type SafePosterDeps = Readonly<{
  resolve: ResolveHost;
  /** Whether an address belongs to this machine. */
  isOwn: (ip: string) => boolean;
  now: () => Date;
  monotonicMs: () => number;
  timeoutMs?: number;
  /** Certificates to trust instead of the public ones. */
  ca?: string;
}>;

export type SafePoster = Readonly<{
  /** Makes one POST. It never throws: every failure is a value. */
  post(message: SignedMessage): Promise<PostResult>;
  /** Closes all connections, including those of POSTs under way, which then have no response. */
  close(): void;
}>;

/**
 * Sends webhooks to addresses that merchants chose, without giving them access to our network: the URL is checked
 * again, every address is checked before the socket connects to it, redirects are not followed, and what is read is
 * limited in time and size. No proxy is used.
 */
export function createSafePoster(deps: SafePosterDeps): SafePoster {
  const lines = createMerchantLines(deps);
  let closed = false;

  async function post(message: SignedMessage): Promise<PostResult> {
    const startedMs = deps.monotonicMs();
    const elapsedMs = () => deps.monotonicMs() - startedMs;
    const url = checkWebhookUrl(message.url, message.rules);
    if (url === undefined) {
      return { kind: 'unanswered', error: 'the URL may not be used', elapsedMs: 0 };
    }
    const timeoutMs = message.timeoutMs ?? deps.timeoutMs ?? POST_TIMEOUT_MS;
    let reply = await lines.to(url).send(toRequest(message, url, timeoutMs));
    if (isStale(reply) && !closed) {
      const leftMs = Math.max(0, timeoutMs - elapsedMs());
      const again = { ...toRequest(message, url, leftMs), keepsConnection: false };
      reply = await lines.anewTo(url).send(again);
    }
    return { ...toResult(deps, { ...message, timeoutMs }, reply), elapsedMs: elapsedMs() };
  }

  return {
    post,
    close() {
      closed = true;
      lines.destroy();
    },
  };
}

/** The receiver closed a kept connection just when we used it: that says nothing about the event. */
function isStale(reply: ExchangeEnd): boolean {
  if (reply.kind === 'answered' || !reply.wasKept) return false;
  const isBroken = reply.code === 'ECONNRESET' || reply.code === 'EPIPE';
  return isBroken && (reply.kind === 'notSent' || !reply.wasAnswering);
}

function toRequest(
  { headers, body, wholeBytesMax }: SignedMessage,
  url: URL,
  timeoutMs: number,
): LineRequest {
  return {
    method: 'POST',
    path: url.pathname + url.search,
    headers: {
      'user-agent': 'Kafue-Webhooks/1',
      'content-type': 'application/json',
      accept: '*/*',
      ...headers,
    },
    body,
    timeoutMs,
    readBytesMax: wholeBytesMax ?? ANSWER_READ_MAX_BYTES,
    keptBytesMax: wholeBytesMax ?? ANSWER_KEPT_MAX_BYTES,
  };
}

type Untimed<Result> = Result extends unknown ? Omit<Result, 'elapsedMs'> : never;

function toResult(
  { now }: SafePosterDeps,
  { wholeBytesMax, timeoutMs }: SignedMessage & Readonly<{ timeoutMs: number }>,
  reply: ExchangeEnd,
): Untimed<PostResult> {
  if (reply.kind === 'answered') return answered(reply, now());
  if (reply.kind === 'notSent' || reply.arrived === undefined) {
    return { kind: 'unanswered', error: describeFailure(reply.code, timeoutMs) };
  }
  // A receiver that has sent its status has answered, however the rest of its answer ends.
  if (wholeBytesMax === undefined) return answered(reply.arrived, now());
  return { kind: 'unanswered', error: whyNotWhole(reply.code, wholeBytesMax) };
}

function answered({ head, body }: Arrived, at: Date): Untimed<PostResult> {
  return {
    kind: 'answered',
    status: head.status,
    answer: toShowableText(body),
    retryAfterSeconds: readRetryAfter(head.headers['retry-after'], at),
  };
}

function whyNotWhole(code: string, bytesMax: number): string {
  if (code === 'ANSWER_TOO_LONG') return `the answer is longer than ${bytesMax} bytes`;
  return 'the answer did not arrive whole in time';
}
