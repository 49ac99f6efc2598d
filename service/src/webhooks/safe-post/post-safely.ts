import { type ClientRequest, Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { WebhookHeaders } from '../sign-webhook.ts';
import { checkWebhookUrl, isLoopbackUrl, type WebhookUrlRules } from '../webhook-url.ts';
import { describeFailure } from './describe-failure.ts';
import { type AnswerReader, readAnswer, readRetryAfter } from './read-answer.ts';
import { createCheckedLookup, type ResolveHost } from './resolve-host.ts';

/** For everything together: resolving, connecting, the request and the response. */
export const POST_TIMEOUT_MS = 15_000;

/** Idle connections that are kept for the next delivery to the same host, and for how long. */
const IDLE_PER_HOST_MAX = 8;
const IDLE_MS = 4_000;
const STATUS_MIN = 100;
const STATUS_MAX = 999;

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
  /** For everything together. Left out: as the poster has it. */
  timeoutMs?: number;
  /** Only an answer that arrives whole and is at most this long is one. Left out: its status is enough. */
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

type Agents = Readonly<{ http: HttpAgent; https: HttpsAgent }>;

/**
 * Sends webhooks to addresses that merchants chose, without giving them access to our network: the URL is checked
 * again, every address is checked before the socket connects to it, redirects are not followed, and what is read is
 * limited in time and size. No proxy is used.
 *
 * Connections are kept by host. A reused socket was checked for the same host, and the URL alone decides which
 * addresses a host may have, so a kept connection never bypasses a check.
 */
export function createSafePoster(deps: SafePosterDeps): SafePoster {
  const tls = { rejectUnauthorized: true, ...(deps.ca === undefined ? {} : { ca: deps.ca }) };
  const idle = { keepAlive: true, maxFreeSockets: IDLE_PER_HOST_MAX, timeout: IDLE_MS };
  const kept: Agents = { http: new HttpAgent(idle), https: new HttpsAgent({ ...idle, ...tls }) };
  const fresh: Agents = { http: new HttpAgent(), https: new HttpsAgent(tls) };

  let closed = false;

  async function post(message: SignedMessage): Promise<PostResult> {
    const startedMs = deps.monotonicMs();
    const elapsedMs = () => deps.monotonicMs() - startedMs;
    const url = checkWebhookUrl(message.url, message.rules);
    if (url === undefined) {
      return { kind: 'unanswered', error: 'the URL may not be used', elapsedMs: 0 };
    }
    const timeoutMs = message.timeoutMs ?? deps.timeoutMs ?? POST_TIMEOUT_MS;
    const leftMs = () => timeoutMs - elapsedMs();
    let reply = await exchange(deps, { message, url, agents: kept, timeoutMs: leftMs() });
    // The receiver closed a kept connection just when we used it: that says nothing about the event.
    if (reply.kind === 'unanswered' && reply.wasStale && !closed) {
      reply = await exchange(deps, { message, url, agents: fresh, timeoutMs: leftMs() });
    }
    if (reply.kind === 'answered') return { ...reply, elapsedMs: elapsedMs() };
    return { kind: 'unanswered', error: reply.error, elapsedMs: elapsedMs() };
  }

  return {
    post,
    close() {
      closed = true;
      for (const agent of [kept.http, kept.https, fresh.http, fresh.https]) agent.destroy();
    },
  };
}

type Reply =
  | Readonly<{
      kind: 'answered';
      status: number;
      answer: string;
      retryAfterSeconds: number | undefined;
    }>
  | Readonly<{ kind: 'unanswered'; error: string; wasStale: boolean }>;

type Order = Readonly<{ message: SignedMessage; url: URL; agents: Agents; timeoutMs: number }>;

function exchange(deps: SafePosterDeps, order: Order): Promise<Reply> {
  return new Promise<Reply>((resolve) => {
    const request = openRequest(deps, order);
    const { wholeBytesMax, timeoutMs = deps.timeoutMs ?? POST_TIMEOUT_MS } = order.message;
    let answered: (() => Reply) | undefined;
    const settle = (reply: Reply): void => {
      clearTimeout(timer);
      resolve(reply);
    };
    const fail = (error: string, wasStale = false): void =>
      settle(answered?.() ?? { kind: 'unanswered', error, wasStale });
    const timer = setTimeout(
      () => {
        // A receiver that has sent its status has answered, however long its body takes.
        fail(`no answer within ${timeoutMs / 1_000} s`);
        request.destroy();
      },
      Math.max(0, order.timeoutMs),
    );
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      if (status < STATUS_MIN || status > STATUS_MAX) {
        fail('the answer is not HTTP');
        request.destroy();
        return;
      }
      const retryAfterSeconds = readRetryAfter(response.headers['retry-after'], deps.now());
      const onEnd = () => fail('the connection was reset');
      const reader: AnswerReader = readAnswer(response, onEnd, wholeBytesMax);
      answered = () =>
        wholeBytesMax === undefined || reader.isWhole()
          ? { kind: 'answered', status, answer: reader.text(), retryAfterSeconds }
          : { kind: 'unanswered', error: whyNotWhole(reader, wholeBytesMax), wasStale: false };
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const broken = error.code === 'ECONNRESET' || error.code === 'EPIPE';
      fail(describeFailure(error), broken && request.reusedSocket);
    });
    request.on('close', () => fail('the connection was closed without an answer'));
    request.end(order.message.body);
    // A request that cannot even be started has no response either.
  }).catch((error: unknown) => ({
    kind: 'unanswered',
    error: describeFailure(error),
    wasStale: false,
  }));
}

function whyNotWhole(reader: AnswerReader, bytesMax: number): string {
  if (reader.isTooLong()) return `the answer is longer than ${bytesMax} bytes`;
  return 'the answer did not arrive whole in time';
}

function openRequest(deps: SafePosterDeps, { message, url, agents }: Order): ClientRequest {
  const toLoopback = isLoopbackUrl(url);
  const options = {
    method: 'POST',
    lookup: createCheckedLookup(deps, { toLoopback }),
    headers: {
      'user-agent': 'Kafue-Webhooks/1',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(message.body),
      accept: '*/*',
      ...message.headers,
    },
  };
  return url.protocol === 'https:'
    ? requestHttps(url, { ...options, agent: agents.https })
    : requestHttp(url, { ...options, agent: agents.http });
}
