import { invalidArgument, KafueError } from './kafue-error.ts';
import { type CsvPage, readCsv, readData } from './read-answer.ts';
import type { HttpRequest } from './send-once.ts';
import { type RetrySettings, type SendDeps, sendUntilDecided } from './send-until-decided.ts';

export type CallOptions = Readonly<{
  /** Aborts the call, also while it waits between attempts. */
  signal?: AbortSignal | undefined;
}>;

export type WriteOptions = CallOptions &
  Readonly<{
    /** Calls with the same key take effect once. 1 to 255 printable ASCII characters; random by default. */
    idempotencyKey?: string | undefined;
  }>;

/** One call of the API, which may be sent several times. */
export type ApiCall = Readonly<{
  method: HttpRequest['method'];
  /** Below /api/v1/payments/, encoded; see apiPath. */
  path: string;
  /** With its question mark; see apiQuery. */
  query?: string;
  body?: unknown;
  /** A file instead of JSON. */
  file?: Uint8Array<ArrayBuffer>;
  /** A longer timeout for each attempt than other calls have. */
  timeoutMs?: number;
  options: WriteOptions | undefined;
  /** False if sending it twice has another effect than sending it once; see decideRetry. */
  isRepeatable: boolean;
  /** Whether the call has an Idempotency-Key; the service reads it for a few calls only. */
  isKeyed?: boolean;
}>;

export type TransportSettings = RetrySettings &
  Readonly<{
    /** The headers that authenticate the caller. */
    credentials: Readonly<Record<string, string>>;
    /** Without a slash at its end. */
    baseUrl: string;
  }>;

export type TransportDeps = SendDeps & Readonly<{ newIdempotencyKey: () => string }>;

export type Transport = Readonly<{
  /** Resolves to the `data` of the answer, typed as the API documents it. */
  call<Data>(call: ApiCall): Promise<Data>;
  callForCsv(call: ApiCall): Promise<CsvPage>;
}>;

const PREFIX = '/api/v1/payments/';
// HTTP drops a blank at either end, which would make it another key.
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
      // Only the envelope is checked; its fields are trusted to be as the API documents them.
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
  // Made once for all attempts: the same key makes them take effect once.
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
