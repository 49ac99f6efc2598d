import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { refuse } from '../../domain/refusal.ts';
import { createCachedReading } from '../../telemetry/cached-reading.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { isLoopback, networkOf } from './client-address.ts';
import { type BucketRule, BucketTable } from './token-bucket.ts';

/** Several probes may each call every second; the database is queried once a second. */
const READINESS_AGE_MAX_MS = 1_000;

/**
 * The limit on the API description and its page, per address. Each is 150 KB that the kernel copies for every answer,
 * so a few thousand a second would leave no time for payouts. A person or a client generator reads them a few times.
 */
const DOCUMENTS: BucketRule = { burst: 60, perSecond: 20 };
const ADDRESSES_TRACKED_MAX = 10_000;

type PageRequest = Readonly<{ headers: IncomingHttpHeaders; address: string }>;

export type PageAnswer = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Large fixed pages are one Buffer, which all answers share. */
  body: string | Buffer;
}>;

/** A page that needs no API key and is not part of the merchant API. */
export type ServicePage = Readonly<{
  path: string;
  answer(request: PageRequest): PageAnswer | Promise<PageAnswer>;
}>;

type PageDeps = Readonly<{
  isDraining: () => boolean;
  databaseAnswers: () => Promise<boolean>;
  monotonicMs: () => number;
  metrics: Pick<Metrics, 'render'>;
  metricsToken: string | undefined;
  openApi: object;
  docsPage: Readonly<{ html: string; contentSecurityPolicy: string }>;
}>;

export function servicePages(deps: PageDeps): readonly ServicePage[] {
  const openApiText = Buffer.from(JSON.stringify(deps.openApi, null, 2));
  const { contentSecurityPolicy } = deps.docsPage;
  const html = Buffer.from(deps.docsPage.html);
  const admit = limitDocuments(deps);
  return [
    { path: '/health/live', answer: () => json(200, { status: 'live' }) },
    { path: '/health/ready', answer: readinessOf(deps) },
    { path: '/metrics', answer: (request) => answerMetrics(deps, request) },
    {
      path: '/openapi.json',
      answer(request) {
        admit(request);
        return page('application/json; charset=utf-8', openApiText);
      },
    },
    {
      path: '/docs',
      answer(request) {
        admit(request);
        return page('text/html; charset=utf-8', html, {
          'content-security-policy': contentSecurityPolicy,
          'referrer-policy': 'no-referrer',
        });
      },
    },
    {
      path: '/',
      answer: () => ({ status: 302, headers: { location: '/docs' }, body: 'See /docs\n' }),
    },
  ];
}

/** Throws if an address requests documents too often. */
function limitDocuments({ monotonicMs }: PageDeps): (request: PageRequest) => void {
  const buckets = new BucketTable(DOCUMENTS, ADDRESSES_TRACKED_MAX);
  return ({ address }) => {
    const nowMs = monotonicMs();
    const bucket = buckets.bucketOf(networkOf(address), nowMs);
    if (bucket.take(nowMs)) return;
    throw refuse('RATE_LIMITED', { retryAfterSeconds: bucket.secondsUntilNext() });
  };
}

function readinessOf(deps: PageDeps): () => Promise<PageAnswer> {
  const databaseAnswers = createCachedReading({
    read: deps.databaseAnswers,
    monotonicMs: deps.monotonicMs,
    ageMaxMs: READINESS_AGE_MAX_MS,
  });
  return async () => {
    const reasons: string[] = [];
    if (deps.isDraining()) reasons.push('draining');
    if ((await databaseAnswers()) !== true) reasons.push('database');
    return reasons.length === 0
      ? json(200, { status: 'ready' })
      : json(503, { status: 'not ready', reasons });
  };
}

/** Shown to this machine only, unless a token is set: then to every client that sends it, from any address. */
async function answerMetrics(deps: PageDeps, request: PageRequest): Promise<PageAnswer> {
  if (deps.metricsToken === undefined) {
    if (!isFromThisMachine(request)) throw refuse('FORBIDDEN', { message: METRICS_ARE_LOCAL });
  } else if (!isSame(request.headers.authorization ?? '', `Bearer ${deps.metricsToken}`)) {
    throw refuse('UNAUTHORIZED', { message: METRICS_NEED_TOKEN });
  }
  const { contentType, text } = await deps.metrics.render();
  return {
    status: 200,
    headers: { 'content-type': contentType, 'cache-control': 'no-store' },
    body: text,
  };
}

const METRICS_ARE_LOCAL = 'Metrics are shown to this machine only, unless METRICS_TOKEN is set.';
const METRICS_NEED_TOKEN = 'Send authorization: Bearer with the value of METRICS_TOKEN.';

/** A proxy on this machine forwards requests of other clients, and marks them with one of these headers. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

function isFromThisMachine({ address, headers }: PageRequest): boolean {
  return isLoopback(address) && PROXY_HEADERS.every((name) => headers[name] === undefined);
}

/** Compares in constant time; hashes both, because they then have equal lengths. */
function isSame(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

function json(status: number, value: object): PageAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: `${JSON.stringify(value)}\n`,
  };
}

function page(type: string, body: Buffer, headers: Record<string, string> = {}): PageAnswer {
  return {
    status: 200,
    headers: { 'content-type': type, 'cache-control': 'no-cache', ...headers },
    body,
  };
}
