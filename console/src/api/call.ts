import { shell } from '../texts/en/shell.ts';
import { ApiError, type FieldProblem, NoAnswer } from './api-error.ts';
import { isUnattended } from './attendance.ts';
import { noticeSessionEnded } from './session-ended.ts';

/** Timeout of a call. The service answers payouts in well under a second. */
const CALL_TIMEOUT_MS = 20_000;
/** The code decides, not the status: a wrong second factor is a 401 too, and the session goes on. */
const NO_SESSION = 'UNAUTHORIZED';

type Query = Readonly<Record<string, string | number | undefined>>;

export type Call = Readonly<{
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below /api/v1, with its first slash. */
  path: string;
  query?: Query | undefined;
  body?: unknown;
  /** A file, sent unchanged instead of a JSON body. */
  file?: Blob;
  /** The id of the book, sent as `x-book`. */
  bookId?: string | undefined;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
  /** Another timeout, for the few calls that take longer. */
  timeoutMs?: number;
  /** True for calls without a session: an answer that there is none does not mean that a session has ended. */
  isSignIn?: boolean;
}>;

export function addressOf(path: string, query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') params.set(name, String(value));
  }
  const text = params.toString();
  return `/api/v1${path}${text === '' ? '' : `?${text}`}`;
}

/** Sends one call and returns the whole answer. Throws ApiError for a refusal and NoAnswer when none came. */
export async function send(call: Call): Promise<Response> {
  const { method = 'GET', body, file, bookId, headers, signal } = call;
  const limit = AbortSignal.timeout(call.timeoutMs ?? CALL_TIMEOUT_MS);
  let answer: Response;
  try {
    answer = await fetch(addressOf(call.path, call.query), {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        // The service detects the kind from the bytes, because operating systems name the type of CSV differently.
        ...(file === undefined ? {} : { 'content-type': 'application/octet-stream' }),
        ...(bookId === undefined ? {} : { 'x-book': bookId }),
        ...(isUnattended() ? { 'x-unattended': '1' } : {}),
        ...headers,
      },
      body: file ?? (body === undefined ? null : JSON.stringify(body)),
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
  } catch (error) {
    // The reader left the page: no error to show.
    if (signal?.aborted) throw error;
    throw new NoAnswer(method !== 'GET', error);
  }
  if (answer.ok) return answer;
  const error = (await readError(answer)) ?? withoutEnvelope(answer, method !== 'GET');
  if (error instanceof NoAnswer) throw error;
  if (error.code === NO_SESSION && call.isSignIn !== true) noticeSessionEnded();
  throw error;
}

/** Sends one call and returns its `data`. */
export async function call<T>(given: Call): Promise<T> {
  const answer = await send(given);
  try {
    const { data } = (await answer.json()) as { data: T };
    return data;
  } catch (error) {
    if (given.signal?.aborted) throw error;
    // The answer broke off: the act may be done, although the page does not know it.
    throw new NoAnswer((given.method ?? 'GET') !== 'GET', error);
  }
}

/** The refusal of the service; undefined: a proxy answered instead. */
async function readError(answer: Response): Promise<ApiError | undefined> {
  try {
    const { message, data } = (await answer.json()) as ErrorBody;
    if (typeof data.error.code !== 'string') return undefined;
    return new ApiError({ status: answer.status, ...data.error, message });
  } catch {
    return undefined;
  }
}

/**
 * A proxy answers 502 or 504 if the service did not answer in time. A change may have been made by then, and repeating
 * it could, for example, create a second key.
 */
function withoutEnvelope({ status, headers }: Response, changes: boolean): ApiError | NoAnswer {
  if (changes && status >= 500) return new NoAnswer(changes, new Error(`HTTP status ${status}`));
  return new ApiError({
    status,
    code: `HTTP_${status}`,
    message: shell.errors.notAvailable,
    retryable: status >= 500 || status === 429,
    requestId: headers.get('x-request-id') ?? '',
  });
}

type ErrorBody = {
  message: string;
  data: {
    error: { code: string; retryable: boolean; requestId: string; fields?: FieldProblem[] };
  };
};
