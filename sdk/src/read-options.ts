import { invalidArgument } from './kafue-error.ts';
import type { FetchFunction } from './send-once.ts';
import type { TransportSettings } from './transport.ts';

/** A person in one book, in place of a key. */
export type PersonSession = Readonly<{
  /** The cookie of the session, as sign-in set it: `__Host-kafue=…`, or `kafue=…` on this machine. A secret. */
  cookie: string;
  /** The id of the book. */
  bookId: string;
}>;

export type KafueOptions = Readonly<{
  /** `sk_test_…` or `sk_live_…`. It opens one book, and is a secret: keep it out of web pages. */
  apiKey?: string | undefined;
  /** In place of a key, for what only people may do, such as approving. */
  session?: PersonSession | undefined;
  /** Where the service is. A live key needs it; else it is a service on this machine by itself. */
  baseUrl?: string | undefined;
  /** In place of the global one. */
  fetch?: FetchFunction | undefined;
  /** How long each attempt may take: 30,000 by itself. */
  timeoutMs?: number | undefined;
  /** How often a failed call is sent again: 3 times by itself, 0 for never. */
  maxRetries?: number | undefined;
}>;

/** Where `npm start` of the service listens. */
const BASE_URL_DEFAULT = 'http://127.0.0.1:3000';
const TIMEOUT_DEFAULT_MS = 30_000;
const TIMEOUT_MAX_MS = 600_000;
const RETRIES_DEFAULT = 3;
const RETRIES_MAX = 10;

/** The options with what they leave out, or an error that says which one is wrong. */
export function readOptions(options: Omit<KafueOptions, 'fetch'>): TransportSettings {
  return {
    credentials: readCredentials(options),
    baseUrl: readBaseUrl(options),
    timeoutMs: readWhole('timeoutMs', options.timeoutMs ?? TIMEOUT_DEFAULT_MS, {
      min: 1,
      max: TIMEOUT_MAX_MS,
    }),
    retriesMax: readWhole('maxRetries', options.maxRetries ?? RETRIES_DEFAULT, {
      min: 0,
      max: RETRIES_MAX,
    }),
  };
}

function readCredentials({
  apiKey,
  session,
}: Pick<KafueOptions, 'apiKey' | 'session'>): Readonly<Record<string, string>> {
  if (session === undefined) return { 'x-api-key': readApiKey(apiKey) };
  if (apiKey !== undefined) throw invalidArgument('Give apiKey or session, not both.');
  const isCookie = /^(?:__Host-)?kafue=[\w-]{1,255}$/.test(session.cookie);
  if (!isCookie || !/^[0-9a-fA-F-]{36}$/.test(session.bookId)) {
    throw invalidArgument(
      'session must have the cookie that sign-in set, such as __Host-kafue=…, and the bookId of a book.',
    );
  }
  return { cookie: session.cookie, 'x-book': session.bookId };
}

/** The message never repeats it: it would end up in a log. */
function readApiKey(apiKey: unknown): string {
  if (typeof apiKey === 'string' && /^[\x21-\x7e]{1,255}$/.test(apiKey)) return apiKey;
  throw invalidArgument(
    'apiKey must be a key such as sk_test_…, without blanks. Is the variable set?',
  );
}

function readBaseUrl({ apiKey, baseUrl }: Pick<KafueOptions, 'apiKey' | 'baseUrl'>): string {
  const isLive = apiKey?.startsWith('sk_live_') === true;
  const text = baseUrl ?? (isLive ? undefined : BASE_URL_DEFAULT);
  if (text === undefined) {
    throw invalidArgument(
      'baseUrl must be given with a live key, such as https://payouts.example.com. Is the variable set?',
    );
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain =
    url !== undefined &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username + url.password + url.search + url.hash === '';
  if (!isPlain) {
    throw invalidArgument('baseUrl must be an address such as https://payouts.example.com.');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function readWhole(
  name: string,
  value: number,
  { min, max }: Readonly<{ min: number; max: number }>,
): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw invalidArgument(`${name} must be a whole number from ${min} to ${max}.`);
}
