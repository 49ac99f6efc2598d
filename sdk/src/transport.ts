import { invalidArgument, KafueError } from './kafue-error.ts';
import { type CsvPage, readCsv, readData } from './read-answer.ts';
import type { HttpRequest } from './send-once.ts';
import { type RetrySettings, type SendDeps, sendUntilDecided } from './send-until-decided.ts';

export type CallOptions = Readonly<{
  /** Ends the call, and the waiting between its attempts. */
  signal?: AbortSignal | undefined;
}>;

export type WriteOptions = CallOptions &
  Readonly<{
    /** The same call under the same key is done once. 1 to 255 printable ASCII characters; a random one by itself. */
    idempotencyKey?: string | undefined;
  }>;

/** One call of the API, however often it has to be sent. */
export type ApiCall = Readonly<{
  method: HttpRequest['method'];
  /** Below /api/v1/payments/, encoded; see apiPath. */
  path: string;
  /** With its question mark; see apiQuery. */
  query?: string;
  body?: unknown;
  /** A file instead of JSON. */
  file?: Uint8Array<ArrayBuffer>;
  /** More time for each attempt than other calls have. */
  timeoutMs?: number;
  options: WriteOptions | undefined;
  /** False where doing it twice differs from doing it once; see decideRetry. */
  isRepeatable: boolean;
  /** Whether the call has an Idempotency-Key; the service reads it of few. */
  isKeyed?: boolean;
}>;

export type TransportSettings = RetrySettings &
  Readonly<{
    /** The headers that say who calls. */
    credentials: Readonly<Record<string, string>>;
    /** Without a slash at its end. */
    baseUrl: string;
  }>;

export type TransportDeps = SendDeps & Readonly<{ newIdempotencyKey: () => string }>;

export type Transport = Readonly<{
  /** Resolves to the `data` of the answer, of the type that the API promises for the call. */
  call<Data>(call: ApiCall): Promise<Data>;
  callForCsv(call: ApiCall): Promise<CsvPage>;
}>;

const PREFIX = '/api/v1/payments/';
// A blank at either end would be lost on the way, and the key another one.
const IDEMPOTENCY_KEY_PATTERN = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

export function createTransport(deps: TransportDeps, settings: TransportSettings): Transport {
  return {
    async call<Data>(call: ApiCall): Promise<Data> {
      const request = buildRequest(deps, settings, { call, accept: 'application/json' });
      const { isRepeatable } = call;
      const timeoutMs = Math.max(settings.timeoutMs, call.timeoutMs ?? 0);
      const data = await sendUntilDecided(
        deps,
        { ...settings, timeoutMs },
        {
          request,
          isRepeatable,
          read: readData,
        },
      );
      // The envelope was checked; what is in it is the service's promise, not checked field by field.
      return data as Data;
    },
    async callForCsv(call) {
      const request = buildRequest(deps, settings, { call, accept: 'text/csv' });
      const { isRepeatable } = call;
      return sendUntilDecided(deps, settings, { request, isRepeatable, read: readCsv });
    },
  };
}

function buildRequest(
  deps: Pick<TransportDeps, 'newIdempotencyKey'>,
  { credentials, baseUrl }: TransportSettings,
  { call, accept }: Readonly<{ call: ApiCall; accept: string }>,
): HttpRequest {
  const { method, path, query = '', body, file, options } = call;
  const headers: Record<string, string> = { ...credentials, accept };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (file !== undefined) headers['content-type'] = 'application/octet-stream';
  // Made here, once for all attempts: it is what makes them one.
  if (call.isKeyed) {
    headers['idempotency-key'] = options?.idempotencyKey ?? deps.newIdempotencyKey();
    if (!IDEMPOTENCY_KEY_PATTERN.test(headers['idempotency-key'])) {
      throw invalidArgument('idempotencyKey must be 1 to 255 printable ASCII characters.');
    }
  }
  return {
    url: `${baseUrl}${PREFIX}${path}${query}`,
    method,
    headers,
    body: file ?? (body === undefined ? undefined : toJson(body)),
    signal: options?.signal,
  };
}

function toJson(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    const message = 'The call cannot be written as JSON. Give amounts as numbers, not as BigInt.';
    throw new KafueError({ code: 'INVALID_ARGUMENT', message, cause });
  }
}
