import { createHash, timingSafeEqual } from 'node:crypto';
import { refuse } from '../../domain/refusal.ts';
import { createCachedReading } from '../../telemetry/cached-reading.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { ApiDocuments, DocsPage } from './api-documents.ts';
import { type DirectRequest, isFromThisMachine } from './from-this-machine.ts';
import { limitPages } from './limit-pages.ts';
import type { BucketRule } from './token-bucket.ts';

/** Several probes may each call every second; the database is queried once a second. */
const READINESS_AGE_MAX_MS = 1_000;
/** Each probe of writing makes PostgreSQL extend a file by a page, which it takes away again later. */
const WRITES_AGE_MAX_MS = 3_000;

/**
 * The description of the API and its pages, to one address. They are 200 to 300 KB that the system copies for every
 * answer, so a few thousand of them in a second would leave no time for payouts. A person or a generator of
 * clients reads them a few times.
 */
const DOCUMENTS: BucketRule = { burst: 60, perSecond: 20 };

export type PageRequest = DirectRequest &
  Readonly<{
    /** The client's. */
    address: string;
    /** As it was requested, without the query. */
    path: string;
  }>;

export type PageAnswer = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Large fixed pages are one Buffer, which all answers share. */
  body: string | Buffer;
}>;

/** A page that needs no API key and is not part of the merchant API. */
export type ServicePage = Readonly<{
  /** With * at its end: everything below. */
  path: string;
  answer(request: PageRequest): PageAnswer | Promise<PageAnswer>;
}>;

type PageDeps = Readonly<{
  isDraining: () => boolean;
  databaseAnswers: () => Promise<boolean>;
  databaseWrites: () => Promise<void>;
  /** The names of the cells that do not answer, where there are several. */
  cellsDown?: () => readonly string[];
  monotonicMs: () => number;
  metrics: Pick<Metrics, 'render'>;
  metricsToken: string | undefined;
  documents: ApiDocuments;
  /** Where / leads. */
  startPath: string;
  /** Whether people sign in at this listener. */
  isForPeople: boolean;
}>;

export function servicePages(deps: PageDeps): readonly ServicePage[] {
  const { openApi, docsPage, peoplePage } = deps.documents;
  const admit = limitPages(deps, DOCUMENTS);
  return [
    { path: '/health/live', answer: () => json(200, { status: 'live' }) },
    { path: '/health/ready', answer: readinessOf(deps) },
    { path: '/metrics', answer: (request) => answerMetrics(deps, request) },
    {
      path: '/openapi.json',
      answer(request) {
        admit(request);
        return page('application/json; charset=utf-8', openApi);
      },
    },
    {
      path: '/docs',
      answer(request) {
        admit(request);
        return docs(docsPage);
      },
    },
    {
      path: '/docs/people',
      answer(request) {
        admit(request);
        if (!deps.isForPeople) throw refuse('NOT_FOUND', { message: NOT_FOR_PEOPLE });
        return docs(peoplePage);
      },
    },
    {
      path: '/',
      answer: () => ({
        status: 302,
        headers: { location: deps.startPath },
        body: `See ${deps.startPath}\n`,
      }),
    },
  ];
}

function readinessOf(deps: PageDeps): () => Promise<PageAnswer> {
  const databaseAnswers = createCachedReading({
    read: deps.databaseAnswers,
    monotonicMs: deps.monotonicMs,
    ageMaxMs: READINESS_AGE_MAX_MS,
  });
  const databaseWrites = createCachedReading({
    read: async () => {
      await deps.databaseWrites();
      return true;
    },
    monotonicMs: deps.monotonicMs,
    ageMaxMs: WRITES_AGE_MAX_MS,
  });
  return async () => {
    const reasons: string[] = [];
    if (deps.isDraining()) reasons.push('draining');
    if ((await databaseAnswers()) !== true) reasons.push('database');
    else if ((await databaseWrites()) !== true) reasons.push('database writes');
    const down = deps.cellsDown?.() ?? [];
    const cells = down.length === 0 ? {} : { cellsDown: down };
    return reasons.length === 0
      ? json(200, { status: 'ready', ...cells })
      : json(503, { status: 'not ready', reasons, ...cells });
  };
}

/** To this machine only, unless a token is set: then to all who have it, from anywhere. */
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

const NOT_FOR_PEOPLE =
  'People do not sign in at this port, so what they call is not here: CONSOLE is off, or CONSOLE_PORT names another ' +
  'port. Open this page there, or start the service with CONSOLE=on. The API for keys is described at /docs.';
const METRICS_ARE_LOCAL =
  'Metrics are shown to this machine only, at the address and port that the service listens at, and to no proxy. ' +
  'Set METRICS_TOKEN to read them from elsewhere.';
const METRICS_NEED_TOKEN = 'Send authorization: Bearer with the value of METRICS_TOKEN.';

/** Takes the same time wherever the texts differ. Compares hashes, because their lengths are equal. */
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

function docs({ html, policy }: DocsPage): PageAnswer {
  return page('text/html; charset=utf-8', html, {
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
  });
}

function page(type: string, body: Buffer, headers: Record<string, string> = {}): PageAnswer {
  return {
    status: 200,
    headers: { 'content-type': type, 'cache-control': 'no-cache', ...headers },
    body,
  };
}
